import { LRUCache } from 'lru-cache';
import type { ResourceKind } from '../src/api/object.ts';
import type { Clock } from '../src/kube/clock.ts';
import type { Freshness, LoadedSchemas as Loaded, SchemaCatalog } from '../src/kube/schemas.ts';
import { kindKey } from '../src/schema/document.ts';
import type { LoadedSchemas, Schemas } from './admit.ts';
import { beforeAbort } from './before-abort.ts';
import { PartWriter } from './schema-parts.ts';

/** When to look again for what the API server has not published yet: it follows a CRD with a delay (graph.md 11). */
const PAUSES: readonly number[] = [100, 200, 300, 400, 500, 500];
/** What did not come in that time may never come: so long it is not waited for again. */
const NOT_AGAIN_FOR = 60_000;
/** Of so many kinds it is remembered, the latest. */
const MOST_LATE = 1000;

/** What schemas for admission are made of. */
export interface SchemasOptions {
  readonly catalog: Pick<SchemaCatalog, 'load'>;
  readonly clock: Clock;
  /** Whether a CRD or an APIService of a group has just changed, so that a kind that is not served may be about to come. */
  readonly isSettling: (group: string) => boolean;
  /** Milliseconds that one admission may wait for what is about to come. */
  readonly patience: number;
}

/** The catalog's schemas, for this thread and as parts for the others; nobody waits longer than the signal. */
export function createSchemas({ catalog, clock, isSettling, patience }: SchemasOptions): Schemas {
  const writer = new PartWriter();
  /** When kinds were last waited for in vain. */
  const late = new LRUCache<string, number>({ max: MOST_LATE });
  const awaited = ({ lagging, missing }: Loaded): ResourceKind[] =>
    [...lagging, ...missing.filter(({ group }) => isSettling(group))].filter(
      (kind) => clock.now() - (late.get(kindKey(kind)) ?? Number.NEGATIVE_INFINITY) >= NOT_AGAIN_FOR,
    );

  const load = async (kinds: readonly ResourceKind[], freshness: Freshness, signal: AbortSignal): Promise<LoadedSchemas> => {
    let loaded = await beforeAbort(catalog.load(kinds, { freshness }), signal);
    let waited = 0;
    for (const pause of PAUSES) {
      waited += pause;
      if (waited > patience || awaited(loaded).length === 0) break;
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
