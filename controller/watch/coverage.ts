import type { ObjectMeta } from '../../src/api/object.ts';
import type { LabelSelector } from '../../src/engine/selector.ts';
import type { AccessReviews } from '../../src/kube/access.ts';
import type { ObjectRef } from '../../src/kube/client.ts';
import { type ApiError, isKindNotServed } from '../../src/kube/error.ts';
import type { ResourceRef } from '../../src/kube/resource.ts';
import type { Verdict } from '../status/conditions.ts';
import type { Dealer } from './dealt.ts';
import { placeOf } from './place.ts';
import type { LiveRecord } from './record.ts';
import { type LiveWatch, scopeKey, type WatchScope } from './reflectors.ts';
import type { SelectorWatch, WatchSession } from './subscriptions.ts';

/** What the applier may do in a scope. */
interface Rights {
  readonly watch: boolean;
  readonly get: boolean;
}

/** What is known of an object without asking the API server. */
export type Known = { readonly isKnown: true; readonly record: LiveRecord | undefined } | { readonly isKnown: false };

/** Why a scope is not covered: it cannot be watched (`blocked`, its message a sentence), or its watch is still being opened (`pending`, its name). */
interface Uncovered {
  readonly word: 'blocked' | 'pending';
  readonly message: string;
}

/** So long a reconcile waits for a watch to open before it reads without it. */
const PATIENCE = 5000;

/** What one reconcile watches and may know from that: only what its applier may watch itself (graph.md 11). */
export class Coverage {
  readonly #session: WatchSession;
  readonly #access: AccessReviews;
  readonly #applierUser: string;
  readonly #signal: AbortSignal;
  readonly #opened = new Map<string, Promise<boolean>>();
  /** By scope, once it is covered: whether the applier may read what is watched there. */
  readonly #covered = new Map<string, boolean>();
  /** By scope, once it was looked at in vain. */
  readonly #uncovered = new Map<string, Uncovered>();

  constructor(options: {
    readonly session: WatchSession;
    readonly access: AccessReviews;
    readonly applierUser: string;
    readonly signal: AbortSignal;
  }) {
    this.#session = options.session;
    this.#access = options.access;
    this.#applierUser = options.applierUser;
    this.#signal = options.signal;
  }

  /** Watches an object from here on, and tells what is known of it. */
  async object(ref: ObjectRef): Promise<Known> {
    const place = placeOf(ref);
    const rights = await this.#rights(place.scope);
    if (!rights.watch) return { isKnown: false };
    const watch = this.#session.object(place);
    if (!(await this.#isOpen(watch))) return { isKnown: false };
    this.#covered.set(watch.key, rights.get);
    return { isKnown: true, record: watch.record(place.key) };
  }

  /** Opens the watches of these objects, so that `objectNow` knows of each. */
  async cover(refs: readonly ObjectRef[]): Promise<void> {
    const scopes = new Map(refs.map((ref) => [placeOf(ref).scopeKey, ref]));
    await Promise.all([...scopes].map(([scope, ref]) => (this.#covered.has(scope) ? undefined : this.object(ref))));
  }

  /** `object` at once, where its watch has been opened already; undefined: it has to be asked for, or does not exist. */
  objectNow(ref: ObjectRef): LiveRecord | undefined {
    const place = placeOf(ref);
    if (!this.#covered.has(place.scopeKey)) return undefined;
    const watch = this.#session.object(place);
    return watch.isKnowing ? watch.record(place.key) : undefined;
  }

  /** Whether the applier is known to be allowed to read what is covered. */
  mayGet(ref: ObjectRef): boolean {
    return this.#covered.get(placeOf(ref).scopeKey) ?? false;
  }

  /** What is known of an object that is watched already; nothing is asked or opened. */
  peek(ref: ObjectRef): Known {
    const { scopeKey, key } = placeOf(ref);
    const watch = this.#session.watched(scopeKey);
    return watch?.isKnowing ? { isKnown: true, record: watch.record(key) } : { isKnown: false };
  }

  /** Watches what a selector selects; undefined: it is not covered, so that the list must be read every time. */
  async selector(resource: ResourceRef, path: string, selector: LabelSelector): Promise<SelectorWatch | undefined> {
    const scope = scopeOf(resource);
    if (!(await this.#rights(scope)).watch) return undefined;
    const { list, watch } = this.#session.selector(scope, path, selector);
    return (await this.#isOpen(watch)) ? list : undefined;
  }

  /** An answer tells a dealer what an object is like now. */
  observe(ref: ObjectRef, metadata: ObjectMeta, dealer: Dealer): void {
    const place = placeOf(ref);
    this.#session.watched(place.scopeKey)?.observe(metadata);
    this.#session.dealt(place, dealer, metadata.resourceVersion ?? '');
  }

  /** A dealer has dealt with this version of an object, or with its absence (`''`), without asking anew. */
  dealt(ref: ObjectRef, dealer: Dealer, resourceVersion: string): void {
    this.#session.dealt(placeOf(ref), dealer, resourceVersion);
  }

  /** An answer tells that an object is gone. */
  observeGone(ref: ObjectRef, uid: string): void {
    this.#session.watched(placeOf(ref).scopeKey)?.observeGone(ref.namespace, ref.name, uid);
  }

  /** Whether a watch was not open in time; its opening wakes the Graph. */
  get isPending(): boolean {
    return this.#messages('pending').length > 0;
  }

  /** Whether something is not covered, so that it must be read again after a while. */
  get isBlocked(): boolean {
    return this.#messages('blocked').length > 0;
  }

  /** The scopes that are not covered, as far as they were looked at. */
  get uncovered(): ReadonlySet<string> {
    return new Set(this.#uncovered.keys());
  }

  /** Only these scopes are still used: that another is not covered concerns the Graph no more. */
  keepOnly(scopes: ReadonlySet<string>): void {
    for (const scope of this.uncovered) if (!scopes.has(scope)) this.#uncovered.delete(scope);
  }

  /** The condition WatchesHealthy. */
  verdict(): Verdict {
    const type = 'WatchesHealthy';
    const blocked = this.#messages('blocked');
    if (blocked.length > 0) return { type, status: 'False', reason: 'WatchBlocked', message: blocked.join('\n') };
    const pending = this.#messages('pending');
    if (pending.length > 0) return { type, status: 'Unknown', reason: 'WatchesPending', message: `not yet watched: ${pending.join(', ')}` };
    return { type, status: 'True', reason: 'AllWatchesSynced', message: '' };
  }

  commit(): void {
    this.#session.commit();
  }

  abort(): void {
    this.#session.abort();
  }

  async #rights(scope: WatchScope): Promise<Rights> {
    const { group, plural, namespace } = scope;
    // Whether what is watched may be published is asked at the same time: then it is known when something changes.
    const [watch, get] = await Promise.all([
      this.#access.can(this.#applierUser, { verb: 'watch', group, plural, namespace }, this.#signal),
      this.#access.can(this.#applierUser, { verb: 'get', group, plural, namespace }, this.#signal),
    ]);
    if (!watch) this.#block(scope, `${this.#applierUser} may not watch ${print(scope)}`);
    return { watch, get };
  }

  /** Whether what the watch knows may be believed; waits a while for one that is being opened. */
  #isOpen(watch: LiveWatch): Promise<boolean> {
    let opened = this.#opened.get(watch.key);
    if (opened === undefined) {
      opened = this.#open(watch);
      this.#opened.set(watch.key, opened);
    }
    return opened;
  }

  async #open(watch: LiveWatch): Promise<boolean> {
    if (!watch.isKnowing && watch.state.word !== 'refused') {
      await watch.opened(AbortSignal.any([this.#signal, AbortSignal.timeout(PATIENCE)]));
      this.#signal.throwIfAborted();
    }
    if (watch.isKnowing) return true;
    const { state } = watch;
    if (state.word === 'refused')
      this.#block(watch.scope, `the controller cannot watch ${print(watch.scope)} (${printRefusal(state.error)})`);
    else this.#uncovered.set(watch.key, { word: 'pending', message: print(watch.scope) });
    return false;
  }

  #block(scope: WatchScope, why: string): void {
    this.#uncovered.set(scopeKey(scope), { word: 'blocked', message: `${why}: read again every 5 minutes` });
  }

  #messages(wanted: Uncovered['word']): string[] {
    return [...this.#uncovered.values()]
      .filter(({ word }) => word === wanted)
      .map(({ message }) => message)
      .sort();
  }
}

function scopeOf({ group, version, plural, namespace }: ResourceRef): WatchScope {
  return { group, version, plural, namespace: namespace ?? '' };
}

function print({ group, plural, namespace }: WatchScope): string {
  return `${group === '' ? plural : `${plural}.${group}`}${namespace === undefined || namespace === '' ? '' : ` in namespace ${namespace}`}`;
}

/** A path that no server knows is answered without a `Status`, and so without a reason. */
function printRefusal(error: ApiError): string {
  const { code, reason } = error;
  if (isKindNotServed(error)) return 'not served';
  return reason === '' ? `HTTP ${code}` : reason;
}
