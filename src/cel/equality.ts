import {
  Duration,
  doubleOf,
  isInt,
  isMap,
  mapEntries,
  mapGet,
  mapSize,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/** CEL's `==` on any two values: numbers across their types, lists and maps by content, NaN equal to nothing; never an error. */
export function equals(a: Value, b: Value): boolean {
  if (a === b && typeof a !== 'object') return !Number.isNaN(a);
  if (typeof a === 'string' || typeof a === 'boolean' || a === null || typeof a === 'symbol') return false;
  if (typeof b === 'string' || typeof b === 'boolean' || b === null || typeof b === 'symbol') return false;
  const left = numberOf(a);
  if (left !== undefined) {
    const right = numberOf(b);
    // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint are compared by amount
    return right !== undefined && left == right;
  }
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Opaque) return b instanceof Opaque && a.kind === b.kind && a.kind.equals(a.data, b.data);
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b);
  return isMap(a) && isMap(b) && equalMaps(a, b);
}

/**
 * The order of two values of one ordered type (numbers of any type, string by code point, bool, bytes, timestamp, duration): negative,
 * zero, positive; NaN if one is NaN; undefined if they have no order.
 */
export function compare(a: Value, b: Value): number | undefined {
  if (typeof a === 'string') return typeof b === 'string' ? compareStrings(a, b) : undefined;
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : undefined;
  const left = numberOf(a);
  if (left !== undefined) {
    const right = numberOf(b);
    if (right === undefined) return undefined;
    // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint are compared by amount
    return left < right ? -1 : left > right ? 1 : left == right ? 0 : Number.NaN;
  }
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : undefined;
  if (a instanceof Timestamp && b instanceof Timestamp) return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  if (a instanceof Duration && b instanceof Duration) return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  return undefined;
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

function numberOf(value: Value): number | bigint | undefined {
  if (isInt(value)) return value;
  if (value instanceof Uint) return value.value;
  return doubleOf(value);
}

function equalLists(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) {
    const left = a[at];
    const right = b[at];
    if (left === undefined || right === undefined || !equals(left, right)) return false;
  }
  return true;
}

function equalMaps(a: Parameters<typeof mapSize>[0], b: Parameters<typeof mapSize>[0]): boolean {
  if (mapSize(a) !== mapSize(b)) return false;
  for (const [key, value] of mapEntries(a)) {
    const other = mapGet(b, key);
    if (other === undefined || !equals(value, other)) return false;
  }
  return true;
}

function equalOptionals(a: Optional, b: Optional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equals(a.value, b.value);
}
