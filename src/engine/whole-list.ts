import type { JsonObject } from '../api/object.ts';
import { valuesAtPrinted } from '../kube/printed-path.ts';

/**
 * Whether what a manifest has at a field, as a conflict names it, is a list: then that list is owned as a whole, and a patch of status is not
 * forced over it (graph.md 10). A field that cannot be found counts as a list too: what is not known is not taken.
 */
export function isWholeList(manifest: JsonObject, field: string): boolean {
  const values = valuesAtPrinted(manifest, field);
  return values.length === 0 || values.some((value) => Array.isArray(value));
}
