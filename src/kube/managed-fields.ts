import type { JsonObject, JsonValue, ManagedFieldsEntry } from '../api/object.ts';
import { parseJson, printJson } from './json.ts';

/** One step of a field's path: a field, a list item by its key or by its place, or a member of a set. */
export type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'key'; readonly key: JsonObject }
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'index'; readonly index: number };

/** The path of a field as managedFields know it. */
export type ManagedPath = readonly PathStep[];

/** Which entries are meant; what is absent counts for any. */
export interface EntryFilter {
  readonly manager?: string | undefined;
  readonly managerPrefix?: string | undefined;
  readonly operation?: 'Apply' | 'Update' | undefined;
  /** Empty: the main resource. */
  readonly subresource?: string | undefined;
}

/** The entries of managedFields that a filter describes. */
export function findEntries(entries: readonly ManagedFieldsEntry[] | undefined, filter: EntryFilter): readonly ManagedFieldsEntry[] {
  const { manager, managerPrefix, operation, subresource } = filter;
  return (entries ?? []).filter(
    (entry) =>
      (manager === undefined || entry.manager === manager) &&
      (managerPrefix === undefined || entry.manager.startsWith(managerPrefix)) &&
      (operation === undefined || entry.operation === operation) &&
      (subresource === undefined || (entry.subresource ?? '') === subresource),
  );
}

/**
 * The leaves of an entry: what it owns that has nothing owned below it. That is scalars, atomic lists and maps, members of sets,
 * and items or maps of which only the existence is owned.
 */
export function leafPaths(fields: JsonObject | undefined): readonly ManagedPath[] {
  const found: ManagedPath[] = [];
  collect(fields ?? {}, [], found);
  return found;
}

function collect(fields: JsonObject, path: ManagedPath, found: ManagedPath[]): void {
  const steps = Object.entries(fields).filter(([key]) => key !== '.');
  if (steps.length === 0 && path.length > 0) found.push(path);
  for (const [key, below] of steps) {
    const step = readStep(key);
    if (step !== undefined) collect(isObject(below) ? below : {}, [...path, step], found);
  }
}

/** Whether an entry owns this very field, or something below it. */
export function ownsWithin(fields: JsonObject | undefined, path: ManagedPath): boolean {
  return follow(fields, path) !== undefined;
}

/** The leaves of the first that the second owns too, itself or below: where two managers meet. */
export function intersect(first: JsonObject | undefined, second: JsonObject | undefined): readonly ManagedPath[] {
  return leafPaths(first).filter((path) => ownsWithin(second, path));
}

/** The leaves of the first that none of the others owns. */
export function ownedAlone(first: JsonObject | undefined, others: readonly (JsonObject | undefined)[]): readonly ManagedPath[] {
  return leafPaths(first).filter((path) => !others.some((other) => ownsWithin(other, path)));
}

/** The managers that own this field or something below it, each once. */
export function ownersOf(entries: readonly ManagedFieldsEntry[] | undefined, path: ManagedPath): readonly string[] {
  const owners = (entries ?? []).filter((entry) => ownsWithin(entry.fieldsV1, path)).map((entry) => entry.manager);
  return [...new Set(owners)];
}

/** For people, and as causes of a conflict have it: `.spec.containers[name="web"].image`, `.metadata.finalizers[="x"]`. */
export function printManagedPath(path: ManagedPath): string {
  return path.map(printStep).join('');
}

/** The value at a path; undefined when it is not there (`value` may itself be anything). */
export function valueAt(value: unknown, path: ManagedPath): unknown {
  let current = value;
  for (const step of path) {
    const member = memberOf(current, step);
    if (member === undefined) return undefined;
    current = member.value;
  }
  return current;
}

/** A path as a JSON pointer into this object, whose list items have places; undefined when it is not there. */
export function pointerTo(object: unknown, path: ManagedPath): string | undefined {
  let current = object;
  let pointer = '';
  for (const step of path) {
    const member = memberOf(current, step);
    if (member === undefined) return undefined;
    pointer += `/${String(member.at).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    current = member.value;
  }
  return pointer;
}

interface Member {
  readonly at: string | number;
  readonly value: unknown;
}

function memberOf(parent: unknown, step: PathStep): Member | undefined {
  if (step.kind === 'field') {
    if (!isObject(parent) || !Object.hasOwn(parent, step.name)) return undefined;
    return { at: step.name, value: parent[step.name] };
  }
  if (!Array.isArray(parent)) return undefined;
  const list: readonly unknown[] = parent;
  const at = list.findIndex((item, index) => isMeant(item, index, step));
  return at < 0 ? undefined : { at, value: list[at] };
}

function isMeant(item: unknown, index: number, step: Exclude<PathStep, { kind: 'field' }>): boolean {
  switch (step.kind) {
    case 'index':
      return step.index === index;
    case 'value':
      return isEqual(item, step.value);
    case 'key':
      // A key field that the item does not have was defaulted (a port's protocol).
      return (
        isObject(item) &&
        Object.entries(step.key).every(([name, value]) => !(name in item) || isEqual(item[name], value)) &&
        hasAKey(item, step.key)
      );
    default:
      return step satisfies never;
  }
}

function hasAKey(item: JsonObject, key: JsonObject): boolean {
  return Object.keys(key).some((name) => name in item);
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
  return Object.entries(fields).find(([key]) => key.startsWith(prefix) && isEqual(parseOr(key.slice(2)), wanted))?.[1];
}

function readStep(key: string): PathStep | undefined {
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

function printStep(step: PathStep): string {
  switch (step.kind) {
    case 'field':
      return `.${step.name}`;
    case 'key':
      return `[${Object.entries(step.key)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => `${name}=${printJson(value)}`)
        .join(',')}]`;
    case 'value':
      return `[=${printJson(step.value)}]`;
    case 'index':
      return `[${step.index}]`;
    default:
      return step satisfies never;
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseOr(text: string): JsonValue | undefined {
  try {
    return parseJson(text) as JsonValue;
  } catch {
    return undefined;
  }
}
