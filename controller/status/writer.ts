import type { GraphStatus } from '../../src/api/graph.ts';
import { isEqualJson } from '../../src/api/is-equal-json.ts';
import { API_VERSION, GRAPH_FINALIZER, GRAPH_KIND } from '../../src/api/names.ts';
import type { JsonObject, JsonValue, KubeObject } from '../../src/api/object.ts';
import type { KubeClient, ObjectRef, WriteOptions, Written } from '../../src/kube/client.ts';
import { isConflict, isNamespaceNotFound, isObjectNotFound } from '../../src/kube/error.ts';
import { printJson } from '../../src/kube/json.ts';
import type { Inventory } from '../inventory/ledger.ts';
import { withMade } from '../inventory/made.ts';
import { UPDATE_MANAGER } from '../inventory/retain.ts';
import { sizeOf } from '../inventory/size.ts';
import { asStored, GRAPHS, type GraphStore, type StoredGraph } from '../reconcile/graphs.ts';

/** The Graph is no longer what this reconcile began with: its end is dropped, and it begins anew. */
export class GraphMoved extends Error {
  override readonly name = 'GraphMoved';
}

/** The members of a status that are written together; undefined members stay. */
export type StatusChange = Partial<Pick<GraphStatus, 'observedGeneration' | 'state' | 'appliedServiceAccount' | 'conditions'>> &
  Partial<Inventory>;

/** How large a Graph may be with everything that it is about to hold (graph.md 12.8). */
const LARGEST = 1024 * 1024;
/** What conditions and counters may still grow by. */
const RESERVE = 16 * 1024;

/** Writes a Graph's status, finalizer and inventory: each write is conditional on the version that was read, and none is made if nothing differs. */
export class StatusWriter {
  readonly #client: KubeClient;
  readonly #store: GraphStore;
  readonly #key: string;
  readonly #signal: AbortSignal;
  #stored: StoredGraph;

  constructor(options: {
    readonly client: KubeClient;
    readonly store: GraphStore;
    readonly key: string;
    readonly stored: StoredGraph;
    readonly signal: AbortSignal;
  }) {
    this.#client = options.client;
    this.#store = options.store;
    this.#key = options.key;
    this.#stored = options.stored;
    this.#signal = options.signal;
  }

  /** The Graph as this process knows it to be stored. */
  get stored(): StoredGraph {
    return this.#stored;
  }

  get status(): GraphStatus {
    return this.#stored.graph.status ?? {};
  }

  /** Throws GraphMoved if the Graph is being deleted, gone, or another controller's, as far as its watch tells: nothing more is made for it. */
  assertWanted(): void {
    const { uid, deletionTimestamp } = this.#store.get(this.#key)?.graph.metadata ?? {};
    if (uid !== this.#stored.graph.metadata.uid || deletionTimestamp !== undefined) throw new GraphMoved('the Graph is wanted no more');
  }

  /** Writes what differs; false: everything was so already. Throws GraphMoved if the Graph is not the one that was read. */
  async write(change: StatusChange): Promise<boolean> {
    const difference = differenceOf(this.status, change);
    if (difference === undefined) return false;
    await this.#attempt(() => this.#sendStatus(difference));
    return true;
  }

  /**
   * Adds what was made to the inventory, whatever the Graph has become meanwhile: its teardown finds it there. False: the Graph is gone, or nothing
   * of this controller holds it any more. `added` is told what the status was before and after, where that differs.
   */
  async add(made: Inventory, added: (before: GraphStatus, after: GraphStatus) => void): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      const live = await this.#live();
      if (live === undefined) return false;
      const stored = this.#store.observe(live);
      const { uid, deletionTimestamp, finalizers = [] } = stored.graph.metadata;
      if (uid !== this.#stored.graph.metadata.uid) return false;
      if (deletionTimestamp !== undefined && !finalizers.includes(GRAPH_FINALIZER)) return false;
      this.#stored = stored;
      const before = this.status;
      const { managedResources = [], contributions = [] } = before;
      const status = differenceOf(before, withMade({ managedResources, contributions }, made));
      if (status === undefined) return true;
      try {
        await this.#sendStatus(status);
        added(before, this.status);
        return true;
      } catch (error) {
        if (!this.#saysGone(error) && (!isConflict(error) || attempt >= ATTEMPTS_TO_ADD)) throw error;
      }
    }
  }

  /** Adds or removes the finalizer. */
  async setFinalizers(finalizers: readonly string[]): Promise<void> {
    await this.#attempt(() => this.#sendFinalizers(finalizers));
  }

  /** How many bytes the Graph with these inventories may still grow by, every UID known; negative where it is too large already. */
  roomBeside(inventory: Inventory): number {
    const { graph, managedFieldsBytes } = this.#stored;
    const others = { ...graph, status: { ...graph.status, managedResources: [], contributions: [] } };
    return LARGEST - RESERVE - managedFieldsBytes - Buffer.byteLength(printJson(others)) - sizeOf(inventory);
  }

  async #attempt(send: () => Promise<void>): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await send();
      } catch (error) {
        if (this.#saysGone(error)) throw new GraphMoved('the Graph is gone');
        if (!isConflict(error) || attempt >= ATTEMPTS) throw error;
        await this.#readAgain();
      }
    }
  }

  // A PUT: a patch costs the API server half as much again, and the spec, which it leaves alone here, need not be sent.
  async #sendStatus(difference: JsonObject): Promise<void> {
    const { namespace, name, uid, resourceVersion } = this.#stored.graph.metadata;
    const manifest = {
      apiVersion: API_VERSION,
      kind: GRAPH_KIND,
      metadata: { namespace, name, uid, resourceVersion },
      status: withoutNulls({ ...this.status, ...difference }),
    };
    this.#observe(await this.#client.updateStatus(this.#ref, manifest, this.#options));
  }

  async #sendFinalizers(finalizers: readonly string[]): Promise<void> {
    const { uid = '', resourceVersion = '' } = this.#stored.graph.metadata;
    const body = { metadata: { uid, resourceVersion, finalizers } };
    this.#observe(await this.#client.patch(this.#ref, { type: 'merge', body }, this.#options));
  }

  get #options(): WriteOptions {
    return { fieldManager: UPDATE_MANAGER, signal: this.#signal };
  }

  #observe({ object }: Written): void {
    const known = this.#store.observe(object);
    // Its watch may know a later one by now, which others wrote: the next write rests upon this one, so that it finds that out.
    const isThis = known.graph.metadata.resourceVersion === object.metadata.resourceVersion;
    this.#stored = isThis ? known : asStored(object);
    this.#store.dealt(this.#key, object.metadata.resourceVersion ?? '');
  }

  async #live(): Promise<KubeObject | undefined> {
    try {
      return await this.#client.get(this.#ref, { signal: this.#signal });
    } catch (error) {
      if (this.#saysGone(error)) return undefined;
      throw error;
    }
  }

  /** Another wrote meanwhile: goes on only if what this reconcile rests upon is the same. */
  async #readAgain(): Promise<void> {
    const before = this.#stored.graph;
    const live = await this.#live();
    if (live === undefined) throw new GraphMoved('the Graph is gone');
    const stored = this.#store.observe(live);
    const now = stored.graph;
    const isSame =
      now.metadata.uid === before.metadata.uid &&
      now.metadata.generation === before.metadata.generation &&
      now.metadata.deletionTimestamp === before.metadata.deletionTimestamp &&
      isEqualJson(toJson(now.metadata.annotations), toJson(before.metadata.annotations)) &&
      // Graphs that this one stamps inherit those that put it into its shard.
      isEqualJson(toJson(now.metadata.labels), toJson(before.metadata.labels)) &&
      isEqualJson(toJson(now.metadata.finalizers), toJson(before.metadata.finalizers)) &&
      isEqualJson(toJson(now.status), toJson(before.status));
    // What has moved stays as it was here: a node of the same walk that announces something after this must not write over what others stored.
    if (!isSame) throw new GraphMoved('the Graph has changed');
    this.#stored = stored;
  }

  /** Any other 404 says nothing of the Graph: its kind may not be served at this moment, and what is made for it is not to be taken away. */
  #saysGone(error: unknown): boolean {
    return isObjectNotFound(error, this.#ref) || isNamespaceNotFound(error, this.#ref.namespace ?? '');
  }

  get #ref(): ObjectRef {
    const { namespace = '', name } = this.#stored.graph.metadata;
    return { ...GRAPHS, namespace, name };
  }
}

const ATTEMPTS = 3;
const ATTEMPTS_TO_ADD = 10;

/** The members that differ, null where one goes; undefined: none. Empty inventories are left out of a status, not written as empty lists. */
function differenceOf(status: GraphStatus, change: StatusChange): JsonObject | undefined {
  const difference: Record<string, JsonValue> = {};
  for (const [member, value] of Object.entries(withCount(change))) {
    if (value === undefined) continue;
    const wanted = Array.isArray(value) && value.length === 0 ? null : toJson(value);
    const stored = toJson(Object.hasOwn(status, member) ? status[member as keyof GraphStatus] : undefined) ?? null;
    const isEmptyStored = Array.isArray(stored) && stored.length === 0;
    if (!isEqualJson(stored, wanted) && !(wanted === null && isEmptyStored)) difference[member] = wanted ?? null;
  }
  return Object.keys(difference).length === 0 ? undefined : difference;
}

function withCount(change: StatusChange): StatusChange & { readonly managedResourceCount?: number } {
  return change.managedResources === undefined ? change : { ...change, managedResourceCount: change.managedResources.length };
}

/** Status members are JSON by their types. */
function toJson(value: unknown): JsonValue | undefined {
  return value as JsonValue | undefined;
}

function withoutNulls(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
