import type { LabelSelector } from '../../src/engine/selector.ts';
import { Audience } from './audience.ts';
import { type Dealer, type Dealt, isNews, noteDealing, ofTurn } from './dealt.ts';
import type { WatchPlace } from './place.ts';
import { isAsNew, type LiveRecord } from './record.ts';
import { type LiveChange, type LiveWatch, scopeKey, type WatchPool, type WatchScope } from './reflectors.ts';

/** A list that a Graph has read. */
export interface SelectorWatch {
  readonly selector: LabelSelector;
  /** The versions of what was in the list, by key. */
  versions: ReadonlyMap<string, string>;
  /** Something has come, changed or gone since it was read. */
  isStale: boolean;
}

interface Scope {
  readonly watch: LiveWatch;
  /** Knows of every object and selector below that this Graph wants to hear of them. */
  readonly audience: Audience;
  /** Who has dealt with which version of an object; a change that is news to none of them does not concern the Graph. */
  readonly objects: Map<string, Dealt | undefined>;
  /** By node path. */
  readonly selectors: Map<string, SelectorWatch>;
}

/** What one Graph watches. */
interface Subscription {
  readonly scopes: Map<string, Scope>;
  /** Counts the reconciles. */
  turn: number;
  /** Changes that came while the Graph was being reconciled: judged at its end, when it is known what it has dealt with. */
  pending: LiveChange[] | undefined;
}

/**
 * Who watches what. A reconcile adds what it uses as it goes, before it reads, so that no change is missed; at its end what it did not use is
 * dropped (commit) or, if it did not come through, kept (abort).
 */
export class Subscriptions {
  readonly pool: WatchPool;
  readonly #wake: (graph: string) => void;
  readonly #graphs = new Map<string, Subscription>();
  /** By scope. */
  readonly #audiences = new Map<string, Audience>();

  constructor(pool: WatchPool, wake: (graph: string) => void) {
    this.pool = pool;
    this.#wake = wake;
  }

  /** A reconcile begins. */
  begin(graph: string): WatchSession {
    let subscription = this.#graphs.get(graph);
    if (subscription === undefined) {
      subscription = { scopes: new Map(), turn: 0, pending: undefined };
      this.#graphs.set(graph, subscription);
    }
    subscription.pending = [];
    subscription.turn++;
    return new WatchSession(graph, subscription, {
      open: (scope) => this.#open(graph, scope),
      end: (used) => this.#end(graph, used),
    });
  }

  /** The Graph is gone: nobody watches for it any more. */
  forget(graph: string): void {
    const subscription = this.#graphs.get(graph);
    if (subscription === undefined) return;
    for (const key of [...subscription.scopes.keys()]) this.#drop(graph, subscription, key);
    this.#graphs.delete(graph);
  }

  /** Something became of an object: wakes the Graphs that have not dealt with it yet. */
  changed(change: LiveChange): void {
    for (const graph of this.#audiences.get(change.scope)?.of(change.key) ?? []) {
      const subscription = this.#graphs.get(graph);
      if (subscription === undefined) continue;
      if (subscription.pending !== undefined) subscription.pending.push(change);
      else if (concerns(subscription, change)) this.#wake(graph);
    }
  }

  /**
   * A watch that began anew knows again. What went meanwhile it cannot tell: an object is missed at the next look, but a list that was read may
   * hold it still, and must be read again.
   */
  renewed(scope: string): void {
    for (const graph of this.usersOf(scope)) {
      for (const list of this.#graphs.get(graph)?.scopes.get(scope)?.selectors.values() ?? []) list.isStale = true;
      this.#wake(graph);
    }
  }

  /** The Graphs that use a watch. */
  usersOf(scope: string): Iterable<string> {
    return this.#audiences.get(scope)?.users ?? [];
  }

  #open(graph: string, scope: WatchScope): Pick<Scope, 'watch' | 'audience'> {
    const watch = this.pool.acquire(scope);
    let audience = this.#audiences.get(watch.key);
    if (audience === undefined) {
      audience = new Audience();
      this.#audiences.set(watch.key, audience);
    }
    audience.users.add(graph);
    return { watch, audience };
  }

  #end(graph: string, used: Used | undefined): void {
    const subscription = this.#graphs.get(graph);
    if (subscription === undefined) return;
    const changes = subscription.pending ?? [];
    subscription.pending = undefined;
    if (used !== undefined) this.#dropUnused(graph, subscription, used);
    if (changes.some((change) => concerns(subscription, change))) this.#wake(graph);
  }

  #dropUnused(graph: string, subscription: Subscription, used: Used): void {
    for (const [key, scope] of [...subscription.scopes]) {
      const wanted = used.get(key);
      if (wanted === undefined) {
        this.#drop(graph, subscription, key);
        continue;
      }
      for (const [object, dealt] of scope.objects) {
        if (wanted.objects.has(object)) {
          const present = ofTurn(dealt, subscription.turn);
          if (present !== dealt) scope.objects.set(object, present);
          continue;
        }
        scope.objects.delete(object);
        scope.audience.hearNoMoreOf(object, graph);
      }
      for (const path of scope.selectors.keys()) {
        if (wanted.selectors.has(path)) continue;
        scope.selectors.delete(path);
        scope.watch.selectors--;
      }
      if (scope.selectors.size === 0) scope.audience.hearNoMoreOfAll(graph);
    }
  }

  #drop(graph: string, subscription: Subscription, key: string): void {
    const scope = subscription.scopes.get(key);
    if (scope === undefined) return;
    subscription.scopes.delete(key);
    const { watch, audience } = scope;
    watch.selectors -= scope.selectors.size;
    for (const object of scope.objects.keys()) audience.hearNoMoreOf(object, graph);
    audience.hearNoMoreOfAll(graph);
    audience.users.delete(graph);
    if (audience.users.size === 0) this.#audiences.delete(key);
    this.pool.release(watch);
  }
}

type Used = Map<string, { readonly objects: Set<string>; readonly selectors: Set<string> }>;

interface SessionEnds {
  open(scope: WatchScope): Pick<Scope, 'watch' | 'audience'>;
  end(used: Used | undefined): void;
}

/** What one reconcile watches. Ended exactly once, by `commit` or `abort`. */
export class WatchSession {
  readonly graph: string;
  readonly #scopes: Map<string, Scope>;
  readonly #turn: number;
  readonly #ends: SessionEnds;
  readonly #used: Used = new Map();

  constructor(graph: string, { scopes, turn }: Pick<Subscription, 'scopes' | 'turn'>, ends: SessionEnds) {
    this.graph = graph;
    this.#scopes = scopes;
    this.#turn = turn;
    this.#ends = ends;
  }

  /** Watches one object, there or not. */
  object({ scope, scopeKey, key }: WatchPlace): LiveWatch {
    const { watch, audience, objects } = this.#scope(scopeKey, scope);
    if (!objects.has(key)) {
      objects.set(key, undefined);
      audience.hearOf(key, this.graph);
    }
    this.#use(watch.key).objects.add(key);
    return watch;
  }

  /** Watches what a selector selects, now and later. */
  selector(scope: WatchScope, path: string, selector: LabelSelector): { readonly list: SelectorWatch; readonly watch: LiveWatch } {
    const { watch, audience, selectors } = this.#scope(scopeKey(scope), scope);
    audience.hearOfAll(this.graph);
    let found = selectors.get(path);
    if (found === undefined || found.selector.query !== selector.query) {
      if (found === undefined) watch.selectors++;
      found = { selector, versions: new Map(), isStale: true };
      selectors.set(path, found);
    }
    this.#use(watch.key).selectors.add(path);
    return { list: found, watch };
  }

  /** The watch of a scope that this Graph uses already. */
  watched(key: string): LiveWatch | undefined {
    return this.#scopes.get(key)?.watch;
  }

  /** The version of an object that was published, or that its own write or look was about. */
  dealt({ scopeKey, key }: WatchPlace, dealer: Dealer, version: string): void {
    const objects = this.#scopes.get(scopeKey)?.objects;
    if (objects?.has(key)) objects.set(key, noteDealing(objects.get(key), { dealer, version, turn: this.#turn }));
  }

  /** The reconcile came through: what it did not use is watched no more. */
  commit(): void {
    this.#ends.end(this.#used);
  }

  /** It did not come through: what was watched stays. */
  abort(): void {
    this.#ends.end(undefined);
  }

  #scope(key: string, scope: WatchScope): Scope {
    let found = this.#scopes.get(key);
    if (found === undefined) {
      found = { ...this.#ends.open(scope), objects: new Map(), selectors: new Map() };
      this.#scopes.set(key, found);
    }
    return found;
  }

  #use(key: string): { readonly objects: Set<string>; readonly selectors: Set<string> } {
    let used = this.#used.get(key);
    if (used === undefined) {
      used = { objects: new Set(), selectors: new Set() };
      this.#used.set(key, used);
    }
    return used;
  }
}

/** Whether a change is news to the Graph; marks the lists that it makes stale. */
function concerns(subscription: Subscription, { scope: key, key: object, after }: LiveChange): boolean {
  const scope = subscription.scopes.get(key);
  if (scope === undefined) return false;
  let hasNews = scope.objects.has(object) && (after === undefined || isNews(scope.objects.get(object), after.resourceVersion));
  for (const list of scope.selectors.values()) {
    if (!touches(list, object, after)) continue;
    list.isStale = true;
    hasNews = true;
  }
  return hasNews;
}

function touches(list: SelectorWatch, object: string, after: LiveRecord | undefined): boolean {
  const listed = list.versions.get(object);
  if (after === undefined) return listed !== undefined;
  const isSelected = after.labels === undefined || list.selector.matches(after.labels);
  if (!isSelected) return listed !== undefined;
  return listed === undefined || !isAsNew(listed, after.resourceVersion);
}
