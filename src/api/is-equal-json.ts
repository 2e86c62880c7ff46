import type { JsonObject, JsonValue } from './object.ts';

type Container = readonly JsonValue[] | JsonObject;

/** Whether two JSON values are equal, whatever the order of their fields. Depth costs no stack: a Graph may nest as deep as JSON is read. */
export function isEqualJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  const pending: Container[] = [];
  if (!compare(a, b, pending)) return false;
  for (let right = pending.pop(); right !== undefined; right = pending.pop()) {
    const left = pending.pop();
    if (left === undefined || !compareMembers(left, right, pending)) return false;
  }
  return true;
}

/** Scalars are compared at once; of two lists or objects the members are compared later. */
function compare(a: JsonValue | undefined, b: JsonValue | undefined, pending: Container[]): boolean {
  if (a === b) return true;
  if (!isContainer(a) || !isContainer(b)) return false;
  pending.push(a, b);
  return true;
}

function compareMembers(a: Container, b: Container, pending: Container[]): boolean {
  if (isList(a) || isList(b)) {
    return isList(a) && isList(b) && a.length === b.length && a.every((item, at) => compare(item, b[at], pending));
  }
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && compare(a[name], b[name], pending));
}

function isContainer(value: JsonValue | undefined): value is Container {
  return typeof value === 'object' && value !== null;
}

function isList(value: Container): value is readonly JsonValue[] {
  return Array.isArray(value);
}
