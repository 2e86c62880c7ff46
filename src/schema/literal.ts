import type { JsonValue } from '../api/object.ts';
import { suggest } from '../cel/hint.ts';
import { defineDiagnostic, type Report } from '../diagnostic/diagnostic.ts';
import { nearest } from '../diagnostic/nearest.ts';
import type { FieldPath } from '../diagnostic/path.ts';
import { checkCount, checkEnum, checkScalar, constraintDiagnostics, describeSchema, typeMismatch } from './constraints.ts';
import { missedJunctor } from './junctors.ts';
import { COMPUTED, findKeyFaults, hasKeys, type ListElement } from './list-keys.ts';
import { inlineSchema, OpenApiSchema } from './openapi.ts';

/** A part of a manifest that is known only when it is rendered. */
export interface ComputedPart {
  readonly kind: 'standalone' | 'text' | 'broken';
  /** The expression of a standalone one. */
  readonly text?: string;
}

/** A manifest as its author wrote it: literal values, and parts that are known only when it is rendered. */
export type PartialManifest<Computed extends ComputedPart> =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  | { readonly kind: 'object'; readonly entries: ManifestEntries<PartialManifest<Computed>> }
  | { readonly kind: 'list'; readonly items: readonly PartialManifest<Computed>[] }
  | Computed;

/** The fields of an object in order; a Map serves. */
interface ManifestEntries<Entry> {
  readonly size: number;
  get(name: string): Entry | undefined;
  forEach(visit: (entry: Entry, name: string) => void): void;
}

/** How a manifest is checked. */
export interface ManifestCheck<Computed> {
  readonly report: Report;
  /** Warn of required fields that are missing: not for patch nodes. */
  readonly wantsRequired: boolean;
  /** Called for every computed part with the schema of the field that it fills: the one of any value, where nothing is known. */
  readonly computed: (part: Computed, schema: OpenApiSchema, path: FieldPath) => void;
}

/** Fields of a node that an indentation too deep puts into its object (graph.md 5). */
const MODIFIERS: ReadonlySet<string> = new Set(['includeWhen', 'readyWhen', 'forEach']);

const unknownField = defineDiagnostic({
  code: 'field/unknown',
  severity: 'error',
  message: ({ field, type }: { field: string; type: string; known: readonly string[] }) => `unknown field "${field}" in ${type}`,
  hint: ({ field, known }) =>
    MODIFIERS.has(field) ? 'it belongs to the node: indent it less, so that it stands beside the id' : suggest(field, known),
});
const missingField = defineDiagnostic({
  code: 'field/required',
  severity: 'warning',
  message: ({ field, type }: { field: string; type: string }) => `required field "${field}" of ${type} is missing`,
});
const repeatedKey = defineDiagnostic({
  code: 'field/repeated',
  severity: 'error',
  message: ({ key }: { key: string; absent: readonly string[] }) => `a second element with ${key}`,
  hint: ({ absent }) => (absent.length === 0 ? undefined : `it has no ${absent.map((name) => `"${name}"`).join(' and no ')}: set it`),
});
const missingKey = defineDiagnostic({
  code: 'field/key-missing',
  severity: 'error',
  message: ({ keys }: { keys: readonly string[] }) =>
    `the element has no ${keys.map((key) => `"${key}"`).join(' and no ')}, which tells it from the others`,
});
const missesJunctor = defineDiagnostic({
  code: 'field/combination',
  severity: 'error',
  message: ({ junctor, type }: { junctor: keyof typeof JUNCTORS; type: string }) =>
    `the value ${JUNCTORS[junctor]} ("${junctor}" of ${type})`,
});
const JUNCTORS = {
  allOf: 'does not fit all of what its schema combines',
  anyOf: 'fits none of the alternatives of its schema',
  oneOf: 'does not fit exactly one of the alternatives of its schema',
  not: 'is what its schema rules out',
} as const;

/** In the metadata of a custom kind the API server drops a scalar that it cannot read as one of these, and null is none. */
const SERVER_SET_TIMES: ReadonlySet<string> = new Set(['creationTimestamp', 'deletionTimestamp']);
const NONE: readonly never[] = [];
const anyScalar = inlineSchema({ nullable: true, oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] }, 'time');

/** The diagnostics of checking literals, for the manual. */
export const literalDiagnostics = [unknownField, missingField, repeatedKey, missingKey, missesJunctor, ...constraintDiagnostics] as const;

/**
 * Checks the literal values of a manifest against its schema, and hands every computed part on (graph.md 6.3). What an API server
 * would accept in a server-side apply is never refused. A missing required field only warns.
 */
export function checkManifest<Computed extends ComputedPart>(
  manifest: PartialManifest<Computed>,
  schema: OpenApiSchema,
  path: FieldPath,
  check: ManifestCheck<Computed>,
): void {
  new Walk(check, schema.isStandard ? undefined : path).visit(manifest, schema, path);
}

/** The fields of an object as they are counted; `lost()` of them may be left out. */
interface FieldSet {
  readonly size: number;
  readonly lost: () => number;
  readonly has: (name: string) => boolean;
}

/** The elements of a list; `lost()` of them may be left out. */
interface Elements<Item> {
  readonly items: readonly Item[];
  readonly read: (item: Item) => ListElement;
  readonly lost: () => number;
}

class Walk<Computed extends ComputedPart> {
  readonly #check: ManifestCheck<Computed>;
  /** Where an object of a custom kind stands; undefined for a standard one. */
  readonly #custom: FieldPath | undefined;
  /** Elements that lack what tells them from others, which has been reported: where, and the fields. */
  #keyless: Map<string, readonly string[]> | undefined;

  constructor(check: ManifestCheck<Computed>, custom: FieldPath | undefined) {
    this.#check = check;
    this.#custom = custom;
  }

  visit(manifest: PartialManifest<Computed>, schema: OpenApiSchema, path: FieldPath): void {
    switch (manifest.kind) {
      case 'literal':
        this.#visitLiteral(manifest.value, schema, path);
        break;
      case 'object': {
        const { entries } = manifest;
        const lost = (): number => countLost((visit) => entries.forEach(visit));
        const inside = this.#enterObject({ size: entries.size, lost, has: (name) => entries.get(name) !== undefined }, schema, path);
        for (const field of this.#requiredOf(inside))
          if (entries.get(field) === undefined) this.#missField(field, namesOf(entries), inside, path);
        entries.forEach((entry, name) => {
          this.visit(entry, this.#fieldSchema(name, inside, path), path.field(name));
        });
        break;
      }
      case 'list': {
        const { items } = manifest;
        const lost = (): number => countLost((visit) => items.forEach(visit));
        const inside = this.#enterList({ items, read: elementOfManifest, lost }, schema, path);
        manifest.items.forEach((item, index) => {
          this.visit(item, inside, path.index(index));
        });
        break;
      }
      default:
        this.#check.computed(manifest, schema, path);
    }
  }

  #visitLiteral(value: JsonValue, schema: OpenApiSchema, path: FieldPath): void {
    if (value === null) {
      if (!schema.takesNull) this.#mismatch('null', schema, path);
      // A standard kind has no null, and neither has a field that would be filled.
      else if (!schema.isStandard && (schema.nullable || schema.raw.default === undefined))
        checkEnum(null, schema, path, this.#check.report);
    } else if (typeof value !== 'object') {
      if (checkScalar(value, schema, path, this.#check.report)) this.#checkJunctors(value, schema, path);
    } else if (isList(value)) {
      const inside = this.#enterList({ items: value, read: elementOfLiteral, lost: none }, schema, path);
      for (let index = 0; index < value.length; index++) this.#visitLiteral(value[index] ?? null, inside, path.index(index));
      if (schema.takes('array')) this.#checkWhole(value, schema, path);
    } else {
      const names = Object.keys(value);
      const inside = this.#enterObject({ size: names.length, lost: none, has: (name) => Object.hasOwn(value, name) }, schema, path);
      for (const field of this.#requiredOf(inside)) if (!Object.hasOwn(value, field)) this.#missField(field, names, inside, path);
      for (const name of names) this.#visitLiteral(value[name] ?? null, this.#fieldSchema(name, inside, path), path.field(name));
      if (schema.takes('object')) this.#checkWhole(value, schema, path);
    }
  }

  /** The schema to check the fields with: of any value, after a mismatch that has been reported. */
  #enterObject({ size, lost, has }: FieldSet, schema: OpenApiSchema, path: FieldPath): OpenApiSchema {
    if (!schema.takes('object')) return this.#mismatch('object', schema, path);
    const { minProperties, maxProperties } = schema.raw;
    if (minProperties !== undefined || maxProperties !== undefined) {
      const filled = schema.propertyNames.filter((name) => schema.defaultOf(name) !== undefined && !has(name)).length;
      checkCount({ least: size - lost() + filled, most: size + filled }, schema, path, this.#check.report);
    }
    return schema;
  }

  #requiredOf(schema: OpenApiSchema): readonly string[] {
    return this.#check.wantsRequired ? schema.required : NONE;
  }

  #missField(field: string, names: readonly string[], schema: OpenApiSchema, path: FieldPath): void {
    if (schema.fills(field) || this.#lacksKey(field, path) || isMisspelt(field, names, schema)) return;
    this.#check.report(missingField({ field, type: schema.name }, { path }));
  }

  /** The schema to check the elements with. */
  #enterList<Item>({ items, read, lost }: Elements<Item>, schema: OpenApiSchema, path: FieldPath): OpenApiSchema {
    if (!schema.takes('array')) return this.#mismatch('list', schema, path);
    if (schema.raw.minItems !== undefined || schema.raw.maxItems !== undefined)
      checkCount({ least: items.length - lost(), most: items.length }, schema, path, this.#check.report);
    if (hasKeys(schema)) this.#checkKeys(items.map(read), schema, path);
    return schema.items;
  }

  #checkKeys(elements: readonly ListElement[], schema: OpenApiSchema, path: FieldPath): void {
    for (const fault of findKeyFaults(elements, schema)) {
      const place = { path: path.index(fault.index) };
      if (fault.fault === 'repeated') {
        this.#check.report(repeatedKey({ key: fault.key, absent: fault.absent }, place));
        this.#noteKeyless(place.path, fault.absent);
      } else if (fault.fault === 'missing') {
        this.#check.report(missingKey({ keys: fault.keys }, place));
        this.#noteKeyless(place.path, fault.keys);
      } else if (schema.items.takesNull) this.#mismatch('null', schema.items, place.path);
    }
  }

  #noteKeyless(path: FieldPath, keys: readonly string[]): void {
    this.#keyless ??= new Map();
    this.#keyless.set(String(path), keys);
  }

  #lacksKey(field: string, path: FieldPath): boolean {
    return this.#keyless?.get(String(path))?.includes(field) === true;
  }

  /** What a schema says of a list or an object of the right type beside what is in it. */
  #checkWhole(value: JsonValue, schema: OpenApiSchema, path: FieldPath): void {
    checkEnum(value, schema, path, this.#check.report);
    this.#checkJunctors(value, schema, path);
  }

  /** Of values that are literal as a whole; standard kinds have none. */
  #checkJunctors(value: JsonValue, schema: OpenApiSchema, path: FieldPath): void {
    if (schema.isStandard || !schema.hasJunctors) return;
    const missed = missedJunctor(value, schema.raw);
    if (missed !== undefined) this.#check.report(missesJunctor({ junctor: missed, type: schema.name }, { path }));
  }

  #fieldSchema(name: string, schema: OpenApiSchema, path: FieldPath): OpenApiSchema {
    if (schema.isObjectMeta && path.parent === this.#custom && SERVER_SET_TIMES.has(name)) return anyScalar;
    const field = schema.at(name);
    if (field !== undefined) return field;
    this.#check.report(unknownField({ field: name, type: schema.name, known: schema.propertyNames }, { path: path.field(name) }));
    return OpenApiSchema.unheard;
  }

  #mismatch(found: string, schema: OpenApiSchema, path: FieldPath): OpenApiSchema {
    this.#check.report(typeMismatch({ expected: describeSchema(schema), found }, { path }));
    return OpenApiSchema.unheard;
  }
}

function none(): number {
  return 0;
}

/** How many of the parts an omit() may leave out. */
function countLost(each: (visit: (part: PartialManifest<ComputedPart>) => void) => void): number {
  let lost = 0;
  each((part) => {
    if (part.kind === 'standalone' && part.text?.includes('omit') === true) lost += 1;
  });
  return lost;
}

function namesOf(entries: ManifestEntries<unknown>): string[] {
  const names: string[] = [];
  entries.forEach((_, name) => {
    names.push(name);
  });
  return names;
}

/** Whether a field is there under a name that is reported as unknown, with this field as the one that may be meant. */
function isMisspelt(field: string, names: readonly string[], schema: OpenApiSchema): boolean {
  return names.some((name) => schema.at(name) === undefined && nearest(name, schema.propertyNames).includes(field));
}

function elementOfLiteral(value: JsonValue): ListElement {
  if (typeof value !== 'object' || value === null || isList(value)) return { value };
  return { field: (name) => (Object.hasOwn(value, name) ? value[name] : undefined) };
}

function elementOfManifest(manifest: PartialManifest<ComputedPart>): ListElement {
  if (manifest.kind === 'literal') return elementOfLiteral(manifest.value);
  if (manifest.kind !== 'object') return COMPUTED;
  const { entries } = manifest;
  return {
    field(name) {
      const entry = entries.get(name);
      return entry === undefined ? undefined : entry.kind === 'literal' ? entry.value : COMPUTED;
    },
  };
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
