import { Environment } from '../cel/environment.ts';
import { type Diagnostic, defineDiagnostic, type Report } from '../diagnostic/diagnostic.ts';
import { FieldPath } from '../diagnostic/path.ts';
import { PathSet } from '../diagnostic/path-tree.ts';
import type { SchemaSnapshot } from '../schema/snapshot.ts';
import { Checker } from './check.ts';
import type { SourceFrame, SourceNode } from './frame.ts';
import { readHeader } from './header.ts';
import type { CompileLimits } from './limits.ts';
import { nameNodes } from './name-nodes.ts';
import { order } from './order.ts';
import { ExpressionReader, type SourceExpression } from './payload.ts';
import { read } from './read.ts';
import { Resolver } from './resolve.ts';
import { rules } from './rules/index.ts';
import type { Rule, RuleContext } from './rules/rule.ts';
import { Steps, StepsSpent } from './steps.ts';
import { layWave } from './waves.ts';

/** What the stages have made of a Graph; complete even if there are mistakes, but for a compilation that was cut short. */
export interface Analysis {
  /** The root first, every frame before those inside it. */
  readonly frames: readonly SourceFrame[];
  /** The nodes of each frame in apply order. */
  readonly orders: ReadonlyMap<SourceFrame, readonly SourceNode[]>;
  /** Every node in apply order, a graph node before the nodes inside it. */
  readonly nodes: readonly SourceNode[];
  /** As they were found, in no order. */
  readonly diagnostics: readonly Diagnostic[];
}

const stepsSpent = defineDiagnostic({
  code: 'limit/compile',
  severity: 'error',
  message: ({ limit }: { limit: number }) => `compiling this Graph takes more than ${limit} steps`,
  hint: () => 'split it into several Graphs',
});

/** So that no Graph has more mistakes than memory. */
const STEPS_OF_A_DIAGNOSTIC = 100;
const NONE: readonly never[] = [];

/** The diagnostics of the compilation as a whole. */
export const analysisDiagnostics = [stepsSpent] as const;

/**
 * Runs the stages: read, order and type a Graph, asking the rules between them. A stage goes on after a mistake; what is broken has the type
 * error, so that one mistake has no echo.
 */
export function analyse(graph: unknown, schemas: SchemaSnapshot, limits: CompileLimits): Analysis {
  const diagnostics: Diagnostic[] = [];
  const steps = new Steps(limits.steps);
  const report: Report = (diagnostic) => {
    diagnostics.push(diagnostic);
    steps.spend(STEPS_OF_A_DIAGNOSTIC);
  };
  const frames: SourceFrame[] = [];
  const orders = new Map<SourceFrame, readonly SourceNode[]>();
  const nodes: SourceNode[] = [];
  try {
    const { name, spec } = readHeader(graph, report);
    const context: RuleContext = { graph: name, schemas, limits, steps };
    if (typeof spec === 'object' && spec !== null && !Array.isArray(spec)) {
      const reader = new ExpressionReader(report, limits, steps);
      for (const frame of read(spec, FieldPath.of('spec'), reader, report)) {
        frames.push(frame);
        // Tens of thousands of nodes thousands of levels deep would have paths of a gigabyte.
        steps.spend(frame.nodes.length * frame.pathSteps);
      }
    }
    const broken = judgeShapes(frames, report, context);
    judge(rulesAfter('read'), frames, report, context);
    const resolver = new Resolver(report, steps, isBuiltIn);
    for (const frame of frames) for (const node of frame.nodes) resolver.resolve(node);
    judge(rulesAfter('resolve'), frames, report, context);
    for (const frame of frames) orders.set(frame, order(frame, report));
    for (const node of flatten(frames[0], orders)) nodes.push(node);
    checkTypes(nodes, new Checker(context, report, broken));
    judge(rulesAfter('check'), frames, report, context);
  } catch (error) {
    if (!(error instanceof StepsSpent)) throw error;
    diagnostics.push(stepsSpent({ limit: limits.steps }, { path: FieldPath.of('spec') }));
  }
  return { frames, orders, nodes, diagnostics: nameNodes(diagnostics, frames) };
}

/** Lets every kind judge its payloads; gives the places of what it found, of which the schemas need not speak again. */
function judgeShapes(frames: readonly SourceFrame[], report: Report, context: RuleContext): PathSet {
  const broken = new PathSet();
  const note: Report = (diagnostic) => {
    broken.add(diagnostic.path);
    report(diagnostic);
  };
  for (const frame of frames) for (const node of frame.nodes) node.kind?.shape(node, note, context);
  return broken;
}

function judge(applied: readonly Rule[], frames: readonly SourceFrame[], report: Report, context: RuleContext): void {
  for (const rule of applied) {
    rule.graph?.(frames, report, context);
    for (const frame of frames) {
      rule.frame?.(frame, report, context);
      if (rule.node === undefined && rule.condition === undefined) continue;
      for (const node of frame.nodes) {
        context.steps.spend(1);
        rule.node?.(node, report, context);
        if (rule.condition === undefined) continue;
        for (const expression of conditionsOf(node)) rule.condition(expression, report, context);
      }
    }
  }
}

/** Of most nodes there is none: their expressions are not looked at, which for each rule anew are no longer in the processor's cache. */
function conditionsOf({ includeWhen, readyWhen, expressions }: SourceNode): readonly SourceExpression[] {
  if (includeWhen.length === 0 && readyWhen.length === 0) return NONE;
  return expressions.filter(({ role }) => role === 'includeWhen' || role === 'readyWhen');
}

/** A graph node is typed after the nodes inside it, all others in apply order; their waves follow from it, too. */
function checkTypes(nodes: readonly SourceNode[], checker: Checker): void {
  const open: SourceNode[] = [];
  for (const node of nodes) {
    closeUntil(open, node.frame.owner, checker);
    // While what it reads is at hand: a walk of its own costs as much as a rule.
    layWave(node);
    if (node.child === undefined) checker.checkNode(node);
    else open.push(node);
  }
  closeUntil(open, undefined, checker);
}

function closeUntil(open: SourceNode[], owner: SourceNode | undefined, checker: Checker): void {
  for (let last = open.at(-1); last !== undefined && last !== owner; last = open.at(-1)) {
    checker.checkNode(last);
    open.pop();
  }
}

function flatten(root: SourceFrame | undefined, orders: ReadonlyMap<SourceFrame, readonly SourceNode[]>): SourceNode[] {
  const flat: SourceNode[] = [];
  const pending = root === undefined ? [] : (orders.get(root)?.toReversed() ?? []);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    flat.push(node);
    if (node.child !== undefined) for (const inner of orders.get(node.child)?.toReversed() ?? []) pending.push(inner);
  }
  return flat;
}

function rulesAfter(stage: Rule['after']): readonly Rule[] {
  return rules.filter((rule) => rule.after === stage);
}

/** Names of types, and namespaces of functions: what is wrong with their use is found when the expression is typed. */
function isBuiltIn(name: string): boolean {
  const environment = Environment.standard();
  return environment.namedType(name) !== undefined || environment.startsQualified(name) || functionNamespaces.has(name);
}

const functionNamespaces: ReadonlySet<string> = new Set(
  Environment.standard()
    .functionNames()
    .filter((name) => name.includes('.'))
    .map((name) => name.slice(0, name.indexOf('.'))),
);
