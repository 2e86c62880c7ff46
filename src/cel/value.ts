import type { Integer } from './int64.ts';
import type { OpaqueType } from './type.ts';

/**
 * A CEL value at run time. JSON from the cluster is used as it is, never copied or converted as a whole:
 *
 * | CEL | JavaScript |
 * | --- | --- |
 * | null, bool, string | null, boolean, string |
 * | int | number if a safe integer, bigint beyond |
 * | double | number unless it is a safe integer, then `Double` (so that a dyn 1.0 is not 1) |
 * | uint | `Uint` |
 * | bytes | Uint8Array |
 * | list | array |
 * | map | plain object (JSON, string keys) or `MapValue` (built by the expression, any keys, insertion order) |
 * | struct | plain object |
 * | timestamp, duration | `Timestamp`, `Duration` |
 * | optional, type | `Optional`, `TypeValue` |
 * | omit() | `OMIT` |
 * | kubernetes.Quantity and the like | `Opaque` |
 *
 * Never mutate a value. Test for a map with `isMap`, and read one with `mapGet`, `mapEntries`, …: they serve both forms.
 */
export type Value =
  | null
  | boolean
  | string
  | number
  | bigint
  | Uint8Array
  | readonly Value[]
  | PlainMap
  | Double
  | Uint
  | MapValue
  | Timestamp
  | Duration
  | Optional
  | TypeValue
  | Opaque
  | typeof OMIT;

/** A JSON object, used as a map with string keys or as a struct. Read it with `mapGet`: a key may be `__proto__`. */
export interface PlainMap {
  readonly [key: string]: Value;
}

const SOURCE = Symbol('source');

/** Notes on a copy the object that it was made of, which it says in CEL values. */
export function noteSource(copy: PlainMap, source: PlainMap): void {
  // Not enumerable: a copy of the copy is another object.
  Object.defineProperty(copy, SOURCE, { value: source });
}

/** The JSON object that a value was made of with all of it; itself, if it is none of those. */
export function sourceOf(map: PlainMap): PlainMap {
  return (map as { readonly [SOURCE]?: PlainMap })[SOURCE] ?? map;
}

/** What `omit()` gives: the field or element that it fills is left out of the JSON. */
export const OMIT: unique symbol = Symbol('omit');

/** A double that is a safe integer; every other double is a bare number. Make doubles with `boxDouble`. */
export class Double {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** An unsigned integer. */
export class Uint {
  readonly value: Integer;
  constructor(value: Integer) {
    this.value = value;
  }
}

/** An instant, in nanoseconds since 1970-01-01T00:00:00Z; years 1 to 9999. */
export class Timestamp {
  readonly nanos: bigint;
  /** The offset from UTC that it was written with. Only `string()` shows it; it makes no other instant. */
  readonly secondsEast: number;
  constructor(nanos: bigint, secondsEast = 0) {
    this.nanos = nanos;
    this.secondsEast = secondsEast;
  }
}

/** A span of time in nanoseconds, within int64. */
export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** An optional: `Optional.of(value)` or `Optional.NONE`. */
export class Optional {
  static readonly NONE: Optional = new Optional(undefined);
  /** The value; undefined if there is none. */
  readonly value: Value | undefined;
  private constructor(value: Value | undefined) {
    this.value = value;
  }
  static of(value: Value): Optional {
    return new Optional(value);
  }
}

/** A type as a value, known by its name: what `type(x)` gives. */
export class TypeValue {
  /** Not `name`, which is a common field: reading that of a dyn value stays one plain property read. */
  readonly typeName: string;
  constructor(typeName: string) {
    this.typeName = typeName;
  }
}

/** How values of one opaque type behave. A library defines one per type and declares it in its table. */
export interface OpaqueKind<T> {
  readonly type: OpaqueType;
  /** The tag of `kro-graph cel --json`: `quantity`, `ip`, `cidr`, `url`, `semver`. */
  readonly tag: string;
  equals(a: T, b: T): boolean;
  /** How many steps it takes to look at the data; absent: so few that none are charged. */
  work?(data: T): number;
  /** The canonical text. */
  print(data: T): string;
}

/** A value of an opaque type: its kind and its data. */
export class Opaque<T = unknown> {
  readonly kind: OpaqueKind<T>;
  readonly data: T;
  constructor(kind: OpaqueKind<T>, data: T) {
    this.kind = kind;
    this.data = data;
  }
}

/** What a map may be keyed by. */
export type MapKey = string | boolean | Integer | Uint | Double;

/** A map built by an expression: any keys, insertion order. 1, 1u and 1.0 are one key. Filled with `set` by its maker only. */
export class MapValue {
  readonly #entries = new Map<string | boolean | number | bigint, readonly [Value, Value]>();

  get size(): number {
    return this.#entries.size;
  }

  /** The value of a key, or undefined. */
  get(key: Value): Value | undefined {
    return this.#entries.get(keyIdentity(key))?.[1];
  }

  has(key: Value): boolean {
    return this.#entries.has(keyIdentity(key));
  }

  set(key: Value, value: Value): void {
    this.#entries.set(keyIdentity(key), [key, value]);
  }

  delete(key: Value): void {
    this.#entries.delete(keyIdentity(key));
  }

  /** [key, value] in insertion order. */
  entries(): IterableIterator<readonly [Value, Value]> {
    return this.#entries.values();
  }
}

function keyIdentity(key: Value): string | boolean | number | bigint {
  switch (typeof key) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'bigint':
      return key;
    default:
      if (key instanceof Uint || key instanceof Double) return key.value;
      return Number.NaN;
  }
}

/** The canonical double of a JavaScript number. */
export function boxDouble(value: number): Value {
  return Number.isSafeInteger(value) ? new Double(value) : value;
}

/** Whether a value is an int. */
export function isInt(value: Value): value is Integer {
  return typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'bigint';
}

/** Whether a value is a double. */
export function isDouble(value: Value): value is number | Double {
  return typeof value === 'number' ? !Number.isSafeInteger(value) : value instanceof Double;
}

/** The JavaScript number of a double; undefined if the value is no double. */
export function doubleOf(value: Value): number | undefined {
  if (value instanceof Double) return value.value;
  return typeof value === 'number' && !Number.isSafeInteger(value) ? value : undefined;
}

/** Whether a value is a list. */
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** Whether a value is a map (or struct) in either form. */
export function isMap(value: Value): value is PlainMap | MapValue {
  return value instanceof MapValue || isPlainMap(value);
}

/** Whether a value is a JSON object. */
export function isPlainMap(value: Value): value is PlainMap {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The value of a key of a map in either form, or undefined. */
export function mapGet(map: PlainMap | MapValue, key: Value): Value | undefined {
  if (map instanceof MapValue) return map.get(key);
  return typeof key === 'string' && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** The number of entries of a map in either form. */
export function mapSize(map: PlainMap | MapValue): number {
  return map instanceof MapValue ? map.size : Object.keys(map).length;
}

/** The entries of a map in either form, in order. */
export function mapEntries(map: PlainMap | MapValue): Iterable<readonly [Value, Value]> {
  return map instanceof MapValue ? map.entries() : Object.entries(map);
}
