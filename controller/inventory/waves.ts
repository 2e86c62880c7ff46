import type { ManagedResource } from '../../src/api/graph.ts';

/** Entries that may be removed at the same time. */
export interface Wave {
  readonly entries: readonly ManagedResource[];
}

/**
 * The entries of an inventory in the order of their removal: highest wave first (graph.md 12.2). An entry without a wave, as another
 * implementation writes it, takes the one that its object's annotation tells; where there is none it stands alone, in its place of the list.
 */
export function wavesOf(entries: readonly ManagedResource[], annotated: (entry: ManagedResource) => number | undefined): Wave[] {
  const groups = new Map<number, ManagedResource[]>();
  let former = 0;
  for (const [at, entry] of entries.entries()) {
    const told = entry.wave ?? annotated(entry);
    // Between two waves, and after its neighbour in the list.
    const wave = told ?? former + (at + 1) / FINER;
    if (told !== undefined) former = told;
    const group = groups.get(wave);
    if (group === undefined) groups.set(wave, [entry]);
    else group.push(entry);
  }
  return [...groups].sort(([a], [b]) => b - a).map(([, group]) => ({ entries: group.toReversed() }));
}

/** More than an inventory has entries. */
const FINER = 10_000;
