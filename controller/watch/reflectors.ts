import type { ObjectMeta } from '../../src/api/object.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import type { Clock } from '../../src/kube/clock.ts';
import { objectKey, Reflector, type ReflectorState, type WatchEnd } from '../../src/kube/reflector.ts';
import type { ResourceRef } from '../../src/kube/resource.ts';
import { isAsNew, type LiveRecord, ManagerLists, recordOf } from './record.ts';

/** One resource in one namespace, or in all. */
export type WatchScope = Pick<ResourceRef, 'group' | 'version' | 'plural' | 'namespace'>;

/** Something became of an object. */
export interface LiveChange {
  readonly scope: string;
  /** `namespace/name`, or the name of a cluster-scoped object. */
  readonly key: string;
  readonly before: LiveRecord | undefined;
  readonly after: LiveRecord | undefined;
}

/** What the pool of watches tells. */
export interface WatchListener {
  changed(change: LiveChange): void;
  /** A watch has begun to work, or no longer does. */
  stateChanged(scope: string): void;
  /** A watch that began anew knows again; what went meanwhile it could not tell. */
  renewed(scope: string): void;
}

/** What the pool is made of. */
export interface WatchPoolOptions {
  /** The controller's own identity. */
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: () => number;
  readonly listener: WatchListener;
  /** The version in which a scope can be watched now: its own while that is served. Nothing is asked for it. */
  readonly servedVersion: (scope: WatchScope) => string;
  readonly onWatchEnd?: ((reason: WatchEnd) => void) | undefined;
}

/** The text that stands for a scope; the version is no part of it. */
export function scopeKey({ group, plural, namespace }: WatchScope): string {
  return `${group}/${plural}/${namespace ?? ''}`;
}

/** So long a watch that nobody uses stays open: a Graph that is deleted and made again costs no list. */
const LINGER = 60_000;

/** Metadata watches, one per resource and namespace, shared by all Graphs and counted (graph.md 11). */
export class WatchPool {
  readonly #options: WatchPoolOptions;
  readonly #lists = new ManagerLists();
  readonly #watches = new Map<string, LiveWatch>();

  constructor(options: WatchPoolOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#watches.size;
  }

  get(scope: string): LiveWatch | undefined {
    return this.#watches.get(scope);
  }

  /** The watch of a scope, opened if there is none; each `acquire` needs its `release`. */
  acquire(scope: WatchScope): LiveWatch {
    const key = scopeKey(scope);
    let watch = this.#watches.get(key);
    if (watch === undefined) {
      watch = new LiveWatch(key, scope, this.#options, this.#lists);
      this.#watches.set(key, watch);
      watch.start();
    }
    watch.users++;
    return watch;
  }

  /** A user less; the last one closes the watch, after a while. */
  release(watch: LiveWatch): void {
    watch.users--;
    if (watch.users > 0) return;
    void this.#options.clock.sleep(LINGER).then(() => this.#closeIfUnused(watch));
  }

  /**
   * Kinds of these groups have come, changed or gone: their watches begin anew, in another version where theirs is no longer served. One that
   * was refused need not wait; and of one that goes on, nobody can say that it has told the end of every object of a kind that went and came back.
   */
  beginAnew(groups: ReadonlySet<string>): void {
    for (const watch of this.#watches.values()) if (groups.has(watch.scope.group)) watch.restart();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch.stop()));
    this.#watches.clear();
  }

  async #closeIfUnused(watch: LiveWatch): Promise<void> {
    if (watch.users > 0 || this.#watches.get(watch.key) !== watch) return;
    this.#watches.delete(watch.key);
    await watch.stop();
  }
}

/** The live objects of one scope, as records; own writes are known at once, before their events come back. */
export class LiveWatch {
  readonly key: string;
  /** As its first user named it; it is watched in another version where that one is not served. */
  readonly scope: WatchScope;
  /** How many subscriptions hold it open. */
  users = 0;
  /** Whether anybody selects by labels here. */
  selectors = 0;
  readonly #options: WatchPoolOptions;
  readonly #lists: ManagerLists;
  /** Answers to our own writes that are newer than what the watch has told. */
  readonly #answers = new Map<string, LiveRecord>();
  /** UIDs of objects that we saw go. */
  readonly #gone = new Set<string>();
  /** The version that is watched: kept while it is served, so that Graphs of several versions do not make it change. */
  #version: string;
  #reflector: Reflector<LiveRecord>;
  #isRenewing = false;

  constructor(key: string, scope: WatchScope, options: WatchPoolOptions, lists: ManagerLists) {
    this.key = key;
    this.scope = scope;
    this.#version = scope.version;
    this.#options = options;
    this.#lists = lists;
    this.#reflector = this.#make();
  }

  get state(): ReflectorState {
    return this.#reflector.state;
  }

  /** Whether what this knows of an object may be believed: it has been complete once and has not been refused since. */
  get isKnowing(): boolean {
    return this.#reflector.hasSynced() && this.#reflector.state.word !== 'refused';
  }

  get size(): number {
    return this.#reflector.size;
  }

  start(): void {
    this.#reflector.start();
  }

  /** Resolves when the watch works or is known not to, or when the signal comes. */
  async opened(signal: AbortSignal): Promise<void> {
    await this.#reflector.opened(signal);
  }

  /** What is known of an object, by its `objectKey`; undefined: it does not exist. */
  record(key: string): LiveRecord | undefined {
    const told = this.#reflector.get(key);
    const answered = this.#answers.get(key);
    if (answered === undefined) return told !== undefined && this.#gone.has(told.uid) ? undefined : told;
    if (told !== undefined && isAsNew(told.resourceVersion, answered.resourceVersion)) {
      this.#answers.delete(key);
      return told;
    }
    return answered;
  }

  /** An answer to a write or a read tells of an object. */
  observe(metadata: ObjectMeta): LiveRecord {
    const record = this.#record(metadata);
    const key = objectKey(metadata.namespace, metadata.name);
    const known = this.record(key);
    if (known === undefined || !isAsNew(known.resourceVersion, record.resourceVersion)) this.#answers.set(key, record);
    return record;
  }

  /** An answer tells that an object with this UID is gone. */
  observeGone(namespace: string | undefined, name: string, uid: string): void {
    const key = objectKey(namespace, name);
    if (this.#answers.get(key)?.uid === uid) this.#answers.delete(key);
    if (this.#reflector.get(key)?.uid !== uid) return;
    if (this.#gone.size >= MOST_GONE) this.#gone.clear();
    this.#gone.add(uid);
  }

  restart(): void {
    const old = this.#reflector;
    this.#isRenewing = true;
    this.#answers.clear();
    this.#reflector = this.#make();
    this.#reflector.start();
    void old.stop();
  }

  async stop(): Promise<void> {
    await this.#reflector.stop();
  }

  #make(): Reflector<LiveRecord> {
    const { client, clock, random, listener, servedVersion, onWatchEnd } = this.#options;
    this.#version = servedVersion({ ...this.scope, version: this.#version });
    return new Reflector<LiveRecord>({
      client,
      clock,
      random,
      resource: { ...this.scope, version: this.#version },
      what: { kind: 'metadata', project: ({ metadata }) => this.#record(metadata) },
      onChange: ({ key, before, after }) => {
        this.#told(key, before, after);
        listener.changed({ scope: this.key, key, before, after });
      },
      onState: ({ word }) => {
        listener.stateChanged(this.key);
        if (!this.#isRenewing || word !== 'synced') return;
        this.#isRenewing = false;
        listener.renewed(this.key);
      },
      onWatchEnd: (reason) => {
        // What comes next may be a list, which does not tell of objects that came and went meanwhile.
        if (reason !== 'ended') this.#answers.clear();
        onWatchEnd?.(reason);
      },
    });
  }

  /** The echo of an own write is the record that its answer made, unless labels are kept that this had not. */
  #record(metadata: ObjectMeta): LiveRecord {
    const answered = this.#answers.get(objectKey(metadata.namespace, metadata.name));
    const isEcho = answered?.resourceVersion === metadata.resourceVersion && answered?.uid === metadata.uid;
    if (answered !== undefined && isEcho && (answered.labels !== undefined || this.selectors === 0)) return answered;
    return recordOf(metadata, this.#lists, this.selectors > 0);
  }

  /** The watch has caught up with an answer, or tells of the end of its object. */
  #told(key: string, before: LiveRecord | undefined, after: LiveRecord | undefined): void {
    const answered = this.#answers.get(key);
    if (before !== undefined && before.uid !== after?.uid) this.#gone.delete(before.uid);
    if (answered === undefined) return;
    if (after === undefined ? before?.uid === answered.uid : isAsNew(after.resourceVersion, answered.resourceVersion))
      this.#answers.delete(key);
  }
}

const MOST_GONE = 10_000;
