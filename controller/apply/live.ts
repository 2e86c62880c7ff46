import { hash } from 'node:crypto';
import type { JsonObject, KubeObject } from '../../src/api/object.ts';
import type { Payload } from '../../src/compiler/program.ts';
import type { ObjectTarget } from '../../src/engine/target.ts';
import { isNotFound } from '../../src/kube/error.ts';
import type { ReconcileContext } from '../reconcile/context.ts';
import { type LiveRecord, ManagerLists, recordOf } from '../watch/record.ts';
import { explain, type Refused } from './refusal.ts';

/** An object as it was last seen; `object` only if it was read for this look. */
export interface Seen {
  readonly word: 'seen';
  readonly record: LiveRecord;
  readonly object: KubeObject | undefined;
}

/** What a look at an object gave. `absent` is certain only if it was asked for just now (`isFresh`). */
export type Look = Seen | { readonly word: 'absent' } | Refused;

/** Which object, and what may be said of a refusal. */
export interface LookInput {
  readonly target: ObjectTarget;
  readonly payload: Payload;
  /** Ask the API server, whatever is known: what is known has proved wrong. */
  readonly isFresh: boolean;
}

/** Looks at an object: by what is watched, else by a read as the applier. */
export async function look({ target, payload, isFresh }: LookInput, context: ReconcileContext): Promise<Look> {
  const known = await context.coverage.object(target.ref);
  if (known.isKnown && !isFresh)
    return known.record === undefined ? { word: 'absent' } : { word: 'seen', record: known.record, object: undefined };
  return readLive(target, payload, context);
}

/** Reads an object as the applier. */
export async function readLive(target: ObjectTarget, payload: Payload, context: ReconcileContext): Promise<Look> {
  try {
    const object = await context.applier.get(target.ref, { signal: context.signal });
    return seen(object);
  } catch (error) {
    // One that does not name the object is told by what is written next.
    if (isNotFound(error)) return { word: 'absent' };
    return explain(error, { user: context.applierUser, plural: target.ref.plural, identity: target.identity, payload });
  }
}

/** An answer of the API server as a look. */
export function seen(object: KubeObject): Seen {
  return { word: 'seen', record: recordOf(object.metadata, new ManagerLists()), object };
}

/** The digest of a manifest's text: equal for equal texts. */
export function digestOf(text: string): string {
  return hash('sha1', text, 'base64url');
}

/** A live object as JSON; what the API server sends is nothing else. */
export function asJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}
