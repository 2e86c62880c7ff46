import type { Contribution, ManagedResource } from '../../src/api/graph.ts';
import { patchManager, printNodePath } from '../../src/api/names.ts';
import { identityKey, printIdentity } from '../../src/api/object.ts';
import type { Program } from '../../src/compiler/program.ts';
import { allEnded } from '../all-ended.ts';
import { release } from '../apply/release.ts';
import { sooner } from '../queue/sooner.ts';
import type { ReconcileContext } from '../reconcile/context.ts';
import type { Finding } from '../status/summary.ts';
import { heldBack } from './guard.ts';
import { contributionKey, identityOf } from './ledger.ts';
import { annotatedWaves } from './locate.ts';
import { type Removal, remove } from './remove.ts';
import { wavesOf } from './waves.ts';

/** What prune has found out. */
export interface Pruned {
  readonly findings: readonly Finding[];
  /** Milliseconds after which an unproved entry is looked for again. */
  readonly again: number | undefined;
}

/**
 * Removes what the Graph no longer renders, where that is certain: its node was resolved in this walk, or is gone from the spec (graph.md 12.2).
 * Never called after a walk with a hard failure.
 */
export async function prune(context: ReconcileContext): Promise<Pruned> {
  const { ledger, findings } = context;
  // A node of another kind under the same path is another node: the template is gone from the spec.
  const paths = templatePaths(context.program);
  const isResolved = (nodeID: string): boolean => findings.resolved.has(nodeID) || !paths.has(nodeID);
  const unrendered = ledger.entries.filter((entry) => !findings.wanted.has(identityKey(identityOf(entry))) && isResolved(entry.nodeID));
  const intended = unrendered.length === 0 ? NONE : intendedAhead(context);
  const unwanted = unrendered.filter((entry) => !intended.has(identityKey(identityOf(entry))));
  // Applied in this reconcile under another version or by another node: replaced, and not to be deleted.
  const isReplaced = ({ uid }: ManagedResource): boolean => uid !== undefined && findings.uids.has(uid);
  for (const entry of unwanted) if (isReplaced(entry)) ledger.drop(entry);
  const doomed = unwanted.filter((entry) => !isReplaced(entry));
  const held = await heldBack(doomed, context);
  const removed = held === undefined ? await removeAll(doomed, context) : { findings: [held], again: undefined };
  const released = await releaseAll(context);
  return { findings: [...removed.findings, ...released.findings], again: sooner(removed.again, released.again) };
}

const NONE: ReadonlySet<string> = new Set();

/**
 * What nodes that could not be resolved are known to render: a node that has a new name, or stands in another frame, and must wait keeps the object
 * that it has (graph.md 8.5, 12.1).
 */
function intendedAhead({ foreseen, findings }: ReconcileContext): ReadonlySet<string> {
  return new Set(foreseen.filter(({ nodeID }) => !findings.resolved.has(nodeID)).map((entry) => identityKey(identityOf(entry))));
}

/** The paths of the nodes that have objects. */
export function templatePaths({ nodes }: Program): ReadonlySet<string> {
  return new Set(nodes.filter(({ kind }) => kind === 'template').map(({ path }) => printNodePath(path)));
}

async function removeAll(doomed: readonly ManagedResource[], context: ReconcileContext): Promise<Pruned> {
  const findings: Finding[] = [];
  let again: number | undefined;
  let deleted = 0;
  const annotated = await annotatedWaves(doomed, context);
  const waves = wavesOf(doomed, (entry) => annotated.get(entry));
  for (const [at, { entries }] of waves.entries()) {
    const options = { isEarlierLeft: at < waves.length - 1, reason: 'PruneFailed', otherwise: undefined } as const;
    const removals = await allEnded(entries.map((entry) => context.limiter.run(() => remove(entry, options, context))));
    for (const [index, removal] of removals.entries()) {
      const entry = entries[index];
      if (entry === undefined) continue;
      context.counts.pruned(resultOf(removal));
      if (removal.word === 'unproved') again = sooner(again, removal.again);
      if (removal.word === 'gone') context.ledger.drop(entry);
      if (removal.word === 'gone' && removal.isDeleted) deleted++;
      findings.push(...findingOf(entry, removal));
    }
    if (removals.some(({ word }) => word === 'pending' || word === 'refused')) break;
  }
  if (deleted > 0)
    context.tell(
      'Normal',
      'Pruned',
      deleted === 1 ? 'deleted 1 object that is no longer rendered' : `deleted ${deleted} objects that are no longer rendered`,
    );
  for (const { trouble, hardness } of findings)
    if (hardness === 'hard')
      context.tell(
        'Warning',
        'PruneFailed',
        `${trouble.identity === undefined ? '' : `${printIdentity(trouble.identity)}: `}${trouble.message}`,
      );
  return { findings, again };
}

/** The result of a removal, for metrics; `dropped`: its entry went, and no object was deleted for it. */
function resultOf(removal: Removal): string {
  if (removal.word !== 'gone') return removal.word;
  return removal.isDeleted ? 'deleted' : 'dropped';
}

/** What is not there holds nothing up: its entry stays, and is looked for again. */
function findingOf({ nodeID }: ManagedResource, removal: Removal): Finding[] {
  const path = nodeID.split('/');
  if (removal.word === 'pending') return [{ path, hardness: 'soft', trouble: removal.trouble }];
  return removal.word === 'refused' ? [{ path, hardness: 'hard', trouble: removal.trouble }] : [];
}

async function releaseAll(context: ReconcileContext): Promise<Pruned> {
  const { ledger, findings } = context;
  const managers = new Map(
    context.program.nodes
      .filter(({ kind }) => kind === 'patch')
      .map(({ path }) => [patchManager(context.graphUid, path), printNodePath(path)]),
  );
  const isDoomed = (entry: Contribution): boolean => {
    const nodeID = managers.get(entry.fieldManager);
    return !findings.wantedContributions.has(contributionKey(entry)) && (nodeID === undefined || findings.resolved.has(nodeID));
  };
  const doomed = ledger.contributionEntries.filter(isDoomed);
  const releases = await allEnded(doomed.map((entry) => context.limiter.run(() => release(entry, context))));
  const troubles: Finding[] = [];
  let again: number | undefined;
  for (const [at, result] of releases.entries()) {
    const entry = doomed[at];
    if (result.word === 'released' && entry !== undefined) ledger.dropContribution(entry);
    if (result.word === 'unproved') again = sooner(again, result.again);
    // The status names no node; one that the Graph still has is known by its field manager.
    const path = managers.get(entry?.fieldManager ?? '')?.split('/');
    if (result.word === 'refused') troubles.push({ path, hardness: 'hard', trouble: result.trouble });
  }
  return { findings: troubles, again };
}
