import { LRUCache } from 'lru-cache';
import type { ResourceKind } from '../api/object.ts';
import { resourceSchema, type SchemaBundle, type ServedResource, snapshotOf } from '../schema/bundle.ts';
import { kindKey, SchemaDocument } from '../schema/document.ts';
import type { ResourceSchema, SchemaSnapshot } from '../schema/snapshot.ts';
import type { KubeClient } from './client.ts';
import type { Clock } from './clock.ts';
import { Discovery, type ServedResources } from './discovery.ts';
import { ApiError } from './error.ts';
import { indexKey, OpenApiDocuments, type OpenApiIndex } from './openapi-index.ts';
import { type ChangedKind, type KindState, SchemaChanges } from './schema-changes.ts';

/** The schemas of the kinds that were asked for. */
export interface LoadedSchemas {
  readonly snapshot: SchemaSnapshot;
  /** The same as data, one bundle for each API group and version, each the same object while it does not change. */
  readonly bundles: readonly SchemaBundle[];
  /** Everything that the cluster serves. */
  readonly served: ServedResources;
  /** Kinds of a group whose server does not answer: absent from the snapshot, but not "not served". */
  readonly unavailable: readonly ResourceKind[];
  /** Kinds that are served but whose OpenAPI is not published yet: in the snapshot, without schema. */
  readonly lagging: readonly ResourceKind[];
  /** Kinds that are not served. */
  readonly missing: readonly ResourceKind[];
}

/** How sure an answer must be: `known` may be as old as the watch on CRDs is late, `current` is read again. */
export type Freshness = 'known' | 'current';

/** A kind or a schema that was just looked for in vain is not looked for again for so long. */
const LOOK_AGAIN_AFTER = 2000;
/** Of so many kinds it is remembered, the latest. */
const MOST_LOOKED_FOR = 1000;

/** What is kept of one API group's version. */
interface GroupVersionSchemas {
  /** Undefined: read again, it was not the document that the index meant. */
  readonly address: string | undefined;
  readonly document: SchemaDocument;
  /** Of which the rest was made. */
  readonly served: ServedResources;
  readonly listed: readonly ServedResource[];
  readonly bundle: SchemaBundle;
  readonly resources: ReadonlyMap<string, ResourceSchema>;
}

/**
 * The schemas of a cluster, loaded group by group as they are asked for, kept compact, shared by all who ask (graph.md 11). It learns
 * of changes by `forget`, by a load that must be `current`, and when a kind is asked for that it does not know.
 */
export class SchemaCatalog {
  readonly #discovery: Discovery;
  readonly #documents: OpenApiDocuments;
  readonly #clock: Clock;
  readonly #kept = new Map<string, GroupVersionSchemas>();
  readonly #loading = new Map<string, Promise<GroupVersionSchemas | undefined>>();
  #refreshing: { readonly goal: number; readonly done: Promise<void> } | undefined;
  #following: Promise<void> | undefined;
  /** When kinds were last looked for in vain. */
  readonly #lookedFor = new LRUCache<string, number>({ max: MOST_LOOKED_FOR });
  /** Counts what must be asked for, and how far that was answered. */
  #wanted = 1;
  #reached = 0;
  readonly #changes = new SchemaChanges();
  readonly #listeners = new Set<(kinds: readonly ChangedKind[]) => void>();
  #latest: { readonly changed: readonly ChangedKind[]; readonly lagging: readonly ResourceKind[] } = { changed: [], lagging: [] };

  constructor({ client, clock }: { client: Pick<KubeClient, 'getJson'>; clock: Clock }) {
    this.#discovery = new Discovery(client);
    this.#documents = new OpenApiDocuments(client);
    this.#clock = clock;
  }

  /** The schemas of these kinds. Throws ApiError or ConnectionError if the API server does not say what it serves. */
  async load(kinds: readonly ResourceKind[], { freshness = 'known' }: { freshness?: Freshness } = {}): Promise<LoadedSchemas> {
    await this.#prepare(freshness);
    const first = await this.#collect(kinds);
    if (freshness === 'current' || !this.#isWorthALook(first)) return this.#tell(kinds, first);
    await this.#refresh();
    const second = await this.#collect(kinds);
    for (const kind of [...second.missing, ...second.lagging]) this.#lookedFor.set(kindKey(kind), this.#clock.now());
    return this.#tell(kinds, second);
  }

  /** Calls a listener with the kinds that have changed, whoever was the first to see it; returns what ends that. */
  onChange(listener: (kinds: readonly ChangedKind[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Everything that the cluster serves, without schemas. */
  async served({ freshness = 'known' }: { freshness?: Freshness } = {}): Promise<ServedResources> {
    await this.#prepare(freshness);
    return this.#servedNow();
  }

  /** The same as it was last read, without asking; undefined before the first time. */
  get current(): ServedResources | undefined {
    return this.#discovery.current;
  }

  /** Asks the API server what has changed, tells it, and says which of the kinds that are followed have no schema yet. */
  async revalidate(): Promise<{ readonly changed: readonly ChangedKind[]; readonly lagging: readonly ResourceKind[] }> {
    await this.#refresh();
    return this.#latest;
  }

  /** The next load asks the API server what has changed; what has not is kept. */
  forget(): void {
    this.#wanted += 1;
  }

  async #prepare(freshness: Freshness): Promise<void> {
    if (freshness === 'current') await this.#refresh();
    else if (this.#reached < this.#wanted) await (this.#refreshing?.goal === this.#wanted ? this.#refreshing.done : this.#refresh());
  }

  /** Whether what is not there may have come since anybody looked for it: for each kind of its own, since a CRD may be a moment old. */
  #isWorthALook({ missing, lagging }: LoadedSchemas): boolean {
    const now = this.#clock.now();
    return [...missing, ...lagging].some(
      (kind) => now - (this.#lookedFor.get(kindKey(kind)) ?? Number.NEGATIVE_INFINITY) >= LOOK_AGAIN_AFTER,
    );
  }

  async #collect(kinds: readonly ResourceKind[]): Promise<LoadedSchemas> {
    const served = this.#servedNow();
    const index = this.#documents.index ?? new Map<string, string>();
    const present = kinds.filter((kind) => served.find(kind) !== undefined);
    const keys = [...new Set(present.map(indexKey))];
    const groups = new Map(await Promise.all(keys.map(async (key) => [key, await this.#group(key, served, index)] as const)));
    const resources = new Map<string, ResourceSchema>();
    const unavailable = kinds.filter((kind) => served.find(kind) === undefined && served.isUnavailable(kind.group));
    for (const kind of present) {
      const resource = groups.get(indexKey(kind))?.resources.get(kindKey(kind));
      if (resource === undefined) unavailable.push(kind);
      else resources.set(kindKey(kind), resource);
    }
    const all = [...resources.values()];
    return {
      snapshot: snapshotOf(all, served.kinds),
      bundles: [...groups.values()].flatMap((group) => (group === undefined ? [] : [group.bundle])),
      served,
      unavailable,
      lagging: all.filter(({ schema }) => schema === undefined).map(({ kind }) => kind),
      missing: kinds.filter((kind) => served.find(kind) === undefined),
    };
  }

  #tell(kinds: readonly ResourceKind[], loaded: LoadedSchemas): LoadedSchemas {
    this.#announce(this.#changes.tell(kinds, stateIn(loaded)));
    return loaded;
  }

  async #followUp(): Promise<void> {
    const { followed } = this.#changes;
    const loaded = await this.#collect(followed);
    const changed = [...this.#changes.tell(followed, stateIn(loaded)), ...this.#changes.noteServed(loaded.served.kinds)];
    this.#latest = { changed, lagging: loaded.lagging };
    this.#announce(changed);
  }

  #announce(changed: readonly ChangedKind[]): void {
    if (changed.length > 0) for (const listener of this.#listeners) listener(changed);
  }

  #servedNow(): ServedResources {
    const served = this.#discovery.current;
    if (served === undefined) throw new Error('discovery is read before it is used');
    return served;
  }

  /** Undefined: its server does not answer. */
  #group(key: string, served: ServedResources, index: OpenApiIndex): Promise<GroupVersionSchemas | undefined> {
    const address = index.get(key) ?? '';
    const kept = this.#kept.get(key);
    if (kept?.address === address) return Promise.resolve(kept.served === served ? kept : this.#keep(key, address, kept.document, served));
    const loading = this.#loading.get(key) ?? this.#load(key, address, served).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  async #load(key: string, address: string, served: ServedResources): Promise<GroupVersionSchemas | undefined> {
    if (address === '') return this.#keep(key, address, new SchemaDocument(new Map()), served);
    try {
      const { components, isIndexed } = await this.#documents.read(address);
      const kinds = served.kinds.filter((kind) => indexKey(kind) === key);
      return this.#keep(key, isIndexed ? address : undefined, new SchemaDocument(components).restrictedTo(kinds), served);
    } catch (error) {
      if (error instanceof ApiError && (error.code >= 500 || error.code === 404)) return undefined;
      throw error;
    }
  }

  #keep(key: string, address: string | undefined, document: SchemaDocument, served: ServedResources): GroupVersionSchemas {
    const kept = this.#kept.get(key);
    const listed = served.resources.filter(({ kind }) => indexKey(kind) === key);
    const isSame = kept?.document === document && JSON.stringify(kept.listed) === JSON.stringify(listed);
    const fresh = isSame ? { ...kept, address, served } : { address, served, ...describeGroup(document, listed) };
    this.#kept.set(key, fresh);
    return fresh;
  }

  /** Shared by all who ask before it begins; one that has begun may miss what has just changed, so that then another follows it. */
  #refresh(): Promise<void> {
    if (this.#refreshing === undefined) {
      const done = this.#refreshNow(this.#wanted).finally(() => {
        this.#refreshing = undefined;
      });
      this.#refreshing = { goal: this.#wanted, done };
      return done;
    }
    const follow = (): Promise<void> => {
      this.#following = undefined;
      return this.#refresh();
    };
    this.#following ??= this.#refreshing.done.then(follow, follow);
    return this.#following;
  }

  async #refreshNow(goal: number): Promise<void> {
    const [served, index] = await Promise.all([this.#discovery.refresh(), this.#documents.refresh()]);
    this.#reached = goal;
    for (const [key, { listed }] of this.#kept) {
      if (!index.has(key) && listed.every(({ kind }) => served.find(kind) === undefined)) this.#kept.delete(key);
    }
    await this.#followUp();
  }
}

function stateIn({ snapshot, unavailable, lagging }: LoadedSchemas): (kind: ResourceKind) => KindState {
  const awaited = new Set([...unavailable, ...lagging].map(kindKey));
  return (kind) => (awaited.has(kindKey(kind)) ? 'awaited' : (snapshot.get(kind) ?? 'absent'));
}

function describeGroup(
  document: SchemaDocument,
  listed: readonly ServedResource[],
): Pick<GroupVersionSchemas, 'document' | 'listed' | 'bundle' | 'resources'> {
  const resources = new Map(listed.map((resource) => [kindKey(resource.kind), resourceSchema(resource, document)]));
  return { document, listed, bundle: { resources: listed, schemas: document.components() }, resources };
}
