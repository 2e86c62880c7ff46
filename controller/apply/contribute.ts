import type { Contribution } from '../../src/api/graph.ts';
import { patchManager, patchManagerPrefix } from '../../src/api/names.ts';
import { type KubeObject, printIdentity } from '../../src/api/object.ts';
import type { PatchProgramNode } from '../../src/compiler/program.ts';
import { withSomebody } from '../../src/engine/hand-over.ts';
import { entryOf, hashOfManager, heldByOthers, isStaleOnly, type PatchConflict } from '../../src/engine/ownership.ts';
import { isUnchanged } from '../../src/engine/unchanged.ts';
import { ownsUnseen } from '../../src/engine/unseen.ts';
import { isWholeList } from '../../src/engine/whole-list.ts';
import { type ApiError, type FieldConflict, fieldConflicts, isFieldConflict, mayHaveRun } from '../../src/kube/error.ts';
import type { Trouble } from '../../src/runtime/outcome.ts';
import { contributionKey } from '../inventory/ledger.ts';
import { printObject, type ReconcileContext } from '../reconcile/context.ts';
import type { Rival } from '../reconcile/fights.ts';
import { type LiveRecord, markKey, markOf } from '../watch/record.ts';
import { nameOf, type ObjectItem } from './item.ts';
import { asJson, look, readLive, type Seen } from './live.ts';
import { explain, type Refused } from './refusal.ts';
import { isUidMismatch, withUid } from './uid.ts';

/** One contribution that should be, announced in the inventory. */
export interface PatchItem extends ObjectItem<PatchProgramNode> {
  readonly subresource: 'status' | undefined;
}

/** What came of a contribution. */
export type Contributed = { readonly word: 'applied' | 'unchanged' } | Refused;

/** The inventory's entry of a contribution. */
export function contributionOf(
  { node, target, subresource }: Pick<PatchItem, 'node' | 'target' | 'subresource'>,
  graphUid: string,
): Contribution {
  return {
    ...nameOf(target),
    fieldManager: patchManager(graphUid, node.path),
    ...(subresource === undefined ? {} : { subresource }),
  };
}

const ATTEMPTS = 3;

/**
 * Gives one patch node's fields to an object that exists, and never creates it (graph.md 10). Other owners of a field keep it, but for
 * managers of patch nodes that this Graph no longer has and for what is kept for nobody; status is taken, except from another Graph's patch
 * and from lists owned whole.
 */
export async function contribute(item: PatchItem, context: ReconcileContext): Promise<Contributed> {
  const { node, target } = item;
  context.assertWanted();
  const work: Work = { item, context, entry: contributionOf(item, context.graphUid), rival: undefined };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const live = await look({ target, payload: node.payload, isFresh: attempt > 0 }, context);
    if ('trouble' in live) return live;
    // A contribution that must wait is woken also by what the Graph itself does to the object, such as the release of another one.
    context.coverage.dealt(target.ref, item.answerKey, live.word === 'seen' ? live.record.resourceVersion : '');
    if (live.word === 'absent')
      return soft({ reason: 'DataPending', identity: target.identity, message: 'does not exist: a patch waits for its target' });
    if (live.record.isDeleting)
      return soft({ reason: 'DataPending', identity: target.identity, message: 'is being deleted: a patch waits for its target' });
    if (await isSettled(live, work)) return settle(work, live.record);
    const done = await write(live, work, 'unforced');
    if (done !== undefined) return done;
  }
  return soft({ reason: 'DataPending', identity: target.identity, message: 'is deleted and made again at the same moment' });
}

interface Work {
  readonly item: PatchItem;
  readonly context: ReconcileContext;
  readonly entry: Contribution;
  /** Whose field had to be taken. */
  rival: Rival | undefined;
}

/** Whether the fields are there already, by what is remembered, else by the live object itself. */
async function isSettled({ record, object }: Seen, { item, context, entry }: Work): Promise<boolean> {
  if (context.mustApply) return false;
  const mark = record.marks.get(markKey(entry.fieldManager, item.subresource));
  if (mark === undefined) return false;
  const former = context.memory.answers.get(item.answerKey);
  if (former !== undefined) {
    const isProof = !former.ownsUnseen || former.resourceVersion === record.resourceVersion;
    return isProof && former.digest === item.digest && former.uid === record.uid && former.mark === mark;
  }
  const live = object ?? (await liveOf(item, context));
  if (live === undefined || live.metadata.uid !== record.uid) return false;
  return isUnchanged(item.manifest, asJson(live), entryOf(live.metadata.managedFields, entry.fieldManager, item.subresource));
}

async function liveOf({ target, node }: PatchItem, context: ReconcileContext): Promise<KubeObject | undefined> {
  const live = await readLive(target, node.payload, context);
  return live.word === 'seen' ? live.object : undefined;
}

function settle({ item, context, entry }: Work, record: LiveRecord): Contributed {
  const mark = record.marks.get(markKey(entry.fieldManager, item.subresource));
  const { uid, resourceVersion } = record;
  // The live object showed all that is owned, or this is the version of the last answer.
  const hides = context.memory.answers.get(item.answerKey)?.ownsUnseen ?? false;
  context.memory.answers.set(item.answerKey, { uid, resourceVersion, digest: item.digest, mark, ownsUnseen: hides, object: undefined });
  context.coverage.dealt(item.target.ref, item.answerKey, resourceVersion);
  context.ledger.contributed(entry);
  context.memory.unanswered.delete(contributionKey(entry));
  return { word: 'unchanged' };
}

/** Undefined: the target is not what was looked at; look again. */
async function write(live: Seen, work: Work, how: 'unforced' | 'forced'): Promise<Contributed | undefined> {
  const { item, context, entry } = work;
  const { ref, identity } = item.target;
  const { record } = live;
  context.ledger.contributionSent(entry);
  context.findings.made.contribution(entry);
  try {
    const { object } = await context.applier.apply(ref, withUid(item.manifest, record.uid), {
      manager: entry.fieldManager,
      signal: context.signal,
      force: how === 'forced',
      ...(item.subresource === undefined ? {} : { subresource: item.subresource }),
    });
    const hasChanged = object.metadata.resourceVersion !== record.resourceVersion;
    const former = context.memory.answers.get(item.answerKey);
    if (hasChanged) context.findings.writes++;
    else context.findings.made.noContribution(entry);
    const deed = former?.digest === item.digest ? 'restored' : 'changed';
    if (hasChanged) context.fights.wrote({ object: printIdentity(identity), deed, now: context.began, rival: work.rival });
    context.coverage.observe(ref, object.metadata, item.answerKey);
    const { uid = '', resourceVersion = '' } = object.metadata;
    const mark = markOf(object.metadata.managedFields, entry.fieldManager, item.subresource);
    const owned = entryOf(object.metadata.managedFields, entry.fieldManager, item.subresource);
    const hides = ownsUnseen(item.manifest, asJson(object), owned);
    context.memory.answers.set(item.answerKey, { uid, resourceVersion, digest: item.digest, mark, ownsUnseen: hides, object: undefined });
    context.ledger.contributed(entry);
    context.memory.unanswered.delete(contributionKey(entry));
    context.log.debug(printObject(identity, item.node.path), 'contributed');
    return { word: hasChanged ? 'applied' : 'unchanged' };
  } catch (error) {
    if (mayHaveRun(error)) context.memory.unanswered.set(contributionKey(entry), context.now());
    else {
      context.ledger.contributionRefused(entry);
      context.findings.made.noContribution(entry);
    }
    if (isFieldConflict(error)) return how === 'forced' ? soft(conflict(fieldConflicts(error), work)) : overrule(live, error, work);
    if (isUidMismatch(error)) return undefined;
    return explain(error, { user: context.applierUser, plural: ref.plural, identity, payload: item.node.payload });
  }
}

async function overrule(live: Seen, error: ApiError, work: Work): Promise<Contributed | undefined> {
  const { item, context } = work;
  const conflicts = withSomebody(fieldConflicts(error));
  const [first] = conflicts;
  if (first === undefined) return write(live, work, 'forced');
  work.rival = { field: first.field, manager: first.manager };
  const judged: PatchConflict = { conflicts, ownPrefix: patchManagerPrefix(context.graphUid), current: currentManagers(context) };
  if (item.subresource === undefined) return isStaleOnly(judged) ? write(live, work, 'forced') : soft(conflict(conflicts, work));
  const hashes = conflicts.map(({ manager }) => hashOfManager(manager)).filter((hash) => hash !== undefined);
  const alive = await context.aliveGraphs(hashes);
  const held = heldByOthers(
    judged,
    (field) => isWholeList(item.manifest, field),
    (hash) => alive.has(hash),
  );
  return held.length === 0 ? write(live, work, 'forced') : soft(conflict(held, work));
}

function conflict(conflicts: readonly FieldConflict[], { item }: Work): Trouble {
  const owners = new Map<string, string[]>();
  for (const { manager, field } of conflicts) owners.set(manager, [...(owners.get(manager) ?? []), field]);
  const message = [...owners].map(([manager, fields]) => `${fields.join(', ')} owned by "${manager}"`).join('; ');
  return { reason: 'FieldManagerConflict', identity: item.target.identity, message: `conflict: ${message}` };
}

/** The managers of all patch nodes of the Graph as it is now. */
function currentManagers({ program, graphUid }: ReconcileContext): ReadonlySet<string> {
  return new Set(program.nodes.filter(({ kind }) => kind === 'patch').map(({ path }) => patchManager(graphUid, path)));
}

function soft(trouble: Trouble): Refused {
  return { word: 'waiting', isInvalid: false, trouble };
}
