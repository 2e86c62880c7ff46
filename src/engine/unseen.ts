import type { JsonObject, ManagedFieldsEntry } from '../api/object.ts';
import { leafPaths } from '../kube/managed-fields.ts';
import { valueAt } from '../kube/managed-places.ts';

/**
 * Whether an entry owns a field that the live object does not show, such as `stringData` of a Secret, which the server turns into `data`. A
 * change of what it became leaves the entry as it is, so that an equal entry proves nothing (graph.md 9). Empty values do not count: the
 * server leaves them out, and whoever sets another takes the field from us.
 */
export function ownsUnseen(manifest: JsonObject, live: JsonObject, entry: ManagedFieldsEntry | undefined): boolean {
  return leafPaths(entry?.fieldsV1).some((path) => {
    if (valueAt(live, path) !== undefined) return false;
    const missing = path.findIndex((_, at) => valueAt(live, path.slice(0, at + 1)) === undefined);
    return !isEmpty(valueAt(manifest, path.slice(0, missing + 1)));
  });
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === false || value === '' || value === 0 || value === 0n;
}
