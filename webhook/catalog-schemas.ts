import type { ResourceKind } from '../src/api/object.ts';
import type { Freshness, SchemaCatalog } from '../src/kube/schemas.ts';
import type { LoadedSchemas, Schemas } from './admit.ts';
import { beforeAbort } from './before-abort.ts';
import { PartWriter } from './schema-parts.ts';

/** The catalog's schemas, for this thread and as parts for the others; nobody waits longer than the signal. */
export function createSchemas(catalog: SchemaCatalog): Schemas {
  const writer = new PartWriter();
  const load = async (kinds: readonly ResourceKind[], freshness: Freshness, signal: AbortSignal): Promise<LoadedSchemas> => {
    const { snapshot, bundles, served } = await beforeAbort(catalog.load(kinds, { freshness }), signal);
    return { snapshot, parts: [writer.served(served.kinds), ...bundles.map((bundle) => writer.bundle(bundle))] };
  };
  return {
    load: (kinds, signal) => load(kinds, 'known', signal),
    reload: (kinds, signal) => load(kinds, 'current', signal),
  };
}
