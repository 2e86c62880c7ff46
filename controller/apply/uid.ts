import type { JsonObject, JsonValue } from '../../src/api/object.ts';
import type { ObjectRef } from '../../src/kube/client.ts';
import { isConflict, isInvalid, isNotFound } from '../../src/kube/error.ts';
import { saysGone } from '../inventory/locate.ts';
import type { ActingContext } from '../reconcile/context.ts';
import { isByAdmission } from './refusal.ts';

/** A manifest with the UID of the object that it is meant for: an apply of it never creates (graph.md 10). */
export function withUid(manifest: JsonObject, uid: string): JsonObject {
  const { metadata } = manifest;
  return { ...manifest, metadata: { ...(isObject(metadata) ? metadata : {}), uid } };
}

/** Whether an apply with a UID was refused since that object is no longer there: missing is a conflict, made anew is invalid (graph.md 10). */
export function isUidMismatch(error: unknown): boolean {
  // A webhook may refuse by any code.
  if (isConflict(error)) return !isByAdmission(error);
  return isUidInvalid(error);
}

/** Whether a request was refused since the UID in it is not the object's. */
export function isUidInvalid(error: unknown): boolean {
  return isInvalid(error) && error.causes.some(({ field }) => field === 'metadata.uid');
}

/** An object of which a write was refused. */
export interface WrittenObject {
  readonly ref: ObjectRef;
  readonly uid: string;
}

/**
 * Whether a write with a UID was refused since that object has gone. No code alone says so: a 404 may be about the kind's version, and an admission
 * plugin may refuse by any. So it is looked for.
 */
export async function hasGone(error: unknown, { ref, uid }: WrittenObject, context: ActingContext): Promise<boolean> {
  return (isConflict(error) || isUidInvalid(error) || isNotFound(error)) && (await isAnother(ref, uid, context));
}

/** Whether the object of this UID is no longer there; only the API server can say so. */
export async function isAnother(ref: ObjectRef, uid: string, { applier, signal }: ActingContext): Promise<boolean> {
  try {
    return (await applier.getMetadata(ref, { signal })).metadata.uid !== uid;
  } catch (error) {
    if (saysGone(error, ref)) return true;
    throw error;
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
