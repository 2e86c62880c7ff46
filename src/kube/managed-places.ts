import { isEqualJson } from '../api/is-equal-json.ts';
import type { JsonValue } from '../api/object.ts';
import { isObject, type ManagedPath, mayHaveKey, type PathStep } from './managed-fields.ts';

/**
 * The JSON pointers to what there is of these paths in this object, whose list items have places; the later places of a list first: so each is
 * removed without moving those that follow.
 */
export function pointersForRemoval(object: unknown, paths: readonly ManagedPath[]): readonly string[] {
  const found = paths.map((path) => placesOf(object, path)).filter((places) => places !== undefined);
  return found.sort((a, b) => compare(b, a)).map(printPointer);
}

type Place = string | number;

function placesOf(object: unknown, path: ManagedPath): readonly Place[] | undefined {
  let current = object;
  const places: Place[] = [];
  for (const step of path) {
    const member = memberOf(current, step);
    if (member === undefined) return undefined;
    places.push(member.at);
    current = member.value;
  }
  return places;
}

function printPointer(places: readonly Place[]): string {
  return places.map((place) => `/${String(place).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function compare(a: readonly Place[], b: readonly Place[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at];
    if (right === undefined) return 1;
    if (left === right) continue;
    return typeof left === 'number' && typeof right === 'number' ? left - right : String(left) < String(right) ? -1 : 1;
  }
  return a.length - b.length;
}

interface Member {
  readonly at: Place;
  readonly value: unknown;
}

/** What a step leads to; undefined when it is not there (`value` may itself be anything). */
export function memberOf(parent: unknown, step: PathStep): Member | undefined {
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
      return isEqualJson(item as JsonValue, step.value);
    case 'key':
      return isObject(item) && mayHaveKey(item, step.key);
    default:
      return step satisfies never;
  }
}
