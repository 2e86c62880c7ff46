import type { Contribution, ManagedResource } from '../../src/api/graph.ts';
import { locate } from '../inventory/locate.ts';
import { type Pruned, prune } from '../inventory/prune.ts';
import { placeOf } from '../watch/place.ts';
import type { ReconcileContext } from './context.ts';

/**
 * Prunes, and forgets the scopes that are not covered where only that looked and nothing of the Graph is left (graph.md 11): nobody need be given
 * the right to watch what is used no more, and nothing must be read again for it.
 */
export async function pruneAndForget(context: ReconcileContext): Promise<Pruned> {
  const { coverage } = context;
  const usedByWalk = coverage.uncovered;
  const pruned = await prune(context);
  if (coverage.uncovered.size > usedByWalk.size) coverage.keepOnly(new Set([...usedByWalk, ...(await scopesLeft(context))]));
  return pruned;
}

/** The scopes of all that the inventories still hold. */
async function scopesLeft(context: ReconcileContext): Promise<readonly string[]> {
  const entries = [...context.ledger.entries, ...context.ledger.contributionEntries];
  // One of each kind and namespace: a kind that is not served is asked for anew each time.
  const ofEachScope = new Map(entries.map((entry) => [printKind(entry), entry]));
  const located = await Promise.all([...ofEachScope.values()].map((entry) => locate(entry, context)));
  return located.flatMap((found) => (found.word === 'located' ? [placeOf(found.ref).scopeKey] : []));
}

function printKind({ apiVersion, kind, namespace = '' }: ManagedResource | Contribution): string {
  return `${apiVersion}/${kind}/${namespace}`;
}
