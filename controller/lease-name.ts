import { createHash } from 'node:crypto';

/** Which Graphs a controller is responsible for; empty: all. */
export interface Share {
  readonly shardSelector: string;
  readonly watchNamespaces: readonly string[];
}

const NAME = 'kro-graph-controller';

/**
 * The Lease of a share of the Graphs: shares that differ have Leases that differ, so that several controllers of one namespace can split the
 * work, by label or by namespace, and all of them work (operations.md 5).
 */
export function leaseName({ shardSelector, watchNamespaces }: Share): string {
  const namespaces = [...new Set(watchNamespaces)].sort().join(',');
  if (shardSelector === '' && namespaces === '') return NAME;
  // Of a selector alone just its text: no namespace holds a line break.
  const share = namespaces === '' ? shardSelector : `${shardSelector}\n${namespaces}`;
  return `${NAME}-${createHash('sha256').update(share).digest('hex').slice(0, 12)}`;
}
