import type { Budget } from '../budget.ts';
import { compare } from '../equality.ts';
import { fail } from '../error.ts';
import { Duration, isDouble, isInt, Timestamp, Uint, type Value } from '../value.ts';

/** The list in ascending order of its keys. The keys must all be of one ordered type. */
export function sortByKeys(list: readonly Value[], keys: readonly Value[], budget: Budget): readonly Value[] {
  const type = keys[0] === undefined ? undefined : orderedType(keys[0]);
  if (keys.length > 0 && type === undefined) throw fail('argument', 'what is sorted has no order');
  if (keys.some((key) => orderedType(key) !== type)) throw fail('argument', 'what is sorted must be of one type');
  budget.spend((keys.length * Math.log2(keys.length + 1)) / 2);
  const order = keys.map((key, at): Keyed => ({ key, at }));
  const sorted = order.length <= 12 ? insertionSort(order) : order.sort((a, b) => compare(a.key, b.key) || 0);
  return sorted.flatMap(({ at }) => {
    const item = list[at];
    return item === undefined ? [] : [item];
  });
}

interface Keyed {
  readonly key: Value;
  readonly at: number;
}

/** As Go sorts short lists: it shows where NaN, which is neither less nor greater, ends up. */
function insertionSort(order: Keyed[]): Keyed[] {
  for (let from = 1; from < order.length; from++) {
    for (let at = from; at > 0; at--) {
      const [left, right] = [order[at - 1], order[at]];
      if (left === undefined || right === undefined || !((compare(right.key, left.key) ?? 0) < 0)) break;
      [order[at - 1], order[at]] = [right, left];
    }
  }
  return order;
}

/** The first item that no later one beats; `replacedWhen` is how the best so far compares to one that beats it. */
export function selectExtreme(list: readonly Value[], replacedWhen: 1 | -1): Value {
  let best: Value | undefined;
  for (const item of list) {
    if (orderedType(item) === undefined) throw fail('overload', 'the items of the list have no order');
    if (best === undefined || Math.sign(compare(best, item) ?? 0) === replacedWhen) best = item;
  }
  if (best === undefined) throw fail('argument', 'the list is empty');
  return best;
}

/** Whether no item is less than the one before it. */
export function isSorted(list: readonly Value[]): boolean {
  let previous: Value | undefined;
  for (const item of list) {
    if (orderedType(item) === undefined) throw fail('overload', 'the items of the list have no order');
    if (previous !== undefined && (compare(previous, item) ?? 0) > 0) return false;
    previous = item;
  }
  return true;
}

function orderedType(value: Value): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value;
  if (isInt(value)) return 'int';
  if (isDouble(value)) return 'double';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Duration) return 'duration';
  return value instanceof Uint8Array ? 'bytes' : undefined;
}
