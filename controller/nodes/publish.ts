import type { KubeObject } from '../../src/api/object.ts';
import { isList, type Value } from '../../src/cel/value.ts';
import type { ProgramNode } from '../../src/compiler/program.ts';
import { holdsFor } from '../../src/runtime/include.ts';
import type { Outcome, Trouble } from '../../src/runtime/outcome.ts';
import { type Locals, NO_LOCALS } from '../../src/runtime/scope.ts';
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
  const notReady = await whyNotReady(node, published, context);
  return notReady === undefined ? outcome : { ...outcome, notReady };
}

const ITEMS_A_TURN = 100;

async function whyNotReady(node: ProgramNode, published: Value, context: ReconcileContext): Promise<Trouble | undefined> {
  if (node.readyWhen.length === 0) return undefined;
  if (!node.publishesList || node.forEach.length === 0) return firstUnmet(node, NO_LOCALS, context);
  for (const [at, each] of (isList(published) ? published : []).entries()) {
    if (at % ITEMS_A_TURN === ITEMS_A_TURN - 1) await new Promise((resolve) => setImmediate(resolve));
    const unmet = firstUnmet(node, new Map([['each', each]]), context);
    if (unmet !== undefined) return { ...unmet, message: `item ${at}: ${unmet.message}` };
  }
  return undefined;
}

function firstUnmet(node: ProgramNode, locals: Locals, context: ReconcileContext): Trouble | undefined {
  for (const condition of node.readyWhen) {
    const holds = holdsFor(condition, locals, context.evaluation);
    if (holds === true) continue;
    if (holds === false) return waiting(`is not ready: \${${condition.text}} is false`);
    return holds.word === 'waiting' ? waiting(`is not ready: ${holds.trouble.message}`) : holds.trouble;
  }
  return undefined;
}

function waiting(message: string): Trouble {
  return { reason: 'WaitingForReadiness', message };
}
