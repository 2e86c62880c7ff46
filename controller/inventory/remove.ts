import type { ManagedResource } from '../../src/api/graph.ts';
import { templateManager } from '../../src/api/names.ts';
import { type Identity, identityKey } from '../../src/api/object.ts';
import type { KubeClient, ObjectRef } from '../../src/kube/client.ts';
import { isConflict, isForbidden, isKindNotServed } from '../../src/kube/error.ts';
import type { Freshness } from '../../src/kube/schemas.ts';
import type { Trouble } from '../../src/runtime/outcome.ts';
import { explain } from '../apply/refusal.ts';
import { isAnother } from '../apply/uid.ts';
import { type ActingContext, printObject } from '../reconcile/context.ts';
import { ANSWERED, UNANSWERED } from '../reconcile/memory.ts';
import { markKey } from '../watch/record.ts';
import { asEither } from './either.ts';
import { identityOf } from './ledger.ts';
import { DISCOVERY_LAG, type Found, findLive, LOOKED_FOR, locate, readLive, saysGone } from './locate.ts';
import { retain } from './retain.ts';

/** What came of the removal of one entry. */
export type Removal =
  /** The object is gone, was released, or never was ours: the entry may go. */
  | { readonly word: 'gone'; readonly isDeleted: boolean }
  /** Deleted, and waits for finalizers or a grace period; its end wakes the Graph. */
  | { readonly word: 'pending'; readonly trouble: Trouble }
  /** Not known to be gone, without a UID or since its version went: looked for again until it is certain (graph.md 12.3, 12.4). */
  | { readonly word: 'unproved'; readonly again: number; readonly trouble: Trouble }
  | { readonly word: 'refused'; readonly trouble: Trouble };

/** What a removal is told. */
export interface RemovalOptions {
  /** Whether an entry of an earlier wave remains. */
  readonly isEarlierLeft: boolean;
  /** `DeleteFailed` or `PruneFailed`. */
  readonly reason: 'DeleteFailed' | 'PruneFailed';
  /** Who else is asked when the applier may not (graph.md 12.4). */
  readonly otherwise: KubeClient | undefined;
}

/** Removes the object of one entry, by its UID and never by its name alone (graph.md 12). */
export async function remove(entry: ManagedResource, options: RemovalOptions, context: ActingContext): Promise<Removal> {
  if (entry.uid !== undefined && context.memory.gone.has(entry.uid)) return gone(false);
  if (context.ledger.wasNeverSent(entry)) return gone(false);
  return removeLocated(entry, options, context, 'known');
}

async function removeLocated(entry: ManagedResource, options: RemovalOptions, context: ActingContext, least: Freshness): Promise<Removal> {
  const located = await locate(entry, context, least);
  if (!('ref' in located))
    return located.word === 'unserved'
      ? gone(false)
      : refused(options, identityOf(entry), 'the API server behind its group does not answer');
  const target: Target = { identity: identityOf(entry), ref: located.ref };
  try {
    const removal = await asEither(context, options.otherwise, (acting) => removeLive(entry, target, options, acting));
    const waits = removal.word === 'pending' || removal.word === 'unproved';
    return waits && (await isInEndingNamespace(target, 'lately', context)) ? gone(false) : removal;
  } catch (error) {
    if (!isKindNotServed(error)) return judge(error, target, options, context);
    // The version went, and the object lives on in another (graph.md 12.4); discovery may be late with that.
    if (least === 'known') return removeLocated(entry, options, context, 'current');
    return { word: 'unproved', again: DISCOVERY_LAG, trouble: waits(target, LOOKED_FOR) };
  }
}

interface Target {
  readonly identity: Identity;
  readonly ref: ObjectRef;
}

async function removeLive(entry: ManagedResource, target: Target, options: RemovalOptions, context: ActingContext): Promise<Removal> {
  return removeFound(entry, await findLive(entry, target.ref, context), target, options, context);
}

async function removeFound(
  entry: ManagedResource,
  { record, isCertain }: Found,
  target: Target,
  options: RemovalOptions,
  context: ActingContext,
): Promise<Removal> {
  const { identity, ref } = target;
  if (entry.uid === undefined) {
    const mark = record?.marks.get(markKey(templateManager(context.graphUid), undefined));
    if (record === undefined) return unproved(target, context);
    if (mark === undefined) return gone(false);
    // Its write was carried out: once the object has gone, a later turn need not wait for it, although the stored entry still has no UID.
    context.memory.unproved.set(identityKey(identity), ANSWERED);
    return removeLive(context.ledger.proved(entry, record.uid), target, options, context);
  }
  if (record !== undefined && record.uid !== entry.uid) return gone(false);
  // A watch that saw it being deleted, or that was told so by our own delete, is believed when it tells its end.
  if (record === undefined && (isCertain || context.memory.doomed.has(entry.uid))) return gone(true);
  if (record?.isDeleting) {
    context.memory.doomed.add(entry.uid);
    return pending(target);
  }
  if (record?.isRetained) {
    await retain(ref, context);
    context.log.info(printObject(identity), 'retained');
    return gone(false);
  }
  const remembered = isCertain ? undefined : record?.resourceVersion;
  try {
    return await deleteNow({ uid: entry.uid, resourceVersion: remembered }, target, options, context);
  } catch (error) {
    if (!isConflict(error)) throw error;
    // The watch is late, and what it has not told yet may be that a person wants to keep the object (graph.md 12.9).
    if (remembered !== undefined) return removeFound(entry, await readLive(entry, ref, context), target, options, context);
    if (await isAnother(ref, entry.uid, context)) return gone(false);
    throw error;
  }
}

function unproved(target: Target, { memory, now }: ActingContext): Removal {
  const identity = target.identity;
  const since = memory.beginToLook(identityKey(identity), now());
  const left = since + UNANSWERED - now();
  // Stays until it is written anew: a turn that drops it may end before that is stored, and the next one must not wait again.
  if (left <= 0) return gone(false);
  const trouble = waits(target, 'its write got no answer and may still be carried out: it is looked for until that is certain');
  return { word: 'unproved', again: left, trouble };
}

function waits({ identity }: Target, message: string): Trouble {
  return { reason: 'WaitingForReadiness', identity, message };
}

interface Preconditions {
  readonly uid: string;
  readonly resourceVersion: string | undefined;
}

async function deleteNow(
  preconditions: Preconditions,
  target: Target,
  { isEarlierLeft }: RemovalOptions,
  context: ActingContext,
): Promise<Removal> {
  const { ref, identity } = target;
  const { uid } = preconditions;
  const isForeground = isEarlierLeft && (await context.hasGarbageCollector());
  const how = { ...preconditions, propagationPolicy: isForeground ? 'Foreground' : 'Background', signal: context.signal } as const;
  const isGone = await context.applier.delete(ref, how);
  context.log.info({ ...printObject(identity), uid, isGone }, 'deleted');
  if (!isGone) {
    context.memory.doomed.add(uid);
    return pending(target);
  }
  context.memory.gone.add(uid);
  context.coverage.observeGone(ref, uid);
  return gone(true);
}

async function judge(error: unknown, target: Target, options: RemovalOptions, context: ActingContext): Promise<Removal> {
  const { ref, identity } = target;
  if (saysGone(error, ref)) return gone(false);
  if (isForbidden(error) && (await isInEndingNamespace(target, 'now', context))) return gone(false);
  const { trouble } = explain(error, { user: context.applierUser, plural: ref.plural, identity, payload: undefined });
  return refused(options, identity, `delete refused: ${trouble.message}${isForbidden(error) ? remedy(options.reason) : ''}`);
}

/** What is in a namespace that ends goes with it, whoever may delete it and whatever holds it (graph.md 12.4). */
async function isInEndingNamespace({ ref }: Target, when: 'now' | 'lately', context: ActingContext): Promise<boolean> {
  return ref.namespace !== undefined && ref.namespace !== '' && context.isNamespaceEnding(ref.namespace, when);
}

/** What a person can do when a teardown's rights are gone. */
function remedy(reason: RemovalOptions['reason']): string {
  return reason === 'DeleteFailed' ? ' (allow it, or set spec.serviceAccountName to an account that may)' : '';
}

function gone(isDeleted: boolean): Removal {
  return { word: 'gone', isDeleted };
}

function pending(target: Target): Removal {
  return { word: 'pending', trouble: waits(target, 'is being deleted: waits for its finalizers') };
}

function refused({ reason }: RemovalOptions, identity: Identity, message: string): Removal {
  return { word: 'refused', trouble: { reason, identity, message, mayHeal: true } };
}
