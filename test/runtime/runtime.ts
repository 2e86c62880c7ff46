import { printNodePath } from '../../src/api/names.ts';
import type { JsonValue } from '../../src/api/object.ts';
import { Budget } from '../../src/cel/budget.ts';
import type { Value } from '../../src/cel/value.ts';
import type { Program, ProgramNode } from '../../src/compiler/program.ts';
import type { Evaluation, EvaluationContext } from '../../src/runtime/evaluate.ts';
import { expand } from '../../src/runtime/expand.ts';
import { include } from '../../src/runtime/include.ts';
import { renderManifest, renderValue } from '../../src/runtime/render.ts';
import { type Locals, Scope } from '../../src/runtime/scope.ts';
import { programOf } from '../support/compile.ts';

/** What came of each node of a walk without a cluster: its manifests or value, or one word. */
export type Trace = Readonly<Record<string, JsonValue | Value>>;

/** The node of a path, as `box/kid`. */
export function nodeAt(program: Program, path: string): ProgramNode {
  const node = program.nodes.find((candidate) => printNodePath(candidate.path) === path);
  if (node === undefined) throw new Error(`no node ${path}`);
  return node;
}

/** A fresh scope with a budget. */
export function evaluationContext(): EvaluationContext {
  return { scope: new Scope(), budget: new Budget() };
}

/**
 * Walks a Graph in apply order: a def publishes its value, a template what it renders, a ref and a template that `live` names what stands
 * there. Failures are written as `waiting: …` and `failed: …`, and stop what depends on them (`blocked`).
 */
export function trace(nodes: string, live: Readonly<Record<string, Value>> = {}): Trace {
  return traceProgram(programOf(nodes), live);
}

/** As `trace`, of a Program. */
export function traceProgram(program: Program, live: Readonly<Record<string, Value>> = {}): Trace {
  const context = evaluationContext();
  const found: Record<string, JsonValue | Value> = {};
  const stopped = new Set<ProgramNode>();
  for (const node of program.nodes) {
    const path = printNodePath(node.path);
    if (node.dependencies.some(({ follows }) => stopped.has(follows))) {
      stopped.add(node);
      found[path] = 'blocked';
      continue;
    }
    const inclusion = include(node, context);
    if (inclusion.word !== 'included') {
      if (inclusion.word === 'skipped') context.scope.skip(node);
      else stopped.add(node);
      found[path] = inclusion.word === 'skipped' ? 'skipped' : `${inclusion.word}: ${inclusion.trouble.message}`;
      continue;
    }
    if (node.kind === 'graph') continue;
    const bindings = expand(node, context, program.collectionLimit);
    const items: Evaluation<Value>[] =
      bindings.word === 'value' ? bindings.value.map((locals) => render(node, locals, context)) : [bindings];
    const failure = items.find((item) => item.word !== 'value');
    if (failure !== undefined) {
      stopped.add(node);
      found[path] = `${failure.word}: ${failure.trouble.message}`;
      continue;
    }
    const values = items.flatMap((item): Value[] => (item.word === 'value' ? [item.value] : []));
    const value = node.forEach.length > 0 ? values : (values[0] ?? null);
    found[path] = value;
    if (node.kind !== 'patch') context.scope.publish(node, live[path] ?? value);
  }
  return found;
}

function render(node: ProgramNode, locals: Locals, context: EvaluationContext): Evaluation<Value> {
  if (node.kind === 'graph') throw new Error('a graph node renders nothing');
  return node.kind === 'def' ? renderValue(node, locals, context) : (renderManifest(node, locals, context) as Evaluation<Value>);
}
