import type { JsonValue } from '../api/object.ts';
import { OBJECT_META_NAME, objectMeta } from './object-meta.ts';

/** The types of an OpenAPI schema. */
export type SchemaType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

/** The members of an OpenAPI v3 schema that we read, as they stand in a document. */
export interface RawSchema {
  readonly $ref?: string;
  readonly allOf?: readonly RawSchema[];
  readonly oneOf?: readonly RawSchema[];
  readonly anyOf?: readonly RawSchema[];
  readonly not?: RawSchema;
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, RawSchema>>;
  readonly additionalProperties?: RawSchema | boolean;
  readonly items?: RawSchema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

/** The named schemas of one server, which `$ref`s point to. */
export interface SchemaComponents {
  /** The component of this name; undefined if there is none. The same object every time. */
  component(name: string): OpenApiSchema | undefined;
}

interface Position {
  /** What messages call the schema, unique among the schemas of a server: `core.v1.PodSpec`, `example.com.v1.Widget.spec.parts[]`. */
  readonly name: string;
  readonly components: SchemaComponents;
  /** An enclosing schema preserves unknown fields, so the API server does not refuse unknown ones here (it drops them). */
  readonly lenient?: boolean;
  /** Of a kind that is not known. */
  readonly unheard?: boolean;
  /** Schemas of the standard kinds are decoded by Go types and not validated as the schema of a custom kind is. */
  readonly standard?: boolean;
}

const SCALARS: readonly SchemaType[] = ['string', 'integer', 'number', 'boolean'];
const OBJECT_META_SHORT_NAME = 'meta.v1.ObjectMeta';
/** What the API server's Go types read their text as, where the document names no format or a wider one. */
const STANDARD_FORMATS: ReadonlyMap<string, string> = new Map([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', 'quantity'],
  ['meta.v1.MicroTime', 'micro-time'],
]);
const NONE: readonly string[] = [];
const NO_COMPONENTS: SchemaComponents = { component: () => undefined };

/**
 * A schema with its references resolved: lazily, so that a recursive kind is a finite thing, and once, so that what is derived
 * from a schema can be remembered by its identity.
 */
export class OpenApiSchema {
  /** The schema of which nothing is known: any value is right. */
  static readonly any = new OpenApiSchema({}, { name: 'any', components: NO_COMPONENTS });
  /** A field of which it is not known what schema it has, if any: that of an unknown kind, and what is wrong itself (graph.md 4, dynamic type). */
  static readonly unheard = new OpenApiSchema({}, { name: 'any', components: NO_COMPONENTS, unheard: true });

  readonly name: string;
  /** The members that are read as they are: bounds, pattern, enum, default. */
  readonly raw: RawSchema;
  readonly type: SchemaType | undefined;
  readonly format: string | undefined;
  readonly nullable: boolean;
  /** The scalar types of a field that has no type of its own: int-or-string, and string or number for a quantity. */
  readonly choices: readonly SchemaType[] | undefined;
  /** `x-kubernetes-preserve-unknown-fields`: fields that are not declared are kept. */
  readonly preservesUnknown: boolean;
  /** It combines other schemas (`allOf`, `anyOf`, `oneOf`, `not`). */
  readonly hasJunctors: boolean;
  /** Nothing is unknown here: the API server keeps or drops a field that is not declared, but does not refuse it. */
  readonly toleratesUnknown: boolean;
  /** What it takes is judged when it is rendered: also bytes, for the field may be of the byte format. */
  readonly isUnheard: boolean;
  /** Of a standard kind: decoded by the API server's Go types. */
  readonly isStandard: boolean;

  readonly #components: SchemaComponents;
  readonly #properties: Readonly<Record<string, RawSchema>>;
  readonly #resolved = new Map<string, OpenApiSchema>();
  #names: readonly string[] | undefined;
  #items: OpenApiSchema | undefined;
  #additional: OpenApiSchema | undefined;

  constructor(raw: RawSchema, position: Position) {
    this.raw = raw;
    this.name = position.name;
    this.type = schemaType(raw.type);
    this.format = (position.standard === true ? STANDARD_FORMATS.get(position.name) : undefined) ?? raw.format;
    this.nullable = raw.nullable === true;
    const isText = this.type !== undefined && (raw.format !== 'int-or-string' || position.standard !== true);
    this.choices = isText ? undefined : scalarChoices(raw);
    this.preservesUnknown = raw['x-kubernetes-preserve-unknown-fields'] === true;
    this.hasJunctors = raw.allOf !== undefined || raw.anyOf !== undefined || raw.oneOf !== undefined || raw.not !== undefined;
    this.#components = position.components;
    this.isStandard = position.standard === true;
    this.isUnheard = position.unheard === true;
    this.#properties = raw['x-kubernetes-embedded-resource'] === true ? withObjectFields(raw.properties) : (raw.properties ?? {});
    this.toleratesUnknown =
      position.lenient === true || this.preservesUnknown || (raw.additionalProperties === undefined && this.isFreeForm);
  }

  /** The standard metadata of an object. */
  get isObjectMeta(): boolean {
    return this.isStandard && this.name === OBJECT_META_SHORT_NAME;
  }

  /** An object of which no field is declared, or a value of no type at all. */
  get isFreeForm(): boolean {
    if (this.type === undefined) return this.choices === undefined && this.propertyNames.length === 0 && this.raw.items === undefined;
    return this.type === 'object' && this.propertyNames.length === 0 && this.raw.additionalProperties === undefined;
  }

  /** Whether null may stand here: not in a custom kind, unless its schema says so or would fill the field. */
  get takesNull(): boolean {
    return this.isStandard || this.nullable || this.raw.default !== undefined || (this.type === undefined && this.choices === undefined);
  }

  /** Whether a list or an object may stand here, whatever is in it. */
  takes(type: 'array' | 'object'): boolean {
    return this.type === type || (this.type === undefined && this.choices === undefined);
  }

  /** The declared fields, in the document's order. */
  get propertyNames(): readonly string[] {
    this.#names ??= Object.keys(this.#properties);
    return this.#names;
  }

  /** The schema of a declared field. */
  property(name: string): OpenApiSchema | undefined {
    const known = this.#resolved.get(name);
    if (known !== undefined) return known;
    if (!Object.hasOwn(this.#properties, name)) return undefined;
    const resolved = this.#child(this.#properties[name], `.${name}`);
    if (resolved !== undefined) this.#resolved.set(name, resolved);
    return resolved;
  }

  /** What the API server fills into a declared field that is absent; undefined if nothing. */
  defaultOf(name: string): JsonValue | undefined {
    return Object.hasOwn(this.#properties, name) ? this.#properties[name]?.default : undefined;
  }

  /**
   * Whether the API server itself fills a required field that is absent. The standard kinds name the zero value of every field that is no
   * pointer as its default: their own validation refuses it where the field is required.
   */
  fills(name: string): boolean {
    const value = this.defaultOf(name);
    return value !== undefined && !(this.isStandard && isZero(value));
  }

  /** The fields that an object must have once everything that may fill them has. */
  get required(): readonly string[] {
    const required = this.raw.required ?? NONE;
    return this.raw['x-kubernetes-embedded-resource'] === true ? [...new Set(['apiVersion', 'kind', ...required])] : required;
  }

  /** The schema of a list's elements; any, if the document does not say. */
  get items(): OpenApiSchema {
    this.#items ??= this.#child(this.raw.items, '[]') ?? this.anything;
    return this.#items;
  }

  /** The schema of a map's values; undefined if fields beyond the declared ones are not allowed. */
  get additional(): OpenApiSchema | undefined {
    const raw = this.raw.additionalProperties;
    if (raw === undefined || raw === false) return undefined;
    if (raw === true) return this.anything;
    this.#additional ??= this.#child(raw, '[*]') ?? this.anything;
    return this.#additional;
  }

  /** The schema of what nothing is declared of. */
  get anything(): OpenApiSchema {
    return this.isUnheard ? OpenApiSchema.unheard : OpenApiSchema.any;
  }

  /** The schema at a field name or list index of a value of this schema; undefined where the schema allows none (graph.md 6.2). */
  at(segment: string | number): OpenApiSchema | undefined {
    if (typeof segment === 'number') return this.type === 'array' || this.isFreeForm ? this.items : undefined;
    if (this.type !== undefined && this.type !== 'object') return undefined;
    return this.property(segment) ?? this.additional ?? (this.toleratesUnknown ? this.anything : undefined);
  }

  #child(raw: RawSchema | undefined, step: string): OpenApiSchema | undefined {
    // A file may say anything: what is no schema declares nothing.
    if (typeof raw !== 'object' || raw === null) return undefined;
    const target = referenceOf(raw);
    if (target !== undefined) return target === OBJECT_META_NAME ? this.#objectMeta() : this.#components.component(target);
    return new OpenApiSchema(raw, {
      name: this.name + step,
      components: this.#components,
      lenient: this.preservesUnknown || this.toleratesUnknown,
      standard: this.isStandard,
      unheard: this.isUnheard,
    });
  }

  #objectMeta(): OpenApiSchema {
    return this.#components.component(OBJECT_META_NAME) ?? standardObjectMeta;
  }
}

/** The schema of a document of our own making, without components: for CRDs, and for variables given with their schema. */
export function inlineSchema(raw: RawSchema, name: string): OpenApiSchema {
  return new OpenApiSchema(raw, { name, components: NO_COMPONENTS });
}

/** The schema of an object of a kind that is not known, as far as it declares anything. */
export function unheardSchema(raw: RawSchema, name: string): OpenApiSchema {
  return new OpenApiSchema(raw, { name, components: NO_COMPONENTS, unheard: true });
}

const standardObjectMeta = new OpenApiSchema(objectMeta, { name: OBJECT_META_SHORT_NAME, components: NO_COMPONENTS, standard: true });

/** The component that a schema stands for: `{$ref}`, or `{allOf: [{$ref}]}` beside a description and a default. */
export function referenceOf(raw: RawSchema): string | undefined {
  const reference = raw.$ref ?? (raw.allOf?.length === 1 ? raw.allOf[0]?.$ref : undefined);
  return typeof reference !== 'string' ? undefined : reference.slice(reference.lastIndexOf('/') + 1);
}

function schemaType(type: string | undefined): SchemaType | undefined {
  switch (type) {
    case 'object':
    case 'array':
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return type;
    default:
      return undefined;
  }
}

function scalarChoices(raw: RawSchema): readonly SchemaType[] | undefined {
  if (raw['x-kubernetes-int-or-string'] === true || raw.format === 'int-or-string') return ['integer', 'string'];
  if (!Array.isArray(raw.oneOf)) return undefined;
  const types = raw.oneOf.map((choice: RawSchema | null) => schemaType(choice?.type));
  const scalars = types.filter((type): type is SchemaType => type !== undefined && SCALARS.includes(type));
  return scalars.length === types.length ? scalars : undefined;
}

function withObjectFields(properties: Readonly<Record<string, RawSchema>> | undefined): Readonly<Record<string, RawSchema>> {
  return { apiVersion: { type: 'string' }, kind: { type: 'string' }, ...properties, metadata: { $ref: OBJECT_META_NAME } };
}

function isZero(value: JsonValue): boolean {
  if (typeof value === 'object') return value === null || Object.keys(value).length === 0;
  return value === '' || Number(value) === 0;
}
