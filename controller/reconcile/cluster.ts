import { LRUCache } from 'lru-cache';
import type { ResourceKind } from '../../src/api/object.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { ApiError, isForbidden, isObjectNotFound } from '../../src/kube/error.ts';
import type { Freshness, SchemaCatalog } from '../../src/kube/schemas.ts';
import type { ResourceSchema } from '../../src/schema/snapshot.ts';
import type { KnownGraph } from '../apply/rivals.ts';
import type { Served } from './context.ts';
import { findGraphs, type GraphStore } from './graphs.ts';

/** Answers about the cluster that Graphs share. */
export class ClusterFacts {
  readonly #client: KubeClient;
  readonly #catalog: SchemaCatalog;
  readonly #graphs: GraphStore;
  readonly #now: () => number;
  /** Hashes of Graphs that are known not to exist. */
  readonly #dead = new LRUCache<string, true>({ max: 10_000 });
  /** Namespaces that were not ending when they were last asked for, and when that was. */
  readonly #lasting = new LRUCache<string, number>({ max: 10_000 });
  #collector: { readonly isThere: boolean; readonly at: number } | undefined;

  constructor(options: {
    readonly client: KubeClient;
    readonly catalog: SchemaCatalog;
    readonly graphs: GraphStore;
    readonly now: () => number;
  }) {
    this.#client = options.client;
    this.#catalog = options.catalog;
    this.#graphs = options.graphs;
    this.#now = options.now;
  }

  /** The kind as it is served now. */
  async resolveKind(kind: ResourceKind): Promise<ResourceSchema | undefined> {
    const { snapshot } = await this.#catalog.load([kind]);
    return snapshot.get(kind);
  }

  /**
   * The group and kind in this version, or else in one that is served now; before it is called unserved, the cluster is asked again, and so it is
   * at once if what is known must not do.
   */
  async resolveServed(kind: ResourceKind, least: Freshness = 'known'): Promise<Served> {
    for (const freshness of least === 'known' ? (['known', 'current'] as const) : (['current'] as const)) {
      const served = await this.#catalog.served({ freshness });
      const found = served.find(kind) ?? served.versions(kind.group, kind.kind)[0];
      if (found !== undefined) return { word: 'served', kind: found.kind, plural: found.plural, namespaced: found.namespaced };
      if (served.isUnavailable(kind.group)) return { word: 'unavailable' };
    }
    return { word: 'unserved' };
  }

  /** Those of these Graph hashes that belong to Graphs that exist. */
  async aliveGraphs(hashes: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, KnownGraph>> {
    const found = new Map<string, KnownGraph>();
    const missing: string[] = [];
    for (const hash of new Set(hashes)) {
      const known = this.#graphs.byHash(hash);
      if (known !== undefined) found.set(hash, known);
      else if (this.#dead.get(hash) === undefined) missing.push(hash);
    }
    if (missing.length === 0) return found;
    const alive = await this.#findGraphs(missing, signal);
    for (const hash of missing) {
      const known = alive.get(hash);
      if (known !== undefined) found.set(hash, known);
      // A UID never comes back.
      else this.#dead.set(hash, true);
    }
    return found;
  }

  /** Who may not look everywhere takes every Graph to exist: an object is rather left alone than taken from its owner. */
  async #findGraphs(hashes: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, KnownGraph>> {
    try {
      return await findGraphs(this.#client, hashes, signal);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      return new Map(hashes.map((hash) => [hash, { name: `(hash ${hash})`, uid: '', creationTimestamp: '9999' }]));
    }
  }

  /** Whether a namespace is being deleted or does not exist; `lately`: as far as it was known some seconds ago. */
  async isNamespaceEnding(namespace: string, when: 'now' | 'lately', signal: AbortSignal): Promise<boolean> {
    const asked = this.#lasting.get(namespace);
    if (when === 'lately' && asked !== undefined && this.#now() - asked < LASTING_FRESH) return false;
    const isEnding = await this.#askForEnd(namespace, signal);
    if (!isEnding) this.#lasting.set(namespace, this.#now());
    return isEnding;
  }

  async #askForEnd(namespace: string, signal: AbortSignal): Promise<boolean> {
    const ref = { group: '', version: 'v1', plural: 'namespaces', name: namespace };
    try {
      const { metadata } = await this.#client.getMetadata(ref, { signal });
      return metadata.deletionTimestamp !== undefined;
    } catch (error) {
      if (isObjectNotFound(error, ref)) return true;
      if (error instanceof ApiError) return false;
      throw error;
    }
  }

  /**
   * Whether kube-controller-manager runs here. Without its garbage collector an object that is deleted in the foreground would stay for ever; a
   * cluster that has one keeps this ConfigMap in every namespace. Who may not look assumes that it does.
   */
  async hasGarbageCollector(signal: AbortSignal): Promise<boolean> {
    const known = this.#collector;
    if (known !== undefined && this.#now() - known.at < COLLECTOR_FRESH) return known.isThere;
    const isThere = await this.#findCollector(signal);
    this.#collector = { isThere, at: this.#now() };
    return isThere;
  }

  async #findCollector(signal: AbortSignal): Promise<boolean> {
    const root = { group: '', version: 'v1', plural: 'configmaps', namespace: 'kube-system', name: 'kube-root-ca.crt' };
    try {
      await this.#client.getMetadata(root, { signal });
      return true;
    } catch (error) {
      if (isObjectNotFound(error, root)) return false;
      if (error instanceof ApiError) return true;
      throw error;
    }
  }
}

const COLLECTOR_FRESH = 300_000;
const LASTING_FRESH = 3000;
