import { fail } from './error.ts';

/**
 * An int or a uint as plain JavaScript: a number while it is a safe integer, a bigint beyond, never the one for the other's range.
 * Arithmetic here is exact; a result outside of the type's range is an `overflow` error.
 */
export type Integer = number | bigint;

export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;
export const MAX_UINT64 = 2n ** 64n - 1n;

/** The canonical form of an integer whose range is known to be right: a number if safe. */
export function toInteger(value: bigint): Integer {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

/** The canonical int of an exact result, or an `overflow` error. */
export function toInt64(value: bigint): Integer {
  if (value < MIN_INT64 || value > MAX_INT64) throw fail('overflow', 'integer overflow');
  return toInteger(value);
}

/** The canonical uint of an exact result, or an `overflow` error. */
export function toUint64(value: bigint): Integer {
  if (value < 0n || value > MAX_UINT64) throw fail('overflow', 'unsigned integer overflow');
  return toInteger(value);
}

/** a + b of ints. */
export function addInt(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return toInt64(BigInt(a) + BigInt(b));
}

/** a - b of ints. */
export function subtractInt(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return toInt64(BigInt(a) - BigInt(b));
}

/** a * b of ints. */
export function multiplyInt(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return toInt64(BigInt(a) * BigInt(b));
}

/** a / b of ints, truncated toward zero. */
export function divideInt(a: Integer, b: Integer): Integer {
  if (b === 0) throw fail('divide', 'division by zero');
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  return toInt64(BigInt(a) / BigInt(b));
}

/** a % b of ints, with the sign of a. */
export function remainderInt(a: Integer, b: Integer): Integer {
  if (b === 0) throw fail('divide', 'modulus by zero');
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  if (BigInt(a) === MIN_INT64 && b === -1) throw fail('overflow', 'integer overflow');
  return toInt64(BigInt(a) % BigInt(b));
}

/** -a of an int. */
export function negateInt(a: Integer): Integer {
  return typeof a === 'number' ? 0 - a : toInt64(-a);
}

/** The int that a whole or fractional double is cut to; NaN and what is out of range are `overflow` errors. */
export function intOfDouble(value: number): Integer {
  if (Number.isSafeInteger(value)) return value + 0;
  // As cel-go: both bounds are excluded, since a double near them is not exact.
  if (!(value > -(2 ** 63) && value < 2 ** 63)) throw fail('overflow', 'double is out of the range of int');
  return toInt64(BigInt(Math.trunc(value)));
}

/** The uint that a double is cut to; NaN and what is out of range are `overflow` errors. */
export function uintOfDouble(value: number): Integer {
  if (!(value >= 0 && value < 2 ** 64)) throw fail('overflow', 'double is out of the range of uint');
  return toUint64(BigInt(Math.trunc(value)));
}

/** Less than, equal, greater: -1, 0, 1. Mixed numbers and bigints, doubles included, compare exactly; NaN must be excluded before. */
export function compareNumbers(a: Integer, b: Integer): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
