import { ANNOTATION_ADOPT, LABEL_APPLYSET_PART_OF, TEMPLATE_MANAGER_PREFIX } from '../../src/api/names.ts';
import type { JsonObject } from '../../src/api/object.ts';
import type { Trouble } from '../../src/runtime/outcome.ts';
import { type LiveRecord, markKey } from '../watch/record.ts';
import { giveWay, isOldest } from './give-way.ts';
import type { Work } from './item.ts';
import type { Seen } from './live.ts';
import type { Refused } from './refusal.ts';
import { rivalGraphs, takenBy } from './rivals.ts';

/** Why an object that is there may not be written: it goes, is another Graph's, or may not be taken over (graph.md 9); undefined: it may. */
export async function obstacleOf(found: Seen, work: Work): Promise<Refused | undefined> {
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
