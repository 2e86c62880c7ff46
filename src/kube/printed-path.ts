import type { JsonValue } from '../api/object.ts';
import { isObject, isSameScalar, mayHaveKey, type PathStep, parseOr } from './managed-fields.ts';

/**
 * Every value that a field of server-side apply may mean, as the API server prints it (`.spec.ports[port=80,protocol="TCP"].name`). It does not
 * quote names, so a dot may end a name or be a part of it, and an item may lack a key that the server defaults: all readings are followed. Empty:
 * none leads anywhere.
 */
export function valuesAtPrinted(value: JsonValue, field: string): readonly JsonValue[] {
  if (field === '') return [value];
  if (field.startsWith('[')) {
    const [whole = '', inside = ''] = BRACKET.exec(field) ?? [];
    return membersOf(value, readBracket(inside)).flatMap((member) => valuesAtPrinted(member, field.slice(whole.length)));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    isNext(name, field) ? valuesAtPrinted(member, field.slice(name.length + 1)) : [],
  );
}

const BRACKET = /^\[((?:"(?:[^"\\]|\\.)*"|[^\]"])*)\]/;

/** What stands between the brackets of a printed step: `3`, `="a"` or `name="a",port=80`; undefined if it is none of them. */
export function readBracket(inside: string): Exclude<PathStep, { kind: 'field' }> | undefined {
  if (/^\d+$/.test(inside)) return { kind: 'index', index: Number(inside) };
  if (inside.startsWith('=')) {
    const value = parseOr(inside.slice(1));
    return value === undefined ? undefined : { kind: 'value', value };
  }
  const key: [string, JsonValue][] = [];
  // Go quotes a few characters as JSON does not: such a key is not read.
  for (const [, name = '', text = ''] of inside.matchAll(KEY)) {
    const value = parseOr(text);
    if (value === undefined) return undefined;
    key.push([name, value]);
  }
  return key.length === 0 ? undefined : { kind: 'key', key: Object.fromEntries(key) };
}

const KEY = /([^=,]+)=("(?:[^"\\]|\\.)*"|[^,"]*)/g;

function membersOf(list: JsonValue, step: ReturnType<typeof readBracket>): readonly JsonValue[] {
  if (!isList(list) || step === undefined) return [];
  switch (step.kind) {
    case 'index':
      return list.slice(step.index, step.index + 1);
    case 'value':
      return list.filter((item) => isSameScalar(item, step.value));
    case 'key':
      return list.filter((item) => isObject(item) && mayHaveKey(item, step.key));
    default:
      return step satisfies never;
  }
}

function isNext(name: string, field: string): boolean {
  return field.startsWith(`.${name}`) && ['', '.', '['].includes(field.charAt(name.length + 1));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
