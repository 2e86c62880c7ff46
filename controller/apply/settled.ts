import type { KubeObject } from '../../src/api/object.ts';
import { takenBack } from '../../src/engine/hand-over.ts';
import { entryOf } from '../../src/engine/ownership.ts';
import { isUnchanged } from '../../src/engine/unchanged.ts';
import { isNotFound } from '../../src/kube/error.ts';
import type { ReconcileContext } from '../reconcile/context.ts';
import type { Answer } from '../reconcile/memory.ts';
import { markKey, markOf } from '../watch/record.ts';
import { type Applied, answerOf, record, type TemplateItem, type Work } from './item.ts';
import { asJson, type Seen } from './live.ts';
import { explain } from './refusal.ts';

/** Whether something has become of an object since this process found or made it, as far as its watch tells without waiting. */
export function hasMoved(item: TemplateItem, context: ReconcileContext): boolean {
  const known = context.coverage.objectNow(item.target.ref);
  const former = context.memory.answers.get(item.answerKey);
  return former?.resourceVersion !== known?.resourceVersion || former?.uid !== known?.uid;
}

/**
 * The object is as it was found or made by this process, at the same version, and what is wanted of it is the same: known at once, so that a
 * walk costs little more than what has changed. Only for one that has not moved. Undefined: `applyTemplate` must look.
 */
export function settledAtOnce(item: TemplateItem, context: ReconcileContext): Applied | undefined {
  if (context.mustApply) return undefined;
  const former = context.memory.answers.get(item.answerKey);
  if (former === undefined) return undefined;
  if (context.isRead(item.node) && (former.object === undefined || !context.coverage.mayGet(item.target.ref))) return undefined;
  return former.digest === item.digest ? settle(item, context, former) : undefined;
}

/** The object is as it should be: nothing is written. Undefined: it is not, or that is not certain. */
export async function settledAs(found: Seen, work: Work): Promise<Applied | undefined> {
  const { item, context, manager } = work;
  if (context.mustApply) return undefined;
  const mark = found.record.marks.get(markKey(manager, undefined));
  if (mark === undefined) return undefined;
  const former = context.memory.answers.get(item.answerKey);
  if (former === undefined) return settledByComparison(found, work);
  if (former.digest !== item.digest || former.uid !== found.record.uid || former.mark !== mark) return undefined;
  if (former.ownsUnseen && former.resourceVersion !== found.record.resourceVersion) return undefined;
  if (!context.isRead(item.node)) return settle(item, context, { ...former, resourceVersion: found.record.resourceVersion });
  if (found.object !== undefined) return settle(item, context, answerOf(found.object, work));
  const isCurrent = former.object !== undefined && former.resourceVersion === found.record.resourceVersion;
  if (isCurrent && context.coverage.mayGet(item.target.ref)) return settle(item, context, former);
  return settledByReading(found, work, former);
}

/** Its value may have changed in fields that are not ours. */
async function settledByReading(found: Seen, work: Work, former: Answer): Promise<Applied | undefined> {
  const object = await read(found, work);
  if (object === undefined || !('metadata' in object)) return object;
  const { uid, resourceVersion, managedFields } = object.metadata;
  if (former.ownsUnseen && former.resourceVersion !== resourceVersion) return undefined;
  const isSame = uid === found.record.uid && markOf(managedFields, work.manager, undefined) === former.mark;
  return isSame && object.metadata.deletionTimestamp === undefined ? settle(work.item, work.context, answerOf(object, work)) : undefined;
}

/** After a start nothing is remembered: the live object itself tells whether an apply would change anything. */
async function settledByComparison(found: Seen, work: Work): Promise<Applied | undefined> {
  const { item, context, manager } = work;
  const object = found.object ?? (await read(found, work));
  if (object === undefined || !('metadata' in object)) return object;
  if (object.metadata.deletionTimestamp !== undefined) return undefined;
  // A crash came between the apply that took over a retained object and the end of its former ownership: an apply ends it.
  if (takenBack(object.metadata.managedFields ?? [], manager) !== undefined) return undefined;
  const entry = entryOf(object.metadata.managedFields, manager, undefined);
  return isUnchanged(item.manifest, asJson(object), entry) ? settle(item, context, answerOf(object, work)) : undefined;
}

async function read(found: Seen, { item, context }: Work): Promise<KubeObject | Applied | undefined> {
  const { ref, identity } = item.target;
  try {
    const object = await context.reader.read(ref, found.record.resourceVersion);
    context.coverage.observe(ref, object.metadata, item.answerKey);
    return object;
  } catch (error) {
    // Gone meanwhile, or an applier that may write but not read: an apply gives an answer.
    if (isNotFound(error)) return undefined;
    const refused = explain(error, { user: context.applierUser, plural: ref.plural, identity, payload: item.node.payload });
    return refused.word === 'failed' ? undefined : { ...refused, isByServer: false, live: found.record };
  }
}

function settle(item: TemplateItem, context: ReconcileContext, answer: Answer): Applied {
  context.memory.answers.set(item.answerKey, answer);
  context.coverage.dealt(item.target.ref, item.answerKey, answer.resourceVersion);
  record(item, context, answer.uid);
  return { word: 'unchanged', object: answer.object };
}
