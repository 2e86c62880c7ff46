import type { Contribution } from '../../src/api/graph.ts';
import { patchManagerPrefix } from '../../src/api/names.ts';
import type { Identity, JsonObject } from '../../src/api/object.ts';
import { entryOf } from '../../src/engine/ownership.ts';
import type { JsonPatchOperation, KubeClient, ObjectRef } from '../../src/kube/client.ts';
import { isForbidden, isInvalid, isKindNotServed, isNotFound } from '../../src/kube/error.ts';
import { ownedAlone } from '../../src/kube/managed-fields.ts';
import { pointersForRemoval } from '../../src/kube/managed-places.ts';
import type { Freshness } from '../../src/kube/schemas.ts';
import type { Trouble } from '../../src/runtime/outcome.ts';
import { asEither } from '../inventory/either.ts';
import { contributionKey, identityOf } from '../inventory/ledger.ts';
import { DISCOVERY_LAG, LOOKED_FOR, locate, saysGone } from '../inventory/locate.ts';
import { UPDATE_MANAGER, withoutEntry } from '../inventory/retain.ts';
import { type ActingContext, printObject } from '../reconcile/context.ts';
import { UNANSWERED } from '../reconcile/memory.ts';
import { type LiveRecord, markKey } from '../watch/record.ts';
import { seen } from './live.ts';
import { explain } from './refusal.ts';
import { hasGone, isUidInvalid } from './uid.ts';

/** What came of a release. */
export type Release =
  | { readonly word: 'released' }
  /** Not known to be done, since a write got no answer or the kind's version went: looked for again in so many milliseconds. */
  | { readonly word: 'unproved'; readonly again: number; readonly trouble: Trouble }
  | { readonly word: 'refused'; readonly trouble: Trouble };

const RELEASED: Release = { word: 'released' };

/**
 * Gives up what a patch node contributed: an apply of the bare identity under its manager, on the object with the UID that was looked at
 * (graph.md 12.2), or of `otherwise` after a 403 (graph.md 12.4). Managers that are not this Graph's are left alone, whatever the status says (graph.md 12.6).
 */
export async function release(entry: Contribution, context: ActingContext, otherwise?: KubeClient): Promise<Release> {
  if (!entry.fieldManager.startsWith(patchManagerPrefix(context.graphUid))) return RELEASED;
  if (context.ledger.wasNeverContributed(entry)) return RELEASED;
  return releaseLocated(entry, context, otherwise, 'known');
}

async function releaseLocated(
  entry: Contribution,
  context: ActingContext,
  otherwise: KubeClient | undefined,
  least: Freshness,
): Promise<Release> {
  const identity = identityOf(entry);
  const located = await locate(entry, context, least);
  if (!('ref' in located))
    return located.word === 'unserved' ? RELEASED : refused(identity, 'the API server behind its group does not answer');
  const { ref } = located;
  try {
    return await asEither(context, otherwise, (acting) => releaseLive(entry, ref, acting));
  } catch (error) {
    if (saysGone(error, ref)) return RELEASED;
    // The version went, and the object lives on in another (graph.md 12.4); discovery may be late with that.
    if (isKindNotServed(error))
      return least === 'known' ? releaseLocated(entry, context, otherwise, 'current') : unproved(entry, DISCOVERY_LAG, LOOKED_FOR);
    if (isForbidden(error) && ref.namespace !== undefined && (await context.isNamespaceEnding(ref.namespace, 'now'))) return RELEASED;
    const { trouble } = explain(error, { user: context.applierUser, plural: ref.plural, identity, payload: undefined });
    return refused(identity, `release of "${entry.fieldManager}" refused: ${trouble.message}`);
  }
}

async function releaseLive(entry: Contribution, ref: ObjectRef, context: ActingContext): Promise<Release> {
  const record = await recordOf(entry, ref, context);
  if (!record.marks.has(markKey(entry.fieldManager, entry.subresource))) return notThere(entry, context);
  const { subresource } = entry;
  const bare: JsonObject = {
    apiVersion: ref.group === '' ? ref.version : `${ref.group}/${ref.version}`,
    kind: entry.kind,
    metadata: { name: ref.name, ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }), uid: record.uid },
  };
  try {
    const { object } = await context.applier.apply(ref, bare, {
      manager: entry.fieldManager,
      signal: context.signal,
      ...(subresource === undefined ? {} : { subresource }),
    });
    context.coverage.observe(ref, object.metadata, 'wrote');
  } catch (error) {
    if (await hasGone(error, { ref, uid: record.uid }, context)) return RELEASED;
    if (isNotFound(error)) {
      // The object is there: what is not found is its status, which is no subresource any more.
      if (subresource === undefined || !(await hasNoStatus(entry, ref, context))) return unproved(entry, DISCOVERY_LAG, LOOKED_FOR);
      await removeFields(entry, undefined, ref, context);
    } else if (isInvalid(error) && !isUidInvalid(error)) await removeFields(entry, subresource, ref, context);
    else throw error;
  }
  context.memory.unanswered.delete(contributionKey(entry));
  context.log.info({ ...printObject(identityOf(entry)), manager: entry.fieldManager }, 'released');
  return RELEASED;
}

/** An intent whose write got no answer stays until it is certain that it was not carried out (graph.md 12.1). */
function notThere(entry: Contribution, { memory, now }: ActingContext): Release {
  const at = memory.unanswered.get(contributionKey(entry));
  const again = at === undefined ? 0 : at + UNANSWERED - now();
  if (again <= 0) return RELEASED;
  return unproved(
    entry,
    again,
    'the write of its fields got no answer and may still be carried out: they are looked for until that is certain',
  );
}

/** The object as far as it is known; that nothing of ours is there is taken from the API server alone, since a watch may be late or its version gone. */
async function recordOf({ fieldManager, subresource }: Contribution, ref: ObjectRef, context: ActingContext): Promise<LiveRecord> {
  const known = await context.coverage.object(ref);
  if (known.isKnown && known.record?.marks.has(markKey(fieldManager, subresource))) return known.record;
  return seen(await context.applier.get(ref, { signal: context.signal })).record;
}

/** Whether the kind is served, but its status is no longer a subresource: then it is a field like any other. */
async function hasNoStatus({ kind }: Contribution, { group, version }: ObjectRef, { resolveKind }: ActingContext): Promise<boolean> {
  return (await resolveKind({ group, version, kind }))?.hasStatus === false;
}

/**
 * What cannot be applied away is taken away: our entry and what only it owned, in one JSON patch of this very version, through `subresource`
 * (graph.md 12.2).
 */
async function removeFields(entry: Contribution, subresource: string | undefined, ref: ObjectRef, context: ActingContext): Promise<void> {
  const live = await context.applier.get(ref, { signal: context.signal });
  const operations = withoutEntry(live, entry.fieldManager, entry.subresource ?? '');
  if (operations === undefined) return;
  const own = entryOf(live.metadata.managedFields, entry.fieldManager, entry.subresource);
  const others = (live.metadata.managedFields ?? []).filter((other) => other !== own).map(({ fieldsV1 }) => fieldsV1);
  const pointers = pointersForRemoval(live, ownedAlone(own?.fieldsV1, others));
  const removals = pointers.map((path): JsonPatchOperation => ({ op: 'remove', path }));
  const { object } = await context.applier.patch(
    ref,
    { type: 'json', body: [...operations, ...removals] },
    { fieldManager: UPDATE_MANAGER, signal: context.signal, ...(subresource === undefined ? {} : { subresource }) },
  );
  context.coverage.observe(ref, object.metadata, 'wrote');
}

function unproved(entry: Contribution, again: number, message: string): Release {
  return { word: 'unproved', again, trouble: { reason: 'WaitingForReadiness', identity: identityOf(entry), message } };
}

function refused(identity: Identity, message: string): Release {
  return { word: 'refused', trouble: { reason: 'ReleaseFailed', identity, message, mayHeal: true } };
}
