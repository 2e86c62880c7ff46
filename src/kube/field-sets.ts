import type { JsonObject, JsonValue } from '../api/object.ts';
import { isObject, readStep } from './managed-fields.ts';

/**
 * What either of two entries owns, as fieldsV1 has it: a leaf of one that has fields below it in the other is owned itself too. Depth costs no
 * stack, here and below: managedFields nest as deep as the objects.
 */
export function union(a: JsonObject, b: JsonObject): JsonObject {
  const whole: Record<string, JsonValue> = { ...a };
  const pending: [all: Record<string, JsonValue>, added: JsonObject][] = [[whole, b]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [all, added] = next;
    for (const [key, below] of Object.entries(added)) {
      const known = all[key];
      if (isObject(known) && isObject(below)) {
        const joined = begunJoin(known, below);
        all[key] = joined;
        pending.push([joined, below]);
      } else all[key] = below;
    }
  }
  return whole;
}

/** The first of two, to which the second is to be added; owned itself, if either owns it. */
function begunJoin(a: JsonObject, b: JsonObject): Record<string, JsonValue> {
  const isOwned = [a, b].some((fields) => isLeaf(fields) || '.' in fields);
  return isOwned && !(isLeaf(a) && isLeaf(b)) ? { '.': {}, ...a } : { ...a };
}

/** Fields of which something is being taken away. */
interface Open {
  /** In the fields around it. */
  readonly key: string;
  readonly fields: JsonObject;
  readonly other: JsonObject;
  /** What is not looked at yet, last first. */
  readonly pending: (readonly [key: string, below: JsonValue])[];
  readonly left: Record<string, JsonValue>;
}

/**
 * What the first owns and the other does not, as fieldsV1 has it. Where both own something of one list item, the first keeps its key with what
 * is left to it, since the item would be none without.
 */
export function without(fields: JsonObject, other: JsonObject): JsonObject {
  const whole = opened('', fields, other);
  const open = [whole];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.pending.pop();
    if (next === undefined) {
      open.pop();
      const around = open.at(-1);
      if (around !== undefined) putRemaining(top, around);
      continue;
    }
    const [key, below] = next;
    const theirs = top.other[key];
    if (isObject(below) && isObject(theirs)) open.push(opened(key, below, theirs));
    else top.left[key] = below;
  }
  return leftOf(whole);
}

function opened(key: string, fields: JsonObject, other: JsonObject): Open {
  const pending = Object.entries(fields).filter(([name]) => name !== '.');
  return { key, fields, other, pending: pending.reverse(), left: {} };
}

function leftOf({ fields, left }: Open): JsonObject {
  return '.' in fields && !isLeaf(left) ? { '.': {}, ...left } : left;
}

function putRemaining(open: Open, around: Open): void {
  const keys = keyFields(open.key);
  const isKept = Object.keys(open.left).some((name) => !keys.includes(name));
  if (!isKept) return;
  const ofItem = Object.entries(open.fields).filter(([name]) => keys.includes(name));
  around.left[open.key] = { ...Object.fromEntries(ofItem), ...leftOf(open) };
}

/** The fields that are the key of the list item below this key. */
function keyFields(key: string): readonly string[] {
  const step = readStep(key);
  return step?.kind === 'key' ? Object.keys(step.key).map((name) => `f:${name}`) : [];
}

function isLeaf(fields: JsonObject): boolean {
  return Object.keys(fields).length === 0;
}
