import type { Budget } from './budget.ts';
import { fail } from './error.ts';
import { equalMerged, mergeOf } from './list-merge.ts';
import {
  Double,
  Duration,
  isMap,
  type MapValue,
  mapEntries,
  mapGet,
  mapSize,
  Opaque,
  Optional,
  type PlainMap,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/**
 * CEL's `==` on any two values: numbers across their types, lists and maps by content, NaN and `omit()` equal to nothing. An error only
 * where the budget (if given) runs out: structures that share parts can be far larger than they look.
 */
export function equals(a: Value, b: Value, budget?: Budget): boolean {
  if (typeof a === 'string' || typeof a === 'boolean' || a === null) return a === b;
  if (typeof a === 'symbol') return false;
  if (typeof b === 'string' || typeof b === 'boolean' || b === null || typeof b === 'symbol') return false;
  if (isNumeric(a)) return isNumeric(b) && compareNumbers(a, b) === 0;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, budget);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.typeName === b.typeName;
  if (a instanceof Opaque) return b instanceof Opaque && a.kind === b.kind && equalOpaques(a, b, budget);
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b, budget);
  return isMap(a) && isMap(b) && equalMaps(a, b, budget);
}

/**
 * `a == b` as an operator of the language: a value of an opaque type is compared with its like or with null only, `omit()` with null only, as
 * in cel-go. Inside lists and maps, in `!=` and `in` the two are just different.
 */
export function equalOperands(a: Value, b: Value, budget?: Budget): boolean {
  if (a instanceof Optional && b instanceof Optional && a.value !== undefined && b.value !== undefined) {
    return equalOperands(a.value, b.value, budget);
  }
  if (typeof a === 'symbol' && b !== null) throw fail('argument', 'omit() cannot be compared');
  if (a instanceof Opaque && b !== null && !(b instanceof Opaque && b.kind === a.kind)) {
    throw fail('overload', '"==" does not take values of these types');
  }
  return equals(a, b, budget);
}

/**
 * The order of two values of one ordered type (numbers of any type, string by code point, bool, bytes, timestamp, duration): negative,
 * zero, positive; NaN if one is NaN; undefined if they have no order.
 */
export function compare(a: Value, b: Value): number | undefined {
  if (typeof a === 'string') return typeof b === 'string' ? compareStrings(a, b) : unordered(b);
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : unordered(b);
  if (isNumeric(a)) return isNumeric(b) ? compareNumbers(a, b) : unordered(a);
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : unordered(b);
  if (a instanceof Timestamp) return b instanceof Timestamp ? compareNanos(a, b) : unordered(b);
  if (a instanceof Duration) return b instanceof Duration ? compareNanos(a, b) : unordered(b);
  return undefined;
}

/** Values of different types have no order; that NaN has none is said first, as in cel-go. */
function unordered(value: Value): number | undefined {
  return Number.isNaN(value) ? Number.NaN : undefined;
}

function compareNanos(a: Timestamp | Duration, b: Timestamp | Duration): number {
  return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
}

/** Strings in the order of their code points. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    // A surrogate stands for a code point beyond every unit that is none.
    const leftHigh = left >= 0xd800 && left <= 0xdfff;
    const rightHigh = right >= 0xd800 && right <= 0xdfff;
    if (leftHigh !== rightHigh) return leftHigh ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}

/** Bytes in lexical order. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

type Numeric = number | bigint | Uint | Double;

function isNumeric(value: Value): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint || value instanceof Double;
}

/** int and uint exactly; as soon as one is a double both as doubles, as cel-go does. */
function compareNumbers(a: Numeric, b: Numeric): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN;
  let left = typeof a === 'object' ? a.value : a;
  let right = typeof b === 'object' ? b.value : b;
  if (isDoubleNumber(a) || isDoubleNumber(b)) [left, right] = [Number(left), Number(right)];
  // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint are compared by amount
  return left < right ? -1 : left > right ? 1 : left == right ? 0 : Number.NaN;
}

function isDoubleNumber(value: Numeric): boolean {
  return typeof value === 'number' ? !Number.isSafeInteger(value) : value instanceof Double;
}

function equalLists(a: readonly Value[], b: readonly Value[], budget: Budget | undefined): boolean {
  const merge = mergeOf(a);
  if (merge !== undefined) return equalMerged(a, b, merge, budget);
  if (a.length !== b.length) return false;
  budget?.spend(a.length);
  for (let at = 0; at < a.length; at++) {
    if (!equals(a[at] as Value, b[at] as Value, budget)) return false;
  }
  return true;
}

function equalMaps(a: PlainMap | MapValue, b: PlainMap | MapValue, budget: Budget | undefined): boolean {
  const size = mapSize(a);
  if (size !== mapSize(b)) return false;
  budget?.spend(size);
  for (const [key, value] of mapEntries(a)) {
    const other = mapGet(b, key);
    if (other === undefined || !equals(value, other, budget)) return false;
  }
  return true;
}

function equalOpaques(a: Opaque, b: Opaque, budget: Budget | undefined): boolean {
  const { kind } = a;
  if (kind.work !== undefined) budget?.spend(kind.work(a.data) + kind.work(b.data));
  return kind.equals(a.data, b.data);
}

function equalOptionals(a: Optional, b: Optional, budget: Budget | undefined): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equals(a.value, b.value, budget);
}
