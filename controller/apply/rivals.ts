import { TEMPLATE_MANAGER_PREFIX } from '../../src/api/names.ts';
import { type Identity, printIdentity } from '../../src/api/object.ts';
import { hashOfManager } from '../../src/engine/ownership.ts';
import type { Trouble } from '../../src/runtime/outcome.ts';
import type { ActingContext } from '../reconcile/context.ts';

/** A Graph that exists, as far as others need to know it. */
export interface KnownGraph {
  readonly name: string;
  readonly uid: string;
  readonly creationTimestamp: string;
}

/** The other Graphs, existing ones, that own any field of an object as its template (graph.md 9). */
export async function rivalGraphs(
  managers: readonly string[],
  own: string,
  { aliveGraphs }: Pick<ActingContext, 'aliveGraphs'>,
): Promise<readonly KnownGraph[]> {
  const hashes = managers
    .filter((manager) => manager !== own && manager.startsWith(TEMPLATE_MANAGER_PREFIX))
    .map(hashOfManager)
    .filter((hash) => hash !== undefined);
  if (hashes.length === 0) return [];
  return [...(await aliveGraphs(hashes)).values()];
}

/** Whether a Graph is younger than another, so that it is the one to give way. */
export function isYounger(graph: KnownGraph, than: KnownGraph): boolean {
  if (graph.creationTimestamp !== than.creationTimestamp) return graph.creationTimestamp > than.creationTimestamp;
  return graph.uid > than.uid;
}

/** Another Graph has the object. */
export function takenBy(rivals: readonly KnownGraph[], identity: Identity): Trouble {
  const names = rivals.map(({ name }) => `"${name}"`).join(', ');
  return {
    reason: 'FieldManagerConflict',
    identity,
    message: `is an object of Graph ${names} (to add fields to it, use a patch node: ${printIdentity(identity)} has one owner)`,
  };
}
