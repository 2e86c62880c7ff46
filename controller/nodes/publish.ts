import type { KubeObject } from '../../src/api/object.ts';
import type { Value } from '../../src/cel/value.ts';
import type { ProgramNode } from '../../src/compiler/program.ts';
import { whyNotReady } from '../../src/engine/readiness.ts';
import type { Outcome } from '../../src/runtime/outcome.ts';
import type { ReconcileContext } from '../reconcile/context.ts';

/** What a node publishes, and the outcome so far. */
export interface Publication {
  readonly node: ProgramNode;
  readonly outcome: Outcome;
  readonly value: Value | KubeObject | readonly KubeObject[] | undefined;
  readonly context: ReconcileContext;
}

/** Puts a node's value into scope and judges its readiness, which reports and holds nobody back (graph.md 5). */
export async function withReadiness({ node, outcome, value, context }: Publication): Promise<Outcome> {
  // What the API server sends is JSON, and JSON is a CEL value as it is.
  const published = value as Value | undefined;
  if (published === undefined) return outcome;
  context.scope.publish(node, published);
  if (outcome.word !== 'applied' && outcome.word !== 'unchanged' && outcome.word !== 'read') return outcome;
  const notReady = await whyNotReady(node, published, context.evaluation);
  return notReady === undefined ? outcome : { ...outcome, notReady };
}
