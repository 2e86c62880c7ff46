import type { Budget } from './budget.ts';
import { fail } from './error.ts';
import { markList } from './list-merge.ts';
import { readDate, readDuration, readTimestamp } from './temporal.ts';
import { dropsNull, type ListType, type StructType, type Type } from './type.ts';
import { boxDouble, isList, isMap, isPlainMap, MapValue, mapEntries, noteSource, Optional, sourceOf, type Value } from './value.ts';

/**
 * Turns JSON that was read through a schema into the CEL value that its type says: text into timestamps, durations and bytes, whole numbers
 * into doubles. It may be applied again to what is converted already.
 */
export type Adapter = (value: Value, budget: Budget) => Value;

const shallowAdapters = new WeakMap<Type, Adapter | null>();
const deepAdapters = new WeakMap<Type, Adapter | null>();

/** What a value of this type needs where it is read; structs inside stay JSON, their fields are adapted when they are read. Undefined: nothing. */
export function adapterOf(type: Type): Adapter | undefined {
  return memoised(shallowAdapters, type, () => makeAdapter(type, adapterOf, () => undefined));
}

/** What a value of this type needs before its type is forgotten (dyn, JSON, `==`): everything inside is adapted, too. Undefined: nothing. */
export function deepAdapterOf(type: Type): Adapter | undefined {
  return memoised(deepAdapters, type, () => makeAdapter(type, deepAdapterOf, adaptStruct));
}

function memoised(known: WeakMap<Type, Adapter | null>, type: Type, make: () => Adapter | undefined): Adapter | undefined {
  const found = known.get(type);
  if (found !== undefined) return found ?? undefined;
  const made = make();
  known.set(type, made ?? null);
  return made;
}

type AdapterOf = (type: Type) => Adapter | undefined;

function makeAdapter(type: Type, inner: AdapterOf, struct: (type: StructType) => Adapter | undefined): Adapter | undefined {
  switch (type.kind) {
    case 'double':
      return (value) => (typeof value === 'number' || typeof value === 'bigint' ? boxDouble(Number(value)) : value);
    case 'timestamp':
      return (value) => (typeof value === 'string' ? convert(readTimestamp(value) ?? readDate(value), 'timestamp') : value);
    case 'duration':
      return (value) => (typeof value === 'string' ? convert(readDuration(value), 'duration') : value);
    case 'bytes':
      return (value) => (typeof value === 'string' ? convert(readBase64(value), 'base64 text') : value);
    case 'list':
      return listAdapter(type, inner(type.element));
    case 'map':
      return mapAdapter(inner(type.value));
    case 'optional':
      return optionalAdapter(inner(type.value));
    case 'struct':
      return struct(type);
    default:
      return undefined;
  }
}

function convert(value: Value | undefined, what: string): Value {
  if (value === undefined) throw fail('conversion', `the field holds no ${what}`);
  return value;
}

/** Standard base64; undefined if the text is none. */
export function readBase64(text: string): Uint8Array | undefined {
  const plain = text.replace(/[\r\n]/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(plain) || plain.length % 4 !== 0) return undefined;
  return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
}

function listAdapter(type: ListType, element: Adapter | undefined): Adapter | undefined {
  const { merge } = type;
  if (element === undefined && merge === undefined) return undefined;
  return (value, budget) => {
    if (!isList(value)) return value;
    budget.spend(value.length);
    const adapted = element === undefined ? value : value.map((item) => element(item, budget));
    return merge === undefined ? adapted : markList(adapted, merge);
  };
}

function mapAdapter(inner: Adapter | undefined): Adapter | undefined {
  if (inner === undefined) return undefined;
  return (value, budget) => {
    if (!isMap(value)) return value;
    const adapted = new MapValue();
    for (const [key, item] of mapEntries(value)) {
      budget.spend(1);
      adapted.set(key, inner(item, budget));
    }
    return adapted;
  };
}

function optionalAdapter(inner: Adapter | undefined): Adapter | undefined {
  if (inner === undefined) return undefined;
  return (value, budget) => (value instanceof Optional && value.value !== undefined ? Optional.of(inner(value.value, budget)) : value);
}

/** A copy of the object without the fields whose null is nothing, each field adapted. It keeps the object: JSON of it stays as it was. */
function adaptStruct(type: StructType): Adapter {
  return (value, budget) => {
    if (!isMap(value)) return value;
    const adapted: Record<string, Value> = Object.create(null);
    for (const [key, item] of mapEntries(value)) {
      budget.spend(1);
      if (typeof key !== 'string') continue;
      const field = type.field(key);
      if (item === null && dropsNull(type, key)) continue;
      const adapter = field === undefined ? undefined : deepAdapterOf(field);
      adapted[key] = adapter === undefined ? item : adapter(item, budget);
    }
    if (isPlainMap(value)) noteSource(adapted, sourceOf(value));
    return adapted;
  };
}

/** Whether a value of one type loses what its type says of it when it takes another: a struct that becomes dyn. */
export function isErased(from: Type, to: Type): boolean {
  if (from === to || from.kind === 'dyn' || from.kind === 'error') return false;
  if (to.kind === 'dyn' || to.kind === 'error' || to.kind === 'parameter') return deepAdapterOf(from) !== undefined;
  if (from.kind === 'list' && to.kind === 'list') return isErased(from.element, to.element);
  if (from.kind === 'map' && to.kind === 'map') return isErased(from.value, to.value);
  if (from.kind === 'optional' && to.kind === 'optional') return isErased(from.value, to.value);
  if (from.kind === 'struct' && to.kind === 'map') return deepAdapterOf(from) !== undefined;
  return false;
}
