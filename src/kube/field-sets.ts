import type { JsonObject, JsonValue } from '../api/object.ts';
import { isObject, readStep } from './managed-fields.ts';

/** What either of two entries owns, as fieldsV1 has it: a leaf of one that has fields below it in the other is owned itself too. */
export function union(a: JsonObject, b: JsonObject): JsonObject {
  const all: Record<string, JsonValue> = { ...a };
  for (const [key, below] of Object.entries(b)) {
    const known = all[key];
    all[key] = isObject(known) && isObject(below) ? join(known, below) : below;
  }
  return all;
}

function join(a: JsonObject, b: JsonObject): JsonObject {
  const isOwned = [a, b].some((fields) => isLeaf(fields) || '.' in fields);
  const all = union(a, b);
  return isOwned && !isLeaf(all) ? { '.': {}, ...all } : all;
}

/**
 * What the first owns and the other does not, as fieldsV1 has it. Where both own something of one list item, the first keeps its key with what
 * is left to it, since the item would be none without.
 */
export function without(fields: JsonObject, other: JsonObject): JsonObject {
  const left: Record<string, JsonValue> = {};
  for (const [key, below] of Object.entries(fields)) {
    if (key === '.') continue;
    const rest = remaining(key, below, other[key]);
    if (rest !== undefined) left[key] = rest;
  }
  return '.' in fields && !isLeaf(left) ? { '.': {}, ...left } : left;
}

function remaining(key: string, below: JsonValue, theirs: JsonValue | undefined): JsonValue | undefined {
  if (theirs === undefined || !isObject(below) || !isObject(theirs)) return below;
  const rest = without(below, theirs);
  const keys = keyFields(key);
  const isKept = Object.keys(rest).some((name) => name !== '.' && !keys.includes(name));
  if (!isKept) return undefined;
  return { ...Object.fromEntries(Object.entries(below).filter(([name]) => keys.includes(name))), ...rest };
}

/** The fields that are the key of the list item below this key. */
function keyFields(key: string): readonly string[] {
  const step = readStep(key);
  return step?.kind === 'key' ? Object.keys(step.key).map((name) => `f:${name}`) : [];
}

function isLeaf(fields: JsonObject): boolean {
  return Object.keys(fields).length === 0;
}
