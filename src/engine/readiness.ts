import { setImmediate as nextTurn } from 'node:timers/promises';
import { isList, type Value } from '../cel/value.ts';
import type { ProgramNode } from '../compiler/program.ts';
import type { EvaluationContext } from '../runtime/evaluate.ts';
import { holdsFor } from '../runtime/include.ts';
import type { Trouble } from '../runtime/outcome.ts';
import { type Locals, NO_LOCALS } from '../runtime/scope.ts';

const ITEMS_A_TURN = 100;

/**
 * Why a node that has published `published` is not ready; undefined when every readyWhen holds, for a collection of every item as `each`
 * (graph.md 5). The event loop is given back between many items.
 */
export async function whyNotReady(node: ProgramNode, published: Value, context: EvaluationContext): Promise<Trouble | undefined> {
  if (node.readyWhen.length === 0) return undefined;
  if (!node.publishesList || node.forEach.length === 0) return firstUnmet(node, NO_LOCALS, context);
  for (const [at, each] of (isList(published) ? published : []).entries()) {
    if (at % ITEMS_A_TURN === ITEMS_A_TURN - 1) await nextTurn();
    const unmet = firstUnmet(node, new Map([['each', each]]), context);
    if (unmet !== undefined) return { ...unmet, message: `item ${at}: ${unmet.message}` };
  }
  return undefined;
}

function firstUnmet(node: ProgramNode, locals: Locals, context: EvaluationContext): Trouble | undefined {
  for (const condition of node.readyWhen) {
    const holds = holdsFor(condition, locals, context);
    if (holds === true) continue;
    if (holds === false) return waiting(`is not ready: \${${condition.text}} is false`);
    return holds.word === 'waiting' ? waiting(`is not ready: ${holds.trouble.message}`) : holds.trouble;
  }
  return undefined;
}

function waiting(message: string): Trouble {
  return { reason: 'WaitingForReadiness', message };
}
