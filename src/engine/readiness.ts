import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Identity, parseApiVersion } from '../api/object.ts';
import { isList, isPlainMap, type Value } from '../cel/value.ts';
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
  if (!node.publishesList || node.forEach.length === 0) {
    const unmet = firstUnmet(node, NO_LOCALS, context);
    return unmet === undefined ? undefined : about(node, published, unmet);
  }
  for (const [at, each] of (isList(published) ? published : []).entries()) {
    if (at % ITEMS_A_TURN === ITEMS_A_TURN - 1) await nextTurn();
    const unmet = firstUnmet(node, new Map([['each', each]]), context);
    if (unmet !== undefined) return about(node, each, { ...unmet, message: `item ${at}: ${unmet.message}` });
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

/** The trouble with the object that it is about: a template's or a named ref's, or the item's (graph.md 13). */
function about(node: ProgramNode, published: Value, trouble: Trouble): Trouble {
  const identity = node.kind === 'def' ? undefined : identityOf(published);
  return identity === undefined ? trouble : { ...trouble, identity };
}

function identityOf(object: Value): Identity | undefined {
  if (!isPlainMap(object)) return undefined;
  const { apiVersion, kind, metadata } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || metadata === undefined || !isPlainMap(metadata)) return undefined;
  const { name, namespace = '' } = metadata;
  if (typeof name !== 'string' || typeof namespace !== 'string') return undefined;
  return { group: parseApiVersion(apiVersion)?.group ?? '', kind, namespace, name };
}

function waiting(message: string): Trouble {
  return { reason: 'WaitingForReadiness', message };
}
