import type { ServedResources } from '../../src/kube/discovery.ts';
import type { WatchScope } from './reflectors.ts';

/**
 * The version in which a resource can be watched: the scope's own while it is served, else one that is served now (graph.md 11). Any will do, since
 * an object is the same in all. Where nothing is known of the resource it is the scope's own: the API server has the last word.
 */
export function servedVersion({ group, version, plural }: WatchScope, served: ServedResources | undefined): string {
  const versions = (served?.resources ?? [])
    .filter((resource) => resource.kind.group === group && resource.plural === plural)
    .map(({ kind }) => kind.version);
  return versions.includes(version) ? version : (versions[0] ?? version);
}
