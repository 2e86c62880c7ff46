import type { ObjectRef } from '../../src/kube/client.ts';
import { objectKey } from '../../src/kube/reflector.ts';
import { scopeKey, type WatchScope } from './reflectors.ts';

/** Where an object is among what is watched. */
export interface WatchPlace {
  readonly scope: WatchScope;
  readonly scopeKey: string;
  /** The key of the object within its scope. */
  readonly key: string;
}

/** A walk asks several times about each object: its keys are printed once. */
const places = new WeakMap<ObjectRef, WatchPlace>();

/** The scope of a ref's resource, and the object's key in it. */
export function placeOf(ref: ObjectRef): WatchPlace {
  const known = places.get(ref);
  if (known !== undefined) return known;
  const { group, version, plural, namespace = '', name } = ref;
  const scope = { group, version, plural, namespace };
  const place = { scope, scopeKey: scopeKey(scope), key: objectKey(namespace, name) };
  places.set(ref, place);
  return place;
}
