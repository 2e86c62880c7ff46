import type { ResourceKind } from '../api/object.ts';
import { OpenApiSchema, type RawSchema, referenceOf, type SchemaComponents } from './openapi.ts';
import { schemaText } from './schema-text.ts';

const STANDARD_PREFIXES = [
  'io.k8s.api.',
  'io.k8s.apimachinery.pkg.',
  'io.k8s.apiextensions-apiserver.pkg.apis.',
  'io.k8s.kube-aggregator.pkg.apis.',
];
const SHORTENED = /^io\.k8s\.(?:api|apimachinery\.pkg\.apis|apiextensions-apiserver\.pkg\.apis|kube-aggregator\.pkg\.apis)\.(.+)$/;

/** The components of an OpenAPI document, or of several of one server: names are unique in it. */
export class SchemaDocument implements SchemaComponents {
  readonly #raw: ReadonlyMap<string, RawSchema>;
  readonly #resolved = new Map<string, OpenApiSchema>();
  readonly #texts = new Map<string, string>();
  #byKind: ReadonlyMap<string, string> | undefined;

  constructor(raw: ReadonlyMap<string, RawSchema>) {
    this.#raw = raw;
  }

  component(name: string): OpenApiSchema | undefined {
    const known = this.#resolved.get(name);
    if (known !== undefined) return known;
    const raw = this.#target(name);
    if (raw === undefined) return undefined;
    const schema = new OpenApiSchema(raw, {
      name: SHORTENED.exec(name)?.[1] ?? name,
      components: this,
      standard: STANDARD_PREFIXES.some((prefix) => name.startsWith(prefix)),
    });
    this.#resolved.set(name, schema);
    return schema;
  }

  /** The schema of a kind; undefined if the document has none. */
  schemaOf(kind: ResourceKind): OpenApiSchema | undefined {
    const name = this.#names().get(kindKey(kind));
    return name === undefined ? undefined : this.component(name);
  }

  /** All that the schema of a kind says, as text that is equal while the schema is equal; undefined if there is none. */
  textOf(kind: ResourceKind): string | undefined {
    const root = this.#names().get(kindKey(kind));
    if (root === undefined) return undefined;
    const names = new Set([root]);
    for (const name of names) collectReferences(this.#raw.get(name), names);
    return [...names]
      .sort()
      .map((name) => this.#textOfComponent(name))
      .join('\n');
  }

  #textOfComponent(name: string): string {
    const known = this.#texts.get(name);
    if (known !== undefined) return known;
    const text = `${name}=${schemaText(this.#raw.get(name))}`;
    this.#texts.set(name, text);
    return text;
  }

  /** The same document without the components that no schema of these kinds needs. */
  restrictedTo(kinds: readonly ResourceKind[]): SchemaDocument {
    const names = new Set(kinds.flatMap((kind) => this.#names().get(kindKey(kind)) ?? []));
    for (const name of names) collectReferences(this.#raw.get(name), names);
    return new SchemaDocument(new Map([...this.#raw].filter(([name]) => names.has(name))));
  }

  /** The components as they are, by name. */
  components(): Readonly<Record<string, RawSchema>> {
    return Object.fromEntries(this.#raw);
  }

  /** A component that is a mere reference stands for its target. */
  #target(name: string): RawSchema | undefined {
    const seen = new Set<string>();
    let raw = this.#raw.get(name);
    for (let next = name; raw !== undefined && !seen.has(next); raw = this.#raw.get(next)) {
      seen.add(next);
      const reference = referenceOf(raw);
      if (reference === undefined) return raw;
      next = reference;
    }
    return undefined;
  }

  #names(): ReadonlyMap<string, string> {
    if (this.#byKind !== undefined) return this.#byKind;
    const byKind = new Map<string, string>();
    for (const [name, raw] of this.#raw) {
      const kinds = raw['x-kubernetes-group-version-kind'] ?? [];
      for (const kind of kinds) if (!byKind.has(kindKey(kind)) || kinds.length === 1) byKind.set(kindKey(kind), name);
    }
    this.#byKind = byKind;
    return byKind;
  }
}

/** A key that is equal for equal kinds. */
export function kindKey(kind: ResourceKind): string {
  return `${kind.group}/${kind.version}/${kind.kind}`;
}

const KEPT = new Set<string>([
  '$ref',
  'type',
  'format',
  'nullable',
  'default',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'required',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-group-version-kind',
]);

/** What we read of a schema, copied out of a parsed document: without descriptions, so that the document can be let go. */
export function compactSchema(value: unknown): RawSchema {
  if (!isRecord(value)) return {};
  const compact: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (KEPT.has(key)) compact[key] = member;
    else if (key === 'properties' && isRecord(member)) compact[key] = compactEach(member);
    else if (key === 'items' || key === 'not') compact[key] = compactSchema(member);
    else if (key === 'additionalProperties') compact[key] = typeof member === 'boolean' ? member : compactSchema(member);
    else if ((key === 'allOf' || key === 'oneOf' || key === 'anyOf') && Array.isArray(member)) compact[key] = member.map(compactSchema);
  }
  return compact;
}

/** The components of a parsed OpenAPI v3 document, compact; empty if it has none. */
export function readComponents(document: unknown): Map<string, RawSchema> {
  const components = isRecord(document) ? document['components'] : undefined;
  const schemas = isRecord(components) ? components['schemas'] : undefined;
  return new Map(isRecord(schemas) ? Object.entries(schemas).map(([name, schema]) => [name, compactSchema(schema)]) : []);
}

function compactEach(properties: Record<string, unknown>): Record<string, RawSchema> {
  const compact: Record<string, RawSchema> = Object.create(null);
  for (const [name, schema] of Object.entries(properties)) compact[name] = compactSchema(schema);
  return compact;
}

function collectReferences(raw: RawSchema | undefined, names: Set<string>): void {
  if (raw === undefined) return;
  const reference = referenceOf(raw);
  if (reference !== undefined) names.add(reference);
  for (const property of Object.values(raw.properties ?? {})) collectReferences(property, names);
  collectReferences(raw.items, names);
  if (typeof raw.additionalProperties === 'object') collectReferences(raw.additionalProperties, names);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
