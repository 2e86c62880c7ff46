import type { JsonValue } from '../api/object.ts';
import type { OpenApiSchema } from './openapi.ts';

/** Stands for a value that is known only when the manifest is rendered. */
export const COMPUTED: unique symbol = Symbol('computed');

/** An element of a list as its key is read: its literal value, its fields one by one, or nothing that is known. */
export type ListElement =
  | { readonly value: JsonValue }
  | { readonly field: (name: string) => JsonValue | undefined | typeof COMPUTED }
  | typeof COMPUTED;

type Known = Exclude<ListElement, typeof COMPUTED>;

/** What is wrong with the keys of a list whose elements the API server tells apart (`x-kubernetes-list-type: set` or `map`). */
export type KeyFault =
  /** `absent`: the key fields that count with their defaults. */
  | { readonly fault: 'repeated'; readonly index: number; readonly key: string; readonly absent: readonly string[] }
  | { readonly fault: 'null'; readonly index: number }
  | { readonly fault: 'missing'; readonly index: number; readonly keys: readonly string[] };

/** Whether the API server tells the elements of a list apart by value or by key fields. */
export function hasKeys(schema: OpenApiSchema): boolean {
  const type = schema.raw['x-kubernetes-list-type'];
  return type === 'set' || (type === 'map' && schema.raw['x-kubernetes-list-map-keys'] !== undefined);
}

/** The elements that a list with keys may not have; elements whose key holds an expression are left out. */
export function findKeyFaults(elements: readonly ListElement[], schema: OpenApiSchema): KeyFault[] {
  const keys = schema.raw['x-kubernetes-list-type'] === 'map' ? (schema.raw['x-kubernetes-list-map-keys'] ?? []) : undefined;
  const seen = new Set<string>();
  const faults: KeyFault[] = [];
  elements.forEach((element, index) => {
    if (element === COMPUTED) return;
    if ('value' in element && element.value === null) {
      faults.push({ fault: 'null', index });
      return;
    }
    const key = keys === undefined ? setKey(element) : mapKey(element, keys, schema.items);
    if (key === COMPUTED) return;
    if (key === '') faults.push({ fault: 'missing', index, keys: keys ?? [] });
    else if (seen.has(key)) faults.push({ fault: 'repeated', index, key, absent: absentKeys(element, keys ?? []) });
    else seen.add(key);
  });
  return faults;
}

function absentKeys(element: Known, keys: readonly string[]): string[] {
  return 'field' in element ? keys.filter((name) => element.field(name) === undefined) : [];
}

function setKey(element: Known): string | typeof COMPUTED {
  return 'value' in element && typeof element.value !== 'object' ? print(element.value) : COMPUTED;
}

/** `name="a"`; empty if no key field is there; a key field that is absent but has a default counts with it. */
function mapKey(element: Known, keys: readonly string[], items: OpenApiSchema): string | typeof COMPUTED {
  if (!('field' in element)) return COMPUTED;
  const parts: string[] = [];
  for (const name of keys) {
    const own = element.field(name);
    const value = own === undefined ? items.defaultOf(name) : own;
    if (value === COMPUTED || (typeof value === 'object' && value !== null)) return COMPUTED;
    if (value !== undefined) parts.push(`${name}=${print(value)}`);
  }
  return parts.join(', ');
}

function print(value: JsonValue): string {
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}
