import type { Budget } from './budget.ts';
import { equals } from './equality.ts';
import type { ListMerge } from './type.ts';
import { isMap, mapGet, type Value } from './value.ts';

const MERGE: unique symbol = Symbol('merge');

interface MergingList {
  readonly [MERGE]?: ListMerge;
}

/** The list marked as a set or a map by keys (`x-kubernetes-list-type`): `==` then ignores order and `+` is a union. A copy. */
export function markList(list: readonly Value[], merge: ListMerge): readonly Value[] {
  if (mergeOf(list) !== undefined) return list;
  const marked = [...list];
  Object.defineProperty(marked, MERGE, { value: merge });
  return marked;
}

/** How a list's elements are told apart; undefined for a plain list. */
export function mergeOf(list: readonly Value[]): ListMerge | undefined {
  return (list as MergingList)[MERGE];
}

/** `a + b`: concatenated, or the union if `a` is a set or a map by keys, where elements of `b` replace those of `a`. */
export function mergeLists(a: readonly Value[], b: readonly Value[], budget: Budget): readonly Value[] {
  const merge = mergeOf(a);
  if (merge === undefined) return a.length === 0 ? b : b.length === 0 ? a : [...a, ...b];
  const result = [...a];
  for (const item of b) {
    const at = result.findIndex((existing) => isSameElement(existing, item, merge, budget));
    if (at < 0) result.push(item);
    else result[at] = item;
  }
  return markList(result, merge);
}

/** `a == b` where `a` is a set or a map by keys: the same elements in any order. */
export function equalMerged(a: readonly Value[], b: readonly Value[], merge: ListMerge, budget: Budget | undefined): boolean {
  if (a.length !== b.length) return false;
  const rest = [...b];
  for (const item of a) {
    const at = rest.findIndex((other) => isSameElement(item, other, merge, budget));
    const other = rest[at];
    if (other === undefined || !equals(item, other, budget)) return false;
    rest.splice(at, 1);
  }
  return true;
}

function isSameElement(a: Value, b: Value, merge: ListMerge, budget: Budget | undefined): boolean {
  budget?.spend(1);
  if (merge.kind === 'set') return equals(a, b, budget);
  if (!isMap(a) || !isMap(b)) return false;
  return merge.keys.every((key) => {
    const left = mapGet(a, key);
    const right = mapGet(b, key);
    return left === undefined || right === undefined ? left === right : equals(left, right, budget);
  });
}
