import type { Contribution, ManagedResource } from '../../src/api/graph.ts';
import { parseApiVersion } from '../../src/api/object.ts';
import type { ObjectRef } from '../../src/kube/client.ts';
import { ApiError, isNamespaceNotFound, isObjectNotFound } from '../../src/kube/error.ts';
import type { Freshness } from '../../src/kube/schemas.ts';
import { seen } from '../apply/live.ts';
import type { ActingContext } from '../reconcile/context.ts';
import type { LiveRecord } from '../watch/record.ts';
import { identityOf } from './ledger.ts';

/** Where an entry's object lives now; `unserved`: its kind is gone, and so is the object. */
export type Located = { readonly word: 'located'; readonly ref: ObjectRef } | { readonly word: 'unserved' | 'unavailable' };

/** An entry's place in the API: by group and kind, in its own version or in one that is served now (graph.md 12.4); `current`: asked for just now. */
export async function locate(entry: ManagedResource | Contribution, context: ActingContext, least: Freshness = 'known'): Promise<Located> {
  const { group, kind, namespace } = identityOf(entry);
  const served = await context.resolveServed({ group, version: parseApiVersion(entry.apiVersion)?.version ?? '', kind }, least);
  if (!('plural' in served)) return served;
  const place = served.namespaced ? { namespace } : {};
  return { word: 'located', ref: { group, version: served.kind.version, plural: served.plural, ...place, name: entry.name } };
}

/** So long discovery may be late with a version that is no longer served; then its objects are looked for again. */
export const DISCOVERY_LAG = 2000;
/** Why an entry waits meanwhile. */
export const LOOKED_FOR = 'is looked for among the versions that are served';

/** What is known of an entry's object; `isCertain`: the API server was asked just now. */
export interface Found {
  readonly record: LiveRecord | undefined;
  readonly isCertain: boolean;
}

/** Looks for an entry's object: by what is watched, else by a read as the applier, whose refusal is thrown. */
export async function findLive(entry: ManagedResource, ref: ObjectRef, context: ActingContext): Promise<Found> {
  const known = await context.coverage.object(ref);
  // That a watch does not know an object proves no intent wrong; an object with a UID is asked for by its delete.
  if (known.isKnown && (known.record !== undefined || entry.uid !== undefined)) return { record: known.record, isCertain: false };
  return readLive(entry, ref, context);
}

/** Reads an entry's object as the applier, whose refusal is thrown. */
export async function readLive(entry: ManagedResource, ref: ObjectRef, context: ActingContext): Promise<Found> {
  try {
    const { metadata } = await context.applier.getMetadata(ref, { signal: context.signal });
    return { record: seen({ apiVersion: entry.apiVersion, kind: entry.kind, metadata }).record, isCertain: true };
  } catch (error) {
    if (saysGone(error, ref)) return { record: undefined, isCertain: true };
    throw error;
  }
}

/** Whether an answer says that the object, or the namespace that held it, is not there: no other 404 does, an object lives on in other versions (graph.md 12.4). */
export function saysGone(error: unknown, ref: ObjectRef): boolean {
  const { namespace } = ref;
  return isObjectNotFound(error, ref) || (namespace !== undefined && namespace !== '' && isNamespaceNotFound(error, namespace));
}

/** The waves that live objects tell of entries that have none (graph.md 1). */
export async function annotatedWaves(
  entries: readonly ManagedResource[],
  context: ActingContext,
): Promise<ReadonlyMap<ManagedResource, number>> {
  const waves = new Map<ManagedResource, number>();
  for (const entry of entries) {
    if (entry.wave !== undefined || entry.uid === undefined) continue;
    const wave = await annotatedWave(entry, context);
    if (wave !== undefined) waves.set(entry, wave);
  }
  return waves;
}

async function annotatedWave(entry: ManagedResource, context: ActingContext): Promise<number | undefined> {
  const located = await locate(entry, context);
  if (located.word !== 'located') return undefined;
  try {
    const { record } = await findLive(entry, located.ref, context);
    return record?.uid === entry.uid ? record?.wave : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
