import type { Value } from '../../src/cel/value.ts';
import type { DefProgramNode } from '../../src/compiler/program.ts';
import { expand } from '../../src/runtime/expand.ts';
import type { Outcome } from '../../src/runtime/outcome.ts';
import { renderValue } from '../../src/runtime/render.ts';
import type { ReconcileContext } from '../reconcile/context.ts';
import { withReadiness } from './publish.ts';

/** Computes a value, or one for each item, and publishes it (graph.md 4). */
export async function actDef(node: DefProgramNode, context: ReconcileContext): Promise<Outcome> {
  const bindings = expand(node, context.evaluation, context.program.collectionLimit);
  if (bindings.word !== 'value') return { word: bindings.word, path: node.path, trouble: [bindings.trouble] };
  const values: Value[] = [];
  for (const locals of bindings.value) {
    const rendered = renderValue(node, locals, context.evaluation);
    if (rendered.word !== 'value') return { word: rendered.word, path: node.path, trouble: [rendered.trouble] };
    values.push(rendered.value);
  }
  context.memory.renderings.computed(node, context.scope);
  return withReadiness({ node, outcome: { word: 'read', path: node.path }, value: node.publishesList ? values : values[0], context });
}
