import type { JsonValue } from '../api/object.ts';
import {
  boolType,
  doubleType,
  dynType,
  intType,
  listType,
  MAX_TYPE_WEIGHT,
  type StructType,
  stringType,
  type Type,
  valueStruct,
  weightOf,
} from '../cel/type.ts';
import type { FewEntries } from './few-entries.ts';
import type { SourcePayload } from './payload.ts';

/**
 * Infers the types of values that authors write: literals give their types, expressions give their checked type, mixed arrays, empty arrays
 * and null give dyn, as does what lists hold beyond the size that types may have (graph.md 6.1, 15). Objects of one shape get one type, so that
 * comparing elements costs nothing; the work is linear. In messages each bears the name of its own value.
 */
export class ShapeInference {
  readonly #structs = new Map<string, StructType>();
  readonly #ids = new Map<Type | string, number>();
  readonly #names = new Map<string, number>();

  /** The type of a payload; `name` is what messages call it. */
  infer(payload: SourcePayload, name: string): Type {
    switch (payload.kind) {
      case 'literal':
        return this.#inferLiteral(payload.value, name);
      case 'standalone':
        return payload.type;
      case 'text':
        return stringType;
      case 'broken':
        return { kind: 'error' };
      case 'list':
        return this.#listOf(payload.items.map((item) => this.infer(item, `${name}[]`)));
      case 'object':
        return this.#struct(this.#fieldsOf(payload.entries, name), name);
      default:
        return payload satisfies never;
    }
  }

  #fieldsOf(entries: FewEntries<SourcePayload>, name: string): ReadonlyMap<string, Type> {
    const fields = new Map<string, Type>();
    entries.forEach((entry, field) => {
      fields.set(field, this.infer(entry, `${name}.${field}`));
    });
    return fields;
  }

  #inferLiteral(value: JsonValue, name: string): Type {
    if (typeof value !== 'object' || value === null) return scalarType(value);
    if (isList(value)) return this.#listOf(value.map((item) => this.#inferLiteral(item, `${name}[]`)));
    const fields = new Map<string, Type>();
    for (const field of Object.keys(value)) {
      const member = value[field] ?? null;
      // A scalar needs no name, as most fields.
      fields.set(field, typeof member === 'object' ? this.#inferLiteral(member, `${name}.${field}`) : scalarType(member));
    }
    return this.#struct(fields, name);
  }

  #listOf(elements: readonly Type[]): Type {
    const [first] = elements;
    if (first === undefined || weightOf(first) >= MAX_TYPE_WEIGHT) return listType(dynType);
    const wanted = this.#idOf(first);
    return listType(elements.every((element) => element === first || this.#idOf(element) === wanted) ? first : dynType);
  }

  #struct(fields: ReadonlyMap<string, Type>, name: string): StructType {
    const parts: string[] = [];
    fields.forEach((type, field) => {
      parts.push(`${JSON.stringify(field)}:${this.#idOf(type)}`);
    });
    const key = parts.sort().join();
    const known = this.#structs.get(key);
    if (known === undefined) {
      const struct = valueStruct(this.uniqueName(name), fields, name);
      this.#structs.set(key, struct);
      return struct;
    }
    if (known.title === name) return known;
    const struct = valueStruct(known.name, fields, name);
    this.#ids.set(struct, this.#idOf(known));
    return struct;
  }

  /** A name that no other type bears: types of one name are taken for one type, and nodes of different frames may share an id. */
  uniqueName(name: string): string {
    const taken = this.#names.get(name) ?? 0;
    this.#names.set(name, taken + 1);
    return taken === 0 ? name : `${name}~${taken + 1}`;
  }

  /** Equal for types of equal structure; structs of a schema are told apart by identity. */
  #idOf(type: Type): number {
    const key = this.#keyOf(type);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    this.#ids.set(key, this.#ids.size);
    return this.#ids.size - 1;
  }

  #keyOf(type: Type): Type | string {
    switch (type.kind) {
      case 'struct':
        return type;
      case 'list':
        return `list ${this.#idOf(type.element)}`;
      case 'map':
        return `map ${this.#idOf(type.key)} ${this.#idOf(type.value)}`;
      case 'optional':
        return `optional ${this.#idOf(type.value)}`;
      case 'type':
        return type.of === undefined ? 'type' : `type ${this.#idOf(type.of)}`;
      case 'opaque':
      case 'parameter':
        return `${type.kind} ${type.name}`;
      default:
        return type.kind;
    }
  }
}

function scalarType(value: string | boolean | number | bigint | null): Type {
  switch (typeof value) {
    case 'string':
      return stringType;
    case 'boolean':
      return boolType;
    case 'bigint':
      return intType;
    case 'number':
      return Number.isSafeInteger(value) ? intType : doubleType;
    default:
      return dynType;
  }
}

function isList(value: readonly JsonValue[] | object): value is readonly JsonValue[] {
  return Array.isArray(value);
}
