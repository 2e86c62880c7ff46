import type { Graph } from '../../src/api/graph.ts';
import { API_GROUP, GRAPH_PLURAL, graphHash } from '../../src/api/names.ts';
import type { KubeObject } from '../../src/api/object.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import type { Clock } from '../../src/kube/clock.ts';
import { objectKey, Reflector, type ReflectorState, type WatchEnd } from '../../src/kube/reflector.ts';
import type { ResourceRef } from '../../src/kube/resource.ts';
import type { KnownGraph } from '../apply/rivals.ts';
import { isAsNew } from '../watch/record.ts';

/** Where Graphs live. */
export const GRAPHS: ResourceRef = { group: API_GROUP, version: 'v1alpha1', plural: GRAPH_PLURAL };

/** A Graph as it is kept: without managedFields, of which only the size counts. */
export interface StoredGraph {
  readonly graph: Graph;
  readonly managedFieldsBytes: number;
}

/** What the store of Graphs is made of. */
export interface GraphStoreOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: () => number;
  /** Empty: all. */
  readonly namespaces: readonly string[];
  readonly labelSelector: string;
  /** A Graph has come, changed or gone; own writes that come back are not told. */
  readonly changed: (key: string) => void;
  readonly onState: (state: ReflectorState) => void;
  readonly onWatchEnd: (reason: WatchEnd) => void;
}

/** The Graphs that this controller is responsible for, as stored; the answers to own writes are known at once. */
export class GraphStore {
  #reflectors: readonly Reflector<StoredGraph>[];
  readonly #namespaces: readonly string[];
  readonly #answers = new Map<string, StoredGraph>();
  readonly #options: GraphStoreOptions;
  /** The last version of each Graph that a reconcile has dealt with. */
  readonly #last = new Map<string, string>();
  /** The UIDs of Graphs whose last finalizer was removed here, until the watch tells that they are gone. */
  readonly #ended = new Map<string, string>();
  readonly #byHash = new Map<string, KnownGraph>();
  /** The keys that are being reconciled, and the changes of them that came meanwhile. */
  readonly #busy = new Map<string, Set<string>>();

  constructor(options: GraphStoreOptions) {
    this.#options = options;
    this.#namespaces = options.namespaces.length === 0 ? [''] : options.namespaces;
    this.#reflectors = this.#namespaces.map((namespace) => this.#reflect(namespace));
  }

  start(): void {
    for (const reflector of this.#reflectors) reflector.start();
  }

  /** The kind has come: lists that were refused begin anew, now and not in minutes. */
  tryAgain(): void {
    this.#reflectors = this.#reflectors.map((reflector, at) => {
      if (reflector.state.word !== 'refused') return reflector;
      void reflector.stop();
      const fresh = this.#reflect(this.#namespaces[at] ?? '');
      fresh.start();
      return fresh;
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#reflectors.map((reflector) => reflector.stop()));
  }

  /** Whether every Graph was known once. */
  hasSynced(): boolean {
    return this.#reflectors.every((reflector) => reflector.hasSynced());
  }

  get(key: string): StoredGraph | undefined {
    const told = this.#told(key);
    const ended = this.#ended.get(key);
    if (ended !== undefined && told?.graph.metadata.uid === ended) return undefined;
    const answered = this.#answers.get(key);
    if (answered === undefined) return told;
    if (told === undefined || told.graph.metadata.uid !== answered.graph.metadata.uid || isAsNew(versionOf(told), versionOf(answered))) {
      this.#answers.delete(key);
      return told;
    }
    return answered;
  }

  *keys(): IterableIterator<string> {
    for (const reflector of this.#reflectors) for (const [key] of reflector.entries()) yield key;
  }

  /** The Graphs with their keys. */
  *entries(): IterableIterator<readonly [key: string, graph: Graph]> {
    for (const reflector of this.#reflectors) for (const [key, { graph }] of reflector.entries()) yield [key, graph];
  }

  /** An answer to a write or a read tells of a Graph. */
  observe(object: KubeObject): StoredGraph {
    const stored = asStored(object);
    const { namespace, name, uid = '', deletionTimestamp, finalizers = [] } = stored.graph.metadata;
    const key = objectKey(namespace, name);
    // Gone with this very write: its answer bears no new version.
    if (deletionTimestamp !== undefined && finalizers.length === 0 && this.#told(key)?.graph.metadata.uid === uid)
      this.#ended.set(key, uid);
    const known = this.get(key);
    if (known !== undefined && isAsNew(versionOf(known), versionOf(stored))) return known;
    if (known !== undefined) this.#answers.set(key, stored);
    return stored;
  }

  /** A reconcile begins: what comes meanwhile is judged at its end, when its own writes are known. */
  begin(key: string): void {
    this.#busy.set(key, new Set());
  }

  /** A reconcile ends: what came meanwhile that it did not write itself is told now. */
  end(key: string): void {
    const versions = this.#busy.get(key) ?? new Set();
    this.#busy.delete(key);
    const known = this.#last.get(key);
    // Its end may be told before the answer to its last write: nothing is kept of a Graph that is gone.
    if (this.#told(key) === undefined) this.#last.delete(key);
    if ([...versions].some((version) => version === '' || known === undefined || !isAsNew(known, version))) this.#options.changed(key);
  }

  /** The last version of a Graph that a reconcile has dealt with. */
  dealt(key: string, version: string): void {
    const former = this.#last.get(key);
    if (former === undefined || !isAsNew(former, version)) this.#last.set(key, version);
  }

  /** A Graph by the hash that its managers bear. */
  byHash(hash: string): KnownGraph | undefined {
    return this.#byHash.get(hash);
  }

  #index(before: StoredGraph | undefined, after: StoredGraph | undefined): void {
    if (before?.graph.metadata.uid === after?.graph.metadata.uid && before !== undefined) return;
    if (before !== undefined) this.#byHash.delete(graphHash(before.graph.metadata.uid ?? ''));
    if (after !== undefined) this.#byHash.set(graphHash(after.graph.metadata.uid ?? ''), known(after.graph.metadata));
  }

  #told(key: string): StoredGraph | undefined {
    for (const reflector of this.#reflectors) {
      const found = reflector.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #reflect(namespace: string): Reflector<StoredGraph> {
    const { client, clock, random, labelSelector, changed, onState, onWatchEnd } = this.#options;
    return new Reflector<StoredGraph>({
      client,
      clock,
      random,
      resource: { ...GRAPHS, namespace },
      ...(labelSelector === '' ? {} : { selection: { labelSelector } }),
      what: { kind: 'whole', project: asStored },
      onState,
      onWatchEnd,
      onChange: ({ key, before, after }) => {
        this.#index(before, after);
        const version = after === undefined ? '' : versionOf(after);
        const dealt = this.#last.get(key);
        if (after === undefined) {
          this.#last.delete(key);
          this.#answers.delete(key);
          this.#ended.delete(key);
        }
        const busy = this.#busy.get(key);
        if (busy !== undefined) busy.add(version);
        else if (after === undefined || dealt === undefined || !isAsNew(dealt, version)) changed(key);
      },
    });
  }
}

/** A Graph as it is kept, of an answer of the API server. */
export function asStored(object: KubeObject): StoredGraph {
  const { managedFields, ...metadata } = object.metadata;
  const graph = { ...(object as unknown as Graph), metadata };
  return { graph, managedFieldsBytes: managedFields === undefined ? 0 : Buffer.byteLength(JSON.stringify(managedFields)) };
}

function versionOf({ graph }: StoredGraph): string {
  return graph.metadata.resourceVersion ?? '';
}

const PAGE = 500;

/** Which Graph hashes belong to Graphs that exist, asked of the API server: a cache that is late must not call an owner dead (graph.md 9). */
export async function findGraphs(
  client: KubeClient,
  hashes: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, KnownGraph>> {
  const wanted = new Set(hashes);
  const found = new Map<string, KnownGraph>();
  let next = '';
  do {
    const page = await client.listMetadata(GRAPHS, { limit: PAGE, continue: next, signal });
    for (const { metadata } of page.items) {
      const hash = graphHash(metadata.uid ?? '');
      if (wanted.has(hash)) found.set(hash, known(metadata));
    }
    next = page.continue;
  } while (next !== '');
  return found;
}

/** What others may know of a Graph. */
export function known({ namespace = '', name, uid = '', creationTimestamp = '' }: Graph['metadata']): KnownGraph {
  return { name: `${namespace}/${name}`, uid, creationTimestamp };
}
