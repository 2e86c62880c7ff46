import type { ResourceKind } from '../src/api/object.ts';
import type { Clock } from '../src/kube/clock.ts';
import type { Freshness, LoadedSchemas as Loaded, SchemaCatalog } from '../src/kube/schemas.ts';
import { kindKey } from '../src/schema/document.ts';
import type { LoadedSchemas, Schemas } from './admit.ts';
import { beforeAbort } from './before-abort.ts';
import { PartWriter } from './schema-parts.ts';

/** When to look again for a schema that the API server has not published yet: it follows a CRD with a delay (graph.md 11). */
const PAUSES: readonly number[] = [100, 200, 300, 400];
/** A schema that did not come in that time may never come: so long it is not waited for again. */
const PATIENCE = 60_000;

/** The catalog's schemas, for this thread and as parts for the others; nobody waits longer than the signal. */
export function createSchemas(catalog: Pick<SchemaCatalog, 'load'>, clock: Clock): Schemas {
  const writer = new PartWriter();
  /** When kinds were last waited for in vain. */
  const late = new Map<string, number>();
  const awaited = ({ lagging }: Loaded): ResourceKind[] =>
    lagging.filter((kind) => clock.now() - (late.get(kindKey(kind)) ?? Number.NEGATIVE_INFINITY) >= PATIENCE);

  const load = async (kinds: readonly ResourceKind[], freshness: Freshness, signal: AbortSignal): Promise<LoadedSchemas> => {
    let loaded = await beforeAbort(catalog.load(kinds, { freshness }), signal);
    for (const pause of PAUSES) {
      if (awaited(loaded).length === 0) break;
      await clock.sleep(pause, signal);
      signal.throwIfAborted();
      loaded = await beforeAbort(catalog.load(kinds, { freshness: 'current' }), signal);
    }
    for (const kind of awaited(loaded)) late.set(kindKey(kind), clock.now());
    const { snapshot, bundles, served, unavailable } = loaded;
    return { snapshot, parts: [writer.served(served.kinds), ...bundles.map((bundle) => writer.bundle(bundle))], unavailable };
  };
  return {
    load: (kinds, signal) => load(kinds, 'known', signal),
    reload: (kinds, signal) => load(kinds, 'current', signal),
  };
}
