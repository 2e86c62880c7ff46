import type { ResourceKind } from '../api/object.ts';
import { kindKey } from '../schema/document.ts';

/** A kind of which something has changed: it came, it went, or it has another schema. */
export interface ChangedKind {
  readonly group: string;
  readonly kind: string;
}

/** What is known of a kind: the hash of its schema; `absent`: not served; `awaited`: nothing that counts can be said now. */
export type KindState = { readonly hash: string } | 'absent' | 'awaited';

/** So many kinds that were asked for are followed, the latest. */
const MOST_FOLLOWED = 10_000;

/** Remembers what those who asked were last told of each kind, so that a change is news once, whoever sees it first. */
export class SchemaChanges {
  readonly #told = new Map<string, { readonly kind: ResourceKind; readonly state: string }>();
  #served: ReadonlyMap<string, ResourceKind> | undefined;

  /** The kinds that somebody asked for. */
  get followed(): ResourceKind[] {
    return [...this.#told.values()].map(({ kind }) => kind);
  }

  /** Those who ask for these kinds are told what is known of them now; news are those that somebody was told otherwise of. */
  tell(kinds: readonly ResourceKind[], stateOf: (kind: ResourceKind) => KindState): ChangedKind[] {
    const changed: ChangedKind[] = [];
    for (const kind of kinds) {
      const key = kindKey(kind);
      const told = this.#told.get(key);
      const state = stateAfter(told?.state, stateOf(kind));
      if (told !== undefined && told.state !== state && state !== 'awaited') changed.push({ group: kind.group, kind: kind.kind });
      this.#told.delete(key);
      this.#told.set(key, { kind, state });
    }
    for (const key of this.#told.keys()) {
      if (this.#told.size <= MOST_FOLLOWED) break;
      this.#told.delete(key);
    }
    return changed;
  }

  /** The kinds that came or went since the last time, but for those that are followed. */
  noteServed(served: readonly ResourceKind[]): ChangedKind[] {
    const before = this.#served;
    const now = new Map(served.map((kind) => [kindKey(kind), kind]));
    this.#served = now;
    if (before === undefined) return [];
    const different = [...[...before].filter(([key]) => !now.has(key)), ...[...now].filter(([key]) => !before.has(key))];
    return different.filter(([key]) => !this.#told.has(key)).map(([, { group, kind }]) => ({ group, kind }));
  }
}

/**
 * A schema that is known stands while nothing can be said. Who was told `absent` may meanwhile use the kind without its schema: that it came is
 * no news yet, but its end would be.
 */
function stateAfter(told: string | undefined, state: KindState): string {
  if (state !== 'awaited') return state === 'absent' ? state : state.hash;
  return told === undefined || told === 'absent' ? 'awaited' : told;
}
