import { isAsNew } from './record.ts';

/**
 * Who dealt with an object: an item of a template or patch by its answer key, a ref as `read` and its path, or `wrote`, which is the Graph
 * itself where none of its nodes acts (release, retain).
 */
export type Dealer = string;

/** The version of an object that one dealer has dealt with; `''`: that there was none. A list, and not a Map, since most objects have one dealer. */
export interface Dealt {
  readonly dealer: Dealer;
  version: string;
  /** The reconcile in which that was. */
  turn: number;
  next: Dealt | undefined;
}

/** Notes that a dealer has dealt with a version; gives the list. Of one turn the newest version counts, since answers may come in another order. */
export function noteDealing(list: Dealt | undefined, { dealer, version, turn }: Omit<Dealt, 'next'>): Dealt {
  let dealt = list;
  while (dealt !== undefined && dealt.dealer !== dealer) dealt = dealt.next;
  if (list === undefined || dealt === undefined) return { dealer, version, turn, next: list };
  if (dealt.turn !== turn || !isAsNew(dealt.version, version)) dealt.version = version;
  dealt.turn = turn;
  return list;
}

/** The list without those who dealt with the object in earlier turns alone: what they have not seen concerns nobody any more. */
export function ofTurn(list: Dealt | undefined, turn: number): Dealt | undefined {
  let first = list;
  while (first !== undefined && first.turn !== turn) first = first.next;
  for (let kept = first; kept !== undefined; ) {
    if (kept.next === undefined || kept.next.turn === turn) kept = kept.next;
    else kept.next = kept.next.next;
  }
  return first;
}

/**
 * Whether a version is news to any dealer, or nobody has dealt with the object at all. So a Graph's own later write to an object is news to
 * those of its nodes that dealt with the object before it (graph.md 8.6), and to nobody where the writer is the only one.
 */
export function isNews(list: Dealt | undefined, version: string): boolean {
  if (list === undefined) return true;
  for (let dealt: Dealt | undefined = list; dealt !== undefined; dealt = dealt.next) if (!isAsNew(dealt.version, version)) return true;
  return false;
}
