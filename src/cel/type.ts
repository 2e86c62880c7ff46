/** The types of CEL. Scalars are constants, compound types are made by the functions below; structs come from a schema and are lazy. */
export type Type = ScalarType | ListType | MapType | OptionalType | StructType | TypeType | OpaqueType | ParameterType;

export type ScalarName = 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'null' | 'timestamp' | 'duration' | 'dyn' | 'error';

/** `error` is the type of what has been reported already: it fits everything, so that one mistake gives one message. */
export interface ScalarType {
  readonly kind: ScalarName;
}

/** What is known of the parts of a type from when it is made: of a large type it is asked as cheaply as of a small one. */
interface Compound {
  /** How many types it is made of; a struct and a type parameter are one each. */
  readonly weight: number;
  readonly holdsParameter: boolean;
  readonly holdsError: boolean;
}

export interface ListType extends Compound {
  readonly kind: 'list';
  readonly element: Type;
  /** The list is a set, or a map by key fields (`x-kubernetes-list-type`): order does not matter to `==`, and `+` is a union. */
  readonly merge?: ListMerge;
}

/** How the elements of a list are told apart: by value, or by these fields. */
export type ListMerge = { readonly kind: 'set' } | { readonly kind: 'map'; readonly keys: readonly string[] };

export interface MapType extends Compound {
  readonly kind: 'map';
  readonly key: Type;
  readonly value: Type;
}

export interface OptionalType extends Compound {
  readonly kind: 'optional';
  readonly value: Type;
}

/**
 * An object with known fields. Everything is asked lazily, so that a recursive schema is a finite type. Two structs are the
 * same type when they are the same object or bear the same `name`; a name is therefore unique to one shape (or absent).
 * Field names are those of the schema, not escaped.
 */
export interface StructType {
  readonly kind: 'struct';
  /** `Pod.spec`. */
  readonly name: string;
  /** What messages call it, if not by its name: one shape of several values has one name, and each value its own title. */
  readonly title?: string;
  /** The type of a field, or undefined if the schema has none. */
  field(name: string): Type | undefined;
  fieldNames(): readonly string[];
  /** Fields that the schema does not know are allowed, and dyn (`x-kubernetes-preserve-unknown-fields`). */
  readonly open?: boolean;
  /** The value is a map too: index, `in`, `size` and macros over its keys (the value of a def). */
  readonly alsoMap?: boolean;
}

/** The type of a type: `type(1)` is `type(int)`. */
export interface TypeType extends Compound {
  readonly kind: 'type';
  readonly of: Type | undefined;
}

/** A type known by its name (and parameters, if it has any): `kubernetes.Quantity`. */
export interface OpaqueType {
  readonly kind: 'opaque';
  readonly name: string;
  readonly parameters?: readonly Type[];
}

/** A type parameter of a signature: the `T` of `list(T).reverse() -> list(T)`. */
export interface ParameterType {
  readonly kind: 'parameter';
  readonly name: string;
}

export const boolType: ScalarType = { kind: 'bool' };
export const intType: ScalarType = { kind: 'int' };
export const uintType: ScalarType = { kind: 'uint' };
export const doubleType: ScalarType = { kind: 'double' };
export const stringType: ScalarType = { kind: 'string' };
export const bytesType: ScalarType = { kind: 'bytes' };
export const nullType: ScalarType = { kind: 'null' };
export const timestampType: ScalarType = { kind: 'timestamp' };
export const durationType: ScalarType = { kind: 'duration' };
export const dynType: ScalarType = { kind: 'dyn' };
export const errorType: ScalarType = { kind: 'error' };

/** `list(element)`. */
export function listType(element: Type): ListType {
  return { kind: 'list', element, ...compound([element]) };
}

/** `map(key, value)`. */
export function mapType(key: Type, value: Type): MapType {
  return { kind: 'map', key, value, ...compound([key, value]) };
}

/** `optional_type(value)`. */
export function optionalType(value: Type): OptionalType {
  return { kind: 'optional', value, ...compound([value]) };
}

/** `type(of)`. */
export function typeType(of: Type | undefined): TypeType {
  return { kind: 'type', of, ...compound(of === undefined ? NONE : [of]) };
}

/** A type that is known by its name only. */
export function opaqueType(name: string): OpaqueType {
  return { kind: 'opaque', name };
}

/** A type parameter of a signature. */
export function parameterType(name: string): ParameterType {
  return { kind: 'parameter', name };
}

/** A struct whose fields are all known now: for tests and for small shapes. */
export function structType(
  name: string,
  fields: Readonly<Record<string, Type>>,
  options: { open?: boolean; alsoMap?: boolean } = {},
): StructType {
  const byName = new Map(Object.entries(fields));
  return { kind: 'struct', name, field: (field) => byName.get(field), fieldNames: () => [...byName.keys()], ...options };
}

/** A struct that is a map too, whose fields are all known now: the value of a def or of a graph node. */
export function valueStruct(name: string, fields: ReadonlyMap<string, Type>, title = name): StructType {
  return { kind: 'struct', name, title, alsoMap: true, field: (field) => fields.get(field), fieldNames: () => [...fields.keys()] };
}

const NONE: readonly Type[] = [];

function compound(parts: readonly Type[]): Compound {
  let weight = 1;
  for (const part of parts) weight += weightOf(part);
  return { weight, holdsParameter: parts.some(holdsParameter), holdsError: parts.some(holdsError) };
}

/** The most that a type may be made of (graph.md 15): 249 levels of map literals, and as many again around them. */
export const MAX_TYPE_WEIGHT = 1000;

/** How many types a type is made of: 1 for a scalar and for a struct, whose fields do not count. */
export function weightOf(type: Type): number {
  switch (type.kind) {
    case 'list':
    case 'map':
    case 'optional':
    case 'type':
      return type.weight;
    case 'opaque':
      return compound(type.parameters ?? NONE).weight;
    default:
      return 1;
  }
}

/**
 * Whether null in a field of a struct is nothing, as in one that the API server would not store so. Null is a value where a schema only keeps
 * the field or declares no type for it, and in a def, whose fields are what its author wrote (graph.md 6.1).
 */
export function dropsNull(type: Type, property: string): boolean {
  if (type.kind !== 'struct' || type.alsoMap === true) return false;
  const field = type.field(property);
  return field !== undefined && field.kind !== 'dyn';
}

/** Whether a type parameter is in a type. */
export function holdsParameter(type: Type): boolean {
  switch (type.kind) {
    case 'parameter':
      return true;
    case 'list':
    case 'map':
    case 'optional':
    case 'type':
      return type.holdsParameter;
    case 'opaque':
      return type.parameters?.some(holdsParameter) === true;
    default:
      return false;
  }
}

/** Whether a type holds the type of what is broken, of which enough has been said. */
export function holdsError(type: Type): boolean {
  switch (type.kind) {
    case 'error':
      return true;
    case 'list':
    case 'map':
    case 'optional':
    case 'type':
      return type.holdsError;
    case 'opaque':
      return type.parameters?.some(holdsError) === true;
    default:
      return false;
  }
}

/** The name of a type without parameters, as `type(x)` gives it at run time: `list`, `google.protobuf.Timestamp`. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case 'null':
      return 'null_type';
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'duration':
      return 'google.protobuf.Duration';
    case 'optional':
      return 'optional_type';
    case 'struct':
      return 'object';
    case 'opaque':
    case 'parameter':
      return type.name;
    default:
      return type.kind;
  }
}

/** More of a type is no help in a message. */
const MOST_LEVELS_PRINTED = 10;

/** Prints a type as CEL writes it: `map(string, list(int))`. A struct is printed by its title, what is deep inside as `…`. */
export function printType(type: Type): string {
  return print(type, (struct) => struct.title ?? struct.name, MOST_LEVELS_PRINTED);
}

/** Prints a type for machines: as `printType`, but every struct is `object`, and nothing is left out. */
export function printPlainType(type: Type): string {
  return print(type, () => 'object', Number.POSITIVE_INFINITY);
}

function print(type: Type, nameOf: (struct: StructType) => string, levels: number): string {
  if (levels === 0) return '…';
  const inner = (part: Type): string => print(part, nameOf, levels - 1);
  switch (type.kind) {
    case 'list':
      return `list(${inner(type.element)})`;
    case 'map':
      return `map(${inner(type.key)}, ${inner(type.value)})`;
    case 'optional':
      return `optional_type(${inner(type.value)})`;
    case 'type':
      return type.of === undefined ? 'type' : `type(${inner(type.of)})`;
    case 'struct':
      return nameOf(type);
    case 'opaque':
      return type.parameters === undefined ? type.name : `${type.name}(${type.parameters.map(inner).join(', ')})`;
    default:
      return typeName(type);
  }
}
