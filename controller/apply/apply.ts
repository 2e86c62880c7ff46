import { TEMPLATE_MANAGER_PREFIX } from '../../src/api/names.ts';
import { printIdentity } from '../../src/api/object.ts';
import { withSomebody } from '../../src/engine/hand-over.ts';
import type { Written } from '../../src/kube/client.ts';
import { type FieldConflict, fieldConflicts, isFieldConflict, mayHaveRun } from '../../src/kube/error.ts';
import type { Trouble } from '../../src/runtime/outcome.ts';
import { printObject, type ReconcileContext } from '../reconcile/context.ts';
import { ANSWERED } from '../reconcile/memory.ts';
import { giveWay, isOldest } from './give-way.ts';
import { type Applied, answerOf, entryOfItem, record, type TemplateItem, type Work } from './item.ts';
import { look, type Seen, seen } from './live.ts';
import { obstacleOf } from './obstacle.ts';
import { explain, type Refused } from './refusal.ts';
import { rivalGraphs, takenBy } from './rivals.ts';
import { settledAs } from './settled.ts';
import { takeBack } from './take-back.ts';
import { isUidMismatch, withUid } from './uid.ts';

/** Looks at the object that many times before it gives up for now: others keep changing it. */
const ATTEMPTS = 4;

/**
 * Brings one object to its manifest (graph.md 9): nothing if nothing would change; else an unforced apply, forced only where every conflicting
 * owner is no other Graph's template, and then only on the version that was looked at.
 */
export async function applyTemplate(item: TemplateItem, context: ReconcileContext): Promise<Applied> {
  const { node, target } = item;
  const work: Work = { item, context, manager: context.memory.manager, mayForce: false, rival: undefined };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const live = await look({ target, payload: node.payload, isFresh: attempt > 0 }, context);
    if ('trouble' in live) return { ...live, isByServer: false, live: undefined };
    const found = live.word === 'absent' ? undefined : live;
    // Whatever comes of it, this version is dealt with, and what becomes of the object in this turn is news.
    context.coverage.dealt(target.ref, item.answerKey, found?.record.resourceVersion ?? '');
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

/**
 * Writes. Undefined: what was looked at is no longer so; look again. An update names the UID, so that it never creates; what the inventory knows
 * under another UID, if at all, is announced as an intent: whoever tears the Graph down meanwhile looks for it (graph.md 8.5).
 */
async function write(found: Seen | undefined, work: Work): Promise<Applied | undefined> {
  const { item, context, manager } = work;
  const { ref, identity } = item.target;
  const version = found?.record.resourceVersion;
  const isForced = work.mayForce && version !== undefined;
  // Also where others have made one meanwhile: by the UID of the object before it, nobody would ever find that one again.
  const isAnew = context.ledger.uidOf(identity) !== found?.record.uid && context.ledger.intendAnew(entryOfItem(item));
  // Every write before this one was answered: once this one is, too, or is not sent, one look tells for certain that there is nothing.
  const isCertain = isAnew || context.memory.unproved.get(item.key) === ANSWERED || context.ledger.wasNeverSent(entryOfItem(item));
  if (isCertain) context.memory.unproved.set(item.key, ANSWERED);
  if (isAnew) await context.announce([], []);
  context.ledger.sent(identity);
  const isFirst = context.ledger.uidOf(identity) === undefined;
  if (isFirst) context.findings.made.object(entryOfItem(item));
  context.memory.unproved.delete(item.key);
  const manifest = found === undefined ? item.manifest : withUid(item.manifest, found.record.uid);
  let written: Written;
  try {
    written = await context.applier.apply(ref, manifest, {
      manager,
      signal: context.signal,
      ...(isForced ? { force: true, resourceVersion: version } : {}),
    });
  } catch (error) {
    if (!mayHaveRun(error)) {
      context.ledger.refused(identity);
      context.findings.made.noObject(entryOfItem(item));
      if (isCertain) context.memory.unproved.set(item.key, ANSWERED);
    }
    if (isFieldConflict(error)) return overrule(withSomebody(fieldConflicts(error)), found, work);
    if (found !== undefined && isUidMismatch(error)) return undefined;
    const refused = explain(error, { user: context.applierUser, plural: ref.plural, identity, payload: item.node.payload });
    return { ...refused, isByServer: true, live: found?.record };
  }
  if (isCertain) context.memory.unproved.set(item.key, ANSWERED);
  if (isFirst) context.findings.made.object({ ...entryOfItem(item), uid: written.object.metadata.uid ?? '' });
  return recordWritten(found, written, work);
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

async function recordWritten(found: Seen | undefined, { object: written, isCreated }: Written, work: Work): Promise<Applied> {
  const { item, context, manager } = work;
  const { ref, identity } = item.target;
  const { uid = '' } = written.metadata;
  const rivals = isCreated ? [] : await rivalGraphs(seen(written).record.managers, manager, context);
  context.coverage.observe(ref, written.metadata, item.answerKey);
  if (rivals.length > 0 && !isOldest(rivals, context)) return { ...(await giveWay(uid, rivals, work)), isByServer: false, live: undefined };
  const wasKnown = context.ledger.uidOf(identity) === uid;
  record(item, context, uid);
  if (!isCreated && !wasKnown)
    tellAdoption(found?.record.managers ?? seen(written).record.managers.filter((name) => name !== manager), work);
  const former = context.memory.answers.get(item.answerKey);
  const taken = await takeBack(written, work);
  if (taken.word !== 'taken') {
    // Nothing is remembered of it, so that the next look compares it anew, and finds what is still kept.
    context.memory.answers.delete(item.answerKey);
    return { ...taken, isByServer: true, live: seen(written).record };
  }
  const { object } = taken;
  context.memory.answers.set(item.answerKey, answerOf(object, work));
  const hasChanged = object.metadata.resourceVersion !== found?.record.resourceVersion;
  if (hasChanged) context.findings.writes++;
  const deed = former?.digest === item.digest ? 'restored' : 'changed';
  if (hasChanged) context.fights.wrote({ object: printIdentity(identity), deed, now: context.began, rival: work.rival });
  context.log.debug({ ...printObject(identity, item.node.path), isCreated, isForced: work.mayForce }, 'applied');
  return { word: hasChanged ? 'applied' : 'unchanged', object: context.isRead(item.node) ? object : undefined };
}

/** An object that was there before, and was no Graph's. */
function tellAdoption(before: readonly string[], { item, context, manager }: Work): void {
  if (before.some((name) => name === manager || name.startsWith(TEMPLATE_MANAGER_PREFIX))) return;
  context.tell('Normal', 'Adopted', `took over ${printIdentity(item.target.identity)}, managed by ${before.join(', ') || 'nobody'} before`);
}

function soft(trouble: Trouble): Refused {
  return { word: 'waiting', isInvalid: false, trouble };
}
