import type { JsonObject, JsonValue } from '../api/object.ts';

/** Whether two JSON values are equal; numbers by value, objects in any order. */
export function jsonEquals(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  // An integer may be a number here and a bigint there, which only comparison bridges.
  if (isNumber(a) && isNumber(b)) return a <= b && a >= b;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isList(a) || isList(b))
    return isList(a) && isList(b) && a.length === b.length && a.every((item, index) => jsonEquals(item, b[index] ?? null));
  return objectEquals(a, b);
}

function objectEquals(a: JsonObject, b: JsonObject): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => {
    const [left, right] = [a[name], b[name]];
    return left !== undefined && right !== undefined && Object.hasOwn(b, name) && jsonEquals(left, right);
  });
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
