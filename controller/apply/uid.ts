import type { JsonObject, JsonValue } from '../../src/api/object.ts';
import { isConflict, isInvalid } from '../../src/kube/error.ts';

/** A manifest with the UID of the object that it is meant for: an apply of it never creates (graph.md 10). */
export function withUid(manifest: JsonObject, uid: string): JsonObject {
  const { metadata } = manifest;
  return { ...manifest, metadata: { ...(isObject(metadata) ? metadata : {}), uid } };
}

/** Whether an apply with a UID was refused since that object is no longer there: missing is a conflict, made anew is invalid (graph.md 10). */
export function isUidMismatch(error: unknown): boolean {
  if (isConflict(error)) return true;
  return isInvalid(error) && error.causes.some(({ field }) => field === 'metadata.uid');
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
