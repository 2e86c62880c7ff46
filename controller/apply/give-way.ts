import type { JsonObject } from '../../src/api/object.ts';
import type { ReconcileContext } from '../reconcile/context.ts';
import { entryOfItem, type Work } from './item.ts';
import { explain, type Refused } from './refusal.ts';
import { isYounger, type KnownGraph, takenBy } from './rivals.ts';
import { hasGone } from './uid.ts';

/** Of Graphs that own one object, the oldest keeps it (graph.md 9). */
export function isOldest(rivals: readonly KnownGraph[], { graph, graphUid, key }: ReconcileContext): boolean {
  const self = { name: key, uid: graphUid, creationTimestamp: graph.metadata.creationTimestamp ?? '' };
  return rivals.every((rival) => isYounger(rival, self));
}

/**
 * Several Graphs became owners at the same moment, and this is not the oldest: it gives up what it has written (graph.md 9). Until that has come
 * through, its entry stays in the inventory as it is.
 */
export async function giveWay(uid: string, rivals: readonly KnownGraph[], work: Work): Promise<Refused> {
  const { item, context } = work;
  const { ref, identity } = item.target;
  try {
    await giveUp(uid, work);
  } catch (error) {
    return explain(error, { user: context.applierUser, plural: ref.plural, identity, payload: item.node.payload });
  }
  context.memory.answers.delete(item.answerKey);
  context.findings.made.noObject(entryOfItem(item));
  context.ledger.givenUp(entryOfItem(item));
  return { word: 'waiting', isInvalid: false, trouble: takenBy(rivals, identity) };
}

/** Applies the bare identity; an object that has gone has nothing of ours any more. */
async function giveUp(uid: string, { item, context, manager }: Work): Promise<void> {
  const { ref, identity, apiVersion } = item.target;
  const place = ref.namespace === undefined ? {} : { namespace: ref.namespace };
  const bare: JsonObject = { apiVersion, kind: identity.kind, metadata: { name: ref.name, ...place, uid } };
  try {
    const { object: released } = await context.applier.apply(ref, bare, { manager, signal: context.signal });
    context.coverage.observe(ref, released.metadata, item.answerKey);
  } catch (error) {
    if (!(await hasGone(error, { ref, uid }, context))) throw error;
  }
}
