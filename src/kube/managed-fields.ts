import { isEqualJson } from '../api/is-equal-json.ts';
import type { JsonObject, JsonValue } from '../api/object.ts';
import { parseJson, printJson } from './json.ts';

/** One step of a field's path: a field, a list item by its key or by its place, or a member of a set. */
export type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'key'; readonly key: JsonObject }
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'index'; readonly index: number };

/** The path of a field as managedFields know it. */
export type ManagedPath = readonly PathStep[];

/** What an entry owns below one of its fields, and the steps of it that have not been taken, last first. */
interface Open {
  readonly steps: (readonly [step: PathStep, below: JsonObject])[];
}

/**
 * The fields that an entry owns itself, in order: leaves, set members, and items or maps of which only the existence is owned; what `isWhole` says
 * is one, too. Depth costs no stack, and a path holds only until the next is asked for.
 */
function* leaves(fields: JsonObject, isWhole: (fields: JsonObject, path: ManagedPath) => boolean): Generator<ManagedPath> {
  const path: PathStep[] = [];
  const open: Open[] = [{ steps: stepsOf(fields) }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.steps.pop();
    if (next === undefined) {
      open.pop();
      path.pop();
      continue;
    }
    const [step, below] = next;
    path.push(step);
    if (ownsNothingBelow(below) || isWhole(below, path)) {
      yield path;
      path.pop();
    } else open.push({ steps: stepsOf(below) });
  }
}

function stepsOf(fields: JsonObject): Open['steps'] {
  return Object.entries(fields)
    .flatMap(([key, below]): Open['steps'] => {
      const step = key === '.' ? undefined : readStep(key);
      return step === undefined ? [] : [[step, isObject(below) ? below : {}]];
    })
    .reverse();
}

/** Whether a field of an entry is a leaf: nothing is owned below it. */
function ownsNothingBelow(fields: JsonObject): boolean {
  for (const key in fields) if (key !== '.') return false;
  return true;
}

/** Whether an entry owns this very field, or something below it. */
export function ownsWithin(fields: JsonObject | undefined, path: ManagedPath): boolean {
  return follow(fields, path) !== undefined;
}

/**
 * What goes when the first gives up what none of the others owns: its leaves, and an item of a list as a whole if nobody else owns anything in
 * it. The key of an item that stays is no such leaf: without it the item would be none.
 */
export function ownedAlone(first: JsonObject | undefined, others: readonly (JsonObject | undefined)[]): readonly ManagedPath[] {
  const isAlone = (path: ManagedPath): boolean => !others.some((other) => ownsWithin(other, path));
  const isWhole = (fields: JsonObject, path: ManagedPath): boolean => '.' in fields && path.at(-1)?.kind === 'key' && isAlone(path);
  const alone: ManagedPath[] = [];
  for (const path of leaves(first ?? {}, isWhole)) if (isAlone(path) && !isKeyOfItem(path)) alone.push([...path]);
  return alone;
}

function isKeyOfItem(path: ManagedPath): boolean {
  const [item, field] = [path.at(-2), path.at(-1)];
  return item?.kind === 'key' && field?.kind === 'field' && Object.hasOwn(item.key, field.name);
}

function follow(fields: JsonObject | undefined, path: ManagedPath): JsonObject | undefined {
  let current = fields;
  for (const step of path) {
    const below = current === undefined ? undefined : childOf(current, step);
    if (!isObject(below)) return undefined;
    current = below;
  }
  return current;
}

function childOf(fields: JsonObject, step: PathStep): JsonValue | undefined {
  if (step.kind === 'field') return fields[`f:${step.name}`];
  if (step.kind === 'index') return fields[`i:${step.index}`];
  // JSON after the prefix: equal values may be printed differently.
  const prefix = step.kind === 'key' ? 'k:' : 'v:';
  const wanted = step.kind === 'key' ? step.key : step.value;
  const printed = fields[`${prefix}${printJson(wanted)}`];
  if (printed !== undefined) return printed;
  return Object.entries(fields).find(([key]) => key.startsWith(prefix) && isEqualJson(parseOr(key.slice(2)), wanted))?.[1];
}

/** A key of fieldsV1 as a step of a path; undefined: nobody knows it. */
export function readStep(key: string): PathStep | undefined {
  const rest = key.slice(2);
  switch (key.slice(0, 2)) {
    case 'f:':
      return { kind: 'field', name: rest };
    case 'k:': {
      const parsed = parseOr(rest);
      return isObject(parsed) ? { kind: 'key', key: parsed } : undefined;
    }
    case 'v:': {
      const parsed = parseOr(rest);
      return parsed === undefined ? undefined : { kind: 'value', value: parsed };
    }
    case 'i:':
      return { kind: 'index', index: Number(rest) };
    default:
      return undefined;
  }
}

/** Whether two scalars are equal, as keys and members of sets are; an integer may be a number or a bigint. */
export function isSameScalar(a: JsonValue | undefined, b: JsonValue): boolean {
  return a === b || (typeof a === 'bigint' && typeof b === 'number' && Number(a) === b);
}

/** Whether a list item may be the one of this key: a part of the key that the item does not have is a default (a port's protocol). */
export function mayHaveKey(item: JsonObject, key: JsonObject): boolean {
  const parts = Object.entries(key).filter(([name]) => Object.hasOwn(item, name));
  return parts.length > 0 && parts.every(([name, value]) => isSameScalar(item[name], value));
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON text's value; undefined if it is none. */
export function parseOr(text: string): JsonValue | undefined {
  try {
    return parseJson(text) as JsonValue;
  } catch {
    return undefined;
  }
}
