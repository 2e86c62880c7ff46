import type { KubeObject } from '../api/object.ts';
import type { KubeClient, ObjectList, ObjectMetadata, Selection, WatchEvent, WatchOptions } from './client.ts';
import type { Clock } from './clock.ts';
import { type ApiError, isAborted, isForbidden, isGone, isKindNotServed, isMethodNotAllowed } from './error.ts';
import type { ResourceRef } from './resource.ts';
import { silenceLimit } from './silence.ts';
import { WATCH_PAUSES, type WatchPauseLimits, WatchPauses } from './watch-pauses.ts';

/** What became of one object; both sides are the caller's own records. */
export interface Change<R> {
  /** `namespace/name`, or the name of a cluster-scoped object. */
  readonly key: string;
  readonly before: R | undefined;
  /** Undefined: the object is gone. */
  readonly after: R | undefined;
}

/**
 * Where a reflector stands. `synced`: the store follows the cluster. `retrying`: it did not answer; the store is what it was.
 * `refused`: it may not be watched, or is not served; the store is empty if it is not served. Tried again in minutes.
 */
export type ReflectorState =
  | { readonly word: 'idle' | 'listing' | 'synced' | 'stopped' }
  | { readonly word: 'retrying'; readonly error: unknown }
  | { readonly word: 'refused'; readonly error: ApiError };

/** Why a watch was ended or lost. */
export type WatchEnd = 'ended' | 'expired' | 'silent' | 'cut' | 'refused';

/** What to reflect. `project` makes the small record that is kept of an object; the object itself is dropped (bench: 88 against 100 MiB for 10,000). */
export interface ReflectorOptions<R> {
  readonly client: KubeClient;
  readonly resource: ResourceRef;
  readonly selection?: Selection;
  readonly what:
    | { readonly kind: 'metadata'; readonly project: (object: ObjectMetadata) => R }
    | { readonly kind: 'whole'; readonly project: (object: KubeObject) => R };
  readonly onChange?: (change: Change<R>) => void;
  readonly onState?: (state: ReflectorState) => void;
  readonly onWatchEnd?: (reason: WatchEnd) => void;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Tests shorten these. */
  readonly timing?: Partial<ReflectorTiming>;
}

/** Milliseconds, but for the seconds that a watch lives at least. */
export interface ReflectorTiming extends WatchPauseLimits {
  /** A watch lives for one to two times this. */
  readonly watchSeconds: number;
  /** So long a watch that has had a bookmark may be silent; they come every minute. */
  readonly silence: number;
}

const TIMING: ReflectorTiming = { ...WATCH_PAUSES, watchSeconds: 300, silence: 180_000 };
const PAGE_SIZE = 500;
/** A watch that lived so long, or told something, was healthy: the next failure is a first one. */
const HEALTHY_AFTER = 10_000;
const STALE_GRACE = 15_000;

interface Kept<R> {
  readonly version: string;
  readonly record: R;
}

/** List and watch of one resource, as a store of small records that follows the cluster (graph.md 11). Started once, stopped once. */
export class Reflector<R> {
  readonly #options: ReflectorOptions<R>;
  readonly #timing: ReflectorTiming;
  readonly #stopping = new AbortController();
  readonly #waiting = new Set<() => void>();
  #store = new Map<string, Kept<R>>();
  #state: ReflectorState = { word: 'idle' };
  #hasSynced = false;
  /** Where the next watch begins; undefined: list first. */
  #version: string | undefined;
  /** When the present watch was opened, on the clock; infinity: it is not yet. */
  #openedAt = Number.POSITIVE_INFINITY;
  #hasTold = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ReflectorOptions<R>) {
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
  }

  get state(): ReflectorState {
    return this.#state;
  }

  /** Whether the store was complete once. */
  hasSynced(): boolean {
    return this.#hasSynced;
  }

  get size(): number {
    return this.#store.size;
  }

  get(key: string): R | undefined {
    return this.#store.get(key)?.record;
  }

  *entries(): IterableIterator<readonly [key: string, record: R]> {
    for (const [key, { record }] of this.#store) yield [key, record];
  }

  /** Begins to list and to watch. */
  start(): void {
    if (this.#state.word === 'idle') this.#running = this.#run(this.#stopping.signal);
  }

  /** Ends it; resolves when nothing of it runs any more, at once but for the way of an aborted request. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#become({ word: 'stopped' });
  }

  /** Resolves when it is first known whether this can be watched: `synced`, `refused` or `stopped`; or when the signal is aborted. */
  async opened(signal?: AbortSignal): Promise<ReflectorState> {
    while (!signal?.aborted && !['synced', 'refused', 'stopped'].includes(this.#state.word)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      const wake = (): void => resolve();
      signal?.addEventListener('abort', wake);
      await promise;
      signal?.removeEventListener('abort', wake);
      this.#waiting.delete(resolve);
    }
    return this.#state;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    const pauses = new WatchPauses(this.#timing, random);
    while (!signal.aborted) {
      this.#openedAt = Number.POSITIVE_INFINITY;
      this.#hasTold = false;
      let pause = 0;
      try {
        if (this.#version === undefined) {
          await this.#list(signal);
          this.#become({ word: 'synced' });
        }
        await this.#watch(signal);
        this.#options.onWatchEnd?.('ended');
        // A server that ends watches at once is not asked again at once.
        if (this.#hasLived()) pauses.forget();
        else pause = pauses.afterEnd();
      } catch (error) {
        if (signal.aborted) return;
        if (this.#hasLived() || this.#hasTold) pauses.forget();
        this.#fail(error);
        pause = pauses.afterError(error, this.#state.word === 'refused');
      }
      if (pause > 0) await clock.sleep(pause, signal);
    }
  }

  #hasLived(): boolean {
    return this.#options.clock.now() - this.#openedAt > HEALTHY_AFTER;
  }

  #fail(error: unknown): void {
    if (isGone(error)) {
      this.#version = undefined;
      this.#options.onWatchEnd?.('expired');
      return;
    }
    if (isForbidden(error) || isMethodNotAllowed(error) || isKindNotServed(error)) {
      this.#version = undefined;
      this.#options.onWatchEnd?.('refused');
      if (isKindNotServed(error)) this.#replaceBy(new Map());
      this.#become({ word: 'refused', error });
      return;
    }
    this.#options.onWatchEnd?.(isAborted(error) ? 'silent' : 'cut');
    this.#become({ word: 'retrying', error });
  }

  async #list(signal: AbortSignal): Promise<void> {
    if (!this.#hasSynced) this.#become({ word: 'listing' });
    const fresh = new Map<string, Kept<R>>();
    let next = '';
    let limit: number | undefined = PAGE_SIZE;
    for (;;) {
      let page: ObjectList<ObjectMetadata> | undefined;
      try {
        page = await this.#listPage({ limit, continue: next, signal });
      } catch (error) {
        // The version of the first page was compacted away meanwhile: all in one answer.
        if (!isGone(error) || next === '') throw error;
        fresh.clear();
        next = '';
        limit = undefined;
        continue;
      }
      for (const object of page.items) fresh.set(keyOf(object), this.#keep(object));
      next = page.continue;
      if (next === '') {
        this.#replaceBy(fresh);
        this.#version = page.resourceVersion;
        this.#hasSynced = true;
        return;
      }
    }
  }

  #listPage(options: { limit: number | undefined; continue: string; signal: AbortSignal }): Promise<ObjectList<ObjectMetadata>> {
    const { client, resource, selection, what } = this.#options;
    const wanted = { ...selection, ...options };
    return what.kind === 'metadata' ? client.listMetadata(resource, wanted) : client.list(resource, wanted);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const timeoutSeconds = Math.ceil(this.#timing.watchSeconds * (1 + this.#options.random()));
    const silence = silenceLimit(signal, timeoutSeconds * 1000 + STALE_GRACE);
    const onOpen = (): void => {
      this.#openedAt = this.#options.clock.now();
      this.#become({ word: 'synced' });
    };
    try {
      for await (const event of this.#events({ resourceVersion: this.#version, timeoutSeconds, signal: silence.signal, onOpen })) {
        silence.heard(event.type === 'BOOKMARK' ? this.#timing.silence : undefined);
        this.#follow(event);
      }
    } finally {
      silence.end();
    }
  }

  #events(options: WatchOptions): AsyncIterable<WatchEvent<ObjectMetadata>> {
    const { client, resource, selection, what } = this.#options;
    const wanted = { ...selection, ...options };
    return what.kind === 'metadata' ? client.watchMetadata(resource, wanted) : client.watch(resource, wanted);
  }

  #follow({ type, object }: WatchEvent<ObjectMetadata>): void {
    this.#version = object.metadata.resourceVersion ?? this.#version;
    this.#hasTold = true;
    if (type === 'BOOKMARK') return;
    const key = keyOf(object);
    const before = this.#store.get(key)?.record;
    if (type === 'DELETED') {
      this.#store.delete(key);
      this.#options.onChange?.({ key, before, after: undefined });
      return;
    }
    const kept = this.#keep(object);
    this.#store.set(key, kept);
    this.#options.onChange?.({ key, before, after: kept.record });
  }

  #replaceBy(fresh: Map<string, Kept<R>>): void {
    const old = this.#store;
    this.#store = fresh;
    const { onChange } = this.#options;
    if (!onChange) return;
    for (const [key, { record, version }] of fresh) {
      const before = old.get(key);
      if (before?.version !== version) onChange({ key, before: before?.record, after: record });
    }
    for (const [key, { record }] of old) {
      if (!fresh.has(key)) onChange({ key, before: record, after: undefined });
    }
  }

  #keep(object: ObjectMetadata): Kept<R> {
    const { what } = this.#options;
    const record = what.kind === 'metadata' ? what.project(object) : what.project(object as KubeObject);
    return { version: object.metadata.resourceVersion ?? '', record };
  }

  #become(state: ReflectorState): void {
    if (this.#state.word === 'stopped') return;
    const isNews = state.word !== this.#state.word || 'error' in state;
    this.#state = state;
    if (!isNews) return;
    this.#options.onState?.(state);
    for (const wake of this.#waiting) wake();
  }
}

/** The key of an object in a reflector's store. */
export function keyOf({ metadata }: ObjectMetadata): string {
  return objectKey(metadata.namespace, metadata.name);
}

/** The same, from its parts. */
export function objectKey(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}
