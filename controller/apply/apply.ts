import type { ManagedResource } from '../../src/api/graph.ts';
import { ANNOTATION_ADOPT, LABEL_APPLYSET_PART_OF, printNodePath, TEMPLATE_MANAGER_PREFIX } from '../../src/api/names.ts';
import { identityKey, type JsonObject, type KubeObject, printIdentity } from '../../src/api/object.ts';
import type { TemplateProgramNode } from '../../src/compiler/program.ts';
import { entryOf } from '../../src/engine/ownership.ts';
import type { ObjectTarget } from '../../src/engine/target.ts';
import { isUnchanged } from '../../src/engine/unchanged.ts';
import type { Written } from '../../src/kube/client.ts';
import { type FieldConflict, fieldConflicts, isConflict, isFieldConflict, isNotFound, mayHaveRun } from '../../src/kube/error.ts';
import type { Trouble } from '../../src/runtime/outcome.ts';
import { printObject, type ReconcileContext } from '../reconcile/context.ts';
import type { Rival } from '../reconcile/fights.ts';
import { ANSWERED, type Answer } from '../reconcile/memory.ts';
import { type LiveRecord, markKey, markOf } from '../watch/record.ts';
import { asJson, digestOf, look, type Seen, seen } from './live.ts';
import { explain, type Refused } from './refusal.ts';
import { isYounger, type KnownGraph, rivalGraphs, takenBy } from './rivals.ts';
import { isUidMismatch, withUid } from './uid.ts';

/** One template object that should be, announced in the inventory. */
export interface TemplateItem {
  readonly node: TemplateProgramNode;
  readonly target: ObjectTarget;
  /** Stamped and with its namespace: what is sent. */
  readonly manifest: JsonObject;
}

/** What came of an item; `object` is there if somebody reads it. */
export type Applied =
  | { readonly word: 'applied' | 'unchanged'; readonly object: KubeObject | undefined }
  /** `live`: what is there in spite of the refusal, so that an item may keep it. */
  | (Refused & { readonly isByServer: boolean; readonly live: LiveRecord | undefined });

/** Looks at the object that many times before it gives up for now: others keep changing it. */
const ATTEMPTS = 4;

/** Whether something has become of an object since this process found or made it, as far as its watch tells without waiting. */
export function hasMoved(item: TemplateItem, context: ReconcileContext): boolean {
  const known = context.coverage.objectNow(item.target.ref);
  const former = context.memory.answers.get(answerKey(item));
  return former?.resourceVersion !== known?.resourceVersion || former?.uid !== known?.uid;
}

/**
 * The object is as it was found or made by this process, at the same version, and what is wanted of it is the same: known at once, so that a
 * walk costs little more than what has changed. Undefined: `applyTemplate` must look.
 */
export function settledAtOnce(item: TemplateItem, context: ReconcileContext): Applied | undefined {
  if (context.mustApply || hasMoved(item, context)) return undefined;
  const former = context.memory.answers.get(answerKey(item));
  if (former === undefined) return undefined;
  if (context.isRead(item.node) && (former.object === undefined || !context.coverage.mayGet(item.target.ref))) return undefined;
  return former.digest === digestOf(item.manifest) ? settle(item, context, former) : undefined;
}

/**
 * Brings one object to its manifest (graph.md 9): nothing if nothing would change; else an unforced apply, forced only where every conflicting
 * owner is no other Graph's template, and then only on the version that was looked at.
 */
export async function applyTemplate(item: TemplateItem, context: ReconcileContext): Promise<Applied> {
  const { node, target } = item;
  const work: Work = {
    item,
    context,
    manager: context.memory.manager,
    digest: digestOf(item.manifest),
    mayForce: false,
    rival: undefined,
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const live = await look({ target, payload: node.payload, isFresh: attempt > 0 }, context);
    if ('trouble' in live) return { ...live, isByServer: false, live: undefined };
    const found = live.word === 'absent' ? undefined : live;
    const obstacle = found === undefined ? undefined : await obstacleOf(found, work);
    if (obstacle !== undefined) return { ...obstacle, isByServer: false, live: found?.record };
    const settled = found === undefined ? undefined : await settledAs(found, work);
    if (settled !== undefined) return settled;
    const done = await write(found, work);
    if (done !== undefined) return done;
  }
  return {
    ...soft({ reason: 'ApplyFailed', identity: target.identity, message: 'others keep changing it at the same moment' }),
    isByServer: false,
    live: undefined,
  };
}

interface Work {
  readonly item: TemplateItem;
  readonly context: ReconcileContext;
  readonly manager: string;
  readonly digest: string;
  /** A conflict was found to be with owners that may be overruled. */
  mayForce: boolean;
  rival: Rival | undefined;
}

/** The key of an item's answer in memory. */
export function answerKey({
  node,
  target,
}: Pick<TemplateItem, 'target'> & { readonly node: { readonly path: readonly string[] } }): string {
  return `${printNodePath(node.path)}\n${identityKey(target.identity)}`;
}

/** The inventory's entry of an item. */
export function entryOfItem({ node, target }: Pick<TemplateItem, 'node' | 'target'>): ManagedResource {
  const { namespace, name } = target.ref;
  return {
    apiVersion: target.apiVersion,
    kind: target.identity.kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    nodeID: printNodePath(node.path),
    wave: node.wave,
  };
}

async function obstacleOf(found: Seen, work: Work): Promise<Refused | undefined> {
  const { item, context, manager } = work;
  const { record } = found;
  const { identity } = item.target;
  if (record.isDeleting)
    return soft({ reason: 'WaitingForReadiness', identity, message: 'is being deleted: it is made again when it is gone' });
  const rivals = await rivalGraphs(record.managers, manager, context);
  const isOwner = record.marks.has(markKey(manager, undefined));
  if (rivals.length > 0 && isOwner) return isOldest(rivals, context) ? undefined : giveWay(record.uid, rivals, work);
  if (rivals.length > 0) return soft(takenBy(rivals, identity));
  if (isOurs(record, manager) || context.ledger.uidOf(identity) === record.uid) return undefined;
  if (record.isPartOfApplySet)
    return hard({ reason: 'ApplyFailed', identity, message: `exists and belongs to another tool (label ${LABEL_APPLYSET_PART_OF})` });
  if (annotation(item.manifest, ANNOTATION_ADOPT) === 'never')
    return hard({ reason: 'ApplyFailed', identity, message: `exists already, and ${ANNOTATION_ADOPT}: never forbids to take it over` });
  return undefined;
}

/** Ours, or an object of a Graph that no longer exists, such as this one before it was restored from a backup. */
function isOurs({ managers }: LiveRecord, manager: string): boolean {
  return managers.some((name) => name === manager || name.startsWith(TEMPLATE_MANAGER_PREFIX));
}

/** The object is as it should be: nothing is written. Undefined: it is not, or that is not certain. */
async function settledAs(found: Seen, work: Work): Promise<Applied | undefined> {
  const { item, context, manager, digest } = work;
  if (context.mustApply) return undefined;
  const mark = found.record.marks.get(markKey(manager, undefined));
  if (mark === undefined) return undefined;
  const former = context.memory.answers.get(answerKey(item));
  if (former === undefined) return settledByComparison(found, work);
  if (former.digest !== digest || former.uid !== found.record.uid || former.mark !== mark) return undefined;
  if (!context.isRead(item.node)) return settle(item, context, { ...former, resourceVersion: found.record.resourceVersion });
  if (found.object !== undefined) return settle(item, context, answerOf(found.object, work));
  const isCurrent = former.object !== undefined && former.resourceVersion === found.record.resourceVersion;
  if (isCurrent && (await mayGet(work))) return settle(item, context, former);
  return settledByReading(found, work, mark);
}

/** Its value may have changed in fields that are not ours. */
async function settledByReading(found: Seen, work: Work, mark: string): Promise<Applied | undefined> {
  const object = await read(found, work);
  if (object === undefined || !('metadata' in object)) return object;
  const isSame = object.metadata.uid === found.record.uid && markOf(object.metadata.managedFields, work.manager, undefined) === mark;
  return isSame && object.metadata.deletionTimestamp === undefined ? settle(work.item, work.context, answerOf(object, work)) : undefined;
}

/** After a start nothing is remembered: the live object itself tells whether an apply would change anything. */
async function settledByComparison(found: Seen, work: Work): Promise<Applied | undefined> {
  const { item, context, manager } = work;
  const object = found.object ?? (await read(found, work));
  if (object === undefined || !('metadata' in object)) return object;
  if (object.metadata.deletionTimestamp !== undefined) return undefined;
  const entry = entryOf(object.metadata.managedFields, manager, undefined);
  return isUnchanged(item.manifest, asJson(object), entry) ? settle(item, context, answerOf(object, work)) : undefined;
}

async function read(found: Seen, { item, context }: Work): Promise<KubeObject | Applied | undefined> {
  const { ref, identity } = item.target;
  try {
    const object = await context.reader.read(ref, found.record.resourceVersion);
    context.coverage.observe(ref, object.metadata, 'wrote');
    return object;
  } catch (error) {
    // Gone meanwhile, or an applier that may write but not read: an apply gives an answer.
    if (isNotFound(error)) return undefined;
    const refused = explain(error, { user: context.applierUser, plural: ref.plural, identity, payload: item.node.payload });
    return refused.word === 'failed' ? undefined : { ...refused, isByServer: false, live: found.record };
  }
}

async function mayGet({ item, context }: Work): Promise<boolean> {
  const { group, plural, namespace } = item.target.ref;
  return context.access.can(context.applierUser, { verb: 'get', group, plural, namespace }, context.signal);
}

function answerOf(object: KubeObject, { item, context, manager, digest }: Work): Answer {
  return {
    uid: object.metadata.uid ?? '',
    resourceVersion: object.metadata.resourceVersion ?? '',
    digest,
    mark: markOf(object.metadata.managedFields, manager, undefined),
    object: context.isRead(item.node) ? object : undefined,
  };
}

function settle(item: TemplateItem, context: ReconcileContext, answer: Answer): Applied {
  context.memory.answers.set(answerKey(item), answer);
  context.coverage.dealt(item.target.ref, 'wrote', answer.resourceVersion);
  record(item, context, answer.uid);
  return { word: 'unchanged', object: answer.object };
}

function record(item: TemplateItem, context: ReconcileContext, uid: string): void {
  context.ledger.applied({ ...entryOfItem(item), uid });
  context.findings.uids.add(uid);
}

/**
 * Writes. Undefined: what was looked at is no longer so; look again. An update names the UID, so that it never creates; a creation is announced as
 * an intent, even of an object that the inventory knew under another UID: whoever tears the Graph down meanwhile looks for it (graph.md 8.5).
 */
async function write(found: Seen | undefined, work: Work): Promise<Applied | undefined> {
  const { item, context, manager } = work;
  const { ref, identity } = item.target;
  const version = found?.record.resourceVersion;
  const isForced = work.mayForce && version !== undefined;
  const isAnew = found === undefined && context.ledger.intendAnew(entryOfItem(item));
  if (isAnew) await context.announce([], []);
  context.ledger.sent(identity);
  const isFirst = context.ledger.uidOf(identity) === undefined;
  if (isFirst) context.findings.made.object(entryOfItem(item));
  const key = identityKey(identity);
  // Every write before this one was answered: if this one is refused, one look tells for certain that there is nothing.
  const isCertain = isAnew || context.memory.unproved.get(key) === ANSWERED;
  context.memory.unproved.delete(key);
  const manifest = found === undefined ? item.manifest : withUid(item.manifest, found.record.uid);
  try {
    const written = await context.applier.apply(ref, manifest, {
      manager,
      signal: context.signal,
      ...(isForced ? { force: true, resourceVersion: version } : {}),
    });
    if (isFirst) context.findings.made.object({ ...entryOfItem(item), uid: written.object.metadata.uid ?? '' });
    return await recordWritten(found, written, work);
  } catch (error) {
    if (!mayHaveRun(error)) {
      context.ledger.refused(identity);
      context.findings.made.noObject(entryOfItem(item));
      if (isCertain) context.memory.unproved.set(key, ANSWERED);
    }
    if (isFieldConflict(error)) return overrule(fieldConflicts(error), found, work);
    if (found !== undefined && isUidMismatch(error)) return undefined;
    const refused = explain(error, { user: context.applierUser, plural: ref.plural, identity, payload: item.node.payload });
    return { ...refused, isByServer: true, live: found?.record };
  }
}

/** Others own fields that we want: by right, if one is another Graph; else it is drift, and taken back. */
async function overrule(conflicts: readonly FieldConflict[], found: Seen | undefined, work: Work): Promise<Applied | undefined> {
  const { item, context, manager } = work;
  const managers = conflicts.map((conflict) => conflict.manager);
  const rivals = await rivalGraphs(managers, manager, context);
  if (rivals.length > 0) return { ...soft(takenBy(rivals, item.target.identity)), isByServer: false, live: found?.record };
  const [first] = conflicts;
  if (first !== undefined) work.rival = { field: first.field, manager: first.manager };
  work.mayForce = true;
  // Without a version that was looked at, the next round looks first.
  return found === undefined ? undefined : write(found, work);
}

async function recordWritten(found: Seen | undefined, { object, isCreated }: Written, work: Work): Promise<Applied> {
  const { item, context, manager } = work;
  const { ref, identity } = item.target;
  const rivals = isCreated ? [] : await rivalGraphs(seen(object).record.managers, manager, context);
  if (rivals.length > 0 && !isOldest(rivals, context)) {
    context.coverage.observe(ref, object.metadata, 'wrote');
    return { ...(await giveWay(object.metadata.uid ?? '', rivals, work)), isByServer: false, live: undefined };
  }
  context.coverage.observe(ref, object.metadata, 'wrote');
  const wasKnown = context.ledger.uidOf(identity) === object.metadata.uid;
  const former = context.memory.answers.get(answerKey(item));
  const answer = answerOf(object, work);
  context.memory.answers.set(answerKey(item), answer);
  record(item, context, answer.uid);
  const hasChanged = object.metadata.resourceVersion !== found?.record.resourceVersion;
  if (hasChanged) context.findings.writes++;
  if (hasChanged && former?.digest === work.digest) context.fights.wrote(printIdentity(identity), context.began, work.rival);
  const before = found?.record.managers ?? seen(object).record.managers.filter((name) => name !== manager);
  if (!isCreated && !wasKnown && !before.some((name) => name === manager || name.startsWith(TEMPLATE_MANAGER_PREFIX)))
    context.tell('Normal', 'Adopted', `took over ${printIdentity(identity)}, managed by ${before.join(', ') || 'nobody'} before`);
  context.log.debug({ ...printObject(identity, item.node.path), isCreated, isForced: work.mayForce }, 'applied');
  return { word: hasChanged ? 'applied' : 'unchanged', object: context.isRead(item.node) ? object : undefined };
}

/** Of Graphs that own one object, the oldest keeps it. */
function isOldest(rivals: readonly KnownGraph[], { graph, graphUid, key }: ReconcileContext): boolean {
  const self = { name: key, uid: graphUid, creationTimestamp: graph.metadata.creationTimestamp ?? '' };
  return rivals.every((rival) => isYounger(rival, self));
}

/** Several Graphs became owners at the same moment, and this is not the oldest: it gives up what it has written (graph.md 9). */
async function giveWay(uid: string, rivals: readonly KnownGraph[], { item, context, manager }: Work): Promise<Refused> {
  const { ref, identity, apiVersion } = item.target;
  const place = ref.namespace === undefined ? {} : { namespace: ref.namespace };
  const bare: JsonObject = { apiVersion, kind: identity.kind, metadata: { name: ref.name, ...place, uid } };
  try {
    const { object: released } = await context.applier.apply(ref, bare, { manager, signal: context.signal });
    context.coverage.observe(ref, released.metadata, 'wrote');
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error))
      return explain(error, { user: context.applierUser, plural: ref.plural, identity, payload: item.node.payload });
  }
  context.memory.answers.delete(answerKey(item));
  context.findings.made.noObject(entryOfItem(item));
  context.ledger.givenUp(entryOfItem(item));
  return soft(takenBy(rivals, identity));
}

function annotation(manifest: JsonObject, name: string): unknown {
  const { metadata } = manifest;
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  return isObject(annotations) ? annotations[name] : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function soft(trouble: Trouble): Refused {
  return { word: 'waiting', isInvalid: false, trouble };
}

function hard(trouble: Trouble): Refused {
  return { word: 'failed', isInvalid: false, trouble };
}
