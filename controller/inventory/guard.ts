import { createHash } from 'node:crypto';
import type { ManagedResource } from '../../src/api/graph.ts';
import { ANNOTATION_CONFIRM_PRUNE, ANNOTATION_MAX_PRUNE } from '../../src/api/names.ts';
import { identityKey, printIdentity } from '../../src/api/object.ts';
import { ApiError } from '../../src/kube/error.ts';
import type { Trouble } from '../../src/runtime/outcome.ts';
import type { ReconcileContext } from '../reconcile/context.ts';
import type { Finding } from '../status/summary.ts';
import { identityOf } from './ledger.ts';
import { findLive, locate, saysGone } from './locate.ts';

/** A guard that people set: too many deletions at once wait for a word (graph.md 12.9). */
export async function heldBack(doomed: readonly ManagedResource[], context: ReconcileContext): Promise<Finding | undefined> {
  const { graph, ledger, memory } = context;
  const limit = graph.metadata.annotations?.[ANNOTATION_MAX_PRUNE];
  if (limit === undefined) return undefined;
  const real: ManagedResource[] = [];
  for (const entry of doomed) if (await willBeDeleted(entry, context)) real.push(entry);
  if (real.length === 0) return undefined;
  const most = mostPruned(limit, ledger.entries.filter(({ uid }) => uid !== undefined).length);
  if (most !== undefined && real.length <= most) return undefined;
  const token = tokenOf(real);
  const said = graph.metadata.annotations?.[ANNOTATION_CONFIRM_PRUNE];
  // What was asked about takes several turns, wave by wave: what is left of it needs no other word.
  const { askedPrune } = memory;
  if (said !== undefined && said === askedPrune?.token && real.every((entry) => askedPrune.keys.has(keyOf(entry)))) return undefined;
  memory.askedPrune = { token, keys: new Set(real.map(keyOf)) };
  if (said === token) return undefined;
  const why =
    most === undefined
      ? `${ANNOTATION_MAX_PRUNE}: "${limit}" is neither a number nor a percentage`
      : `${ANNOTATION_MAX_PRUNE} allows ${most}`;
  const names = real.slice(0, 5).map((entry) => printIdentity(identityOf(entry)));
  const message = `would delete ${real.length} objects (${names.join(', ')}${real.length > names.length ? ', …' : ''}), ${why}; to agree: ${ANNOTATION_CONFIRM_PRUNE}: "${token}"`;
  const trouble: Trouble = { reason: 'PruneHeld', message };
  return { path: undefined, hardness: 'hard', trouble };
}

/** Whether a prune would delete an object that is still there: not what it only lets go of, nor what others delete already. */
async function willBeDeleted(entry: ManagedResource, context: ReconcileContext): Promise<boolean> {
  if (entry.uid === undefined) return false;
  const located = await locate(entry, context);
  if (located.word !== 'located') return located.word === 'unavailable';
  try {
    const { record } = await findLive(entry, located.ref, context);
    return record?.uid === entry.uid && !record.isRetained && !record.isDeleting;
  } catch (error) {
    if (error instanceof ApiError) return !saysGone(error, located.ref);
    throw error;
  }
}

/** How many may be deleted at once, of so many; undefined: the limit cannot be read, so that nothing may. */
export function mostPruned(limit: string, total: number): number | undefined {
  const match = /^\s*([0-9]+)(%?)\s*$/.exec(limit);
  if (match === null) return undefined;
  const number = Number(match[1]);
  return match[2] === '%' ? Math.floor((total * number) / 100) : number;
}

/** Stands for exactly these deletions. */
function tokenOf(entries: readonly ManagedResource[]): string {
  return createHash('sha256').update(entries.map(keyOf).sort().join('\n')).digest('hex').slice(0, 12);
}

function keyOf(entry: ManagedResource): string {
  return `${identityKey(identityOf(entry))}/${entry.uid}`;
}
