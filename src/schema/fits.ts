import { suggest } from '../cel/hint.ts';
import { holdsError, type MapType, printType, type StructType, type Type } from '../cel/type.ts';
import { defineDiagnostic, type Place, type Report } from '../diagnostic/diagnostic.ts';
import { celTypeOf, textType } from './cel-type.ts';
import type { OpenApiSchema, SchemaType } from './openapi.ts';

/** Why a value may not fill a field. */
export interface Misfit {
  readonly fault: 'type' | 'unknown-field';
  /** Where in the value, as `spec.ports[].name`; empty for the value as a whole. */
  readonly at: string;
  /** The type of what is there; of an unknown field its name. */
  readonly found: string;
  /** The type that the schema asks for; of an unknown field the type that does not have it. */
  readonly expected: string;
  readonly hint?: string;
}

const typeMismatch = defineDiagnostic<Misfit>({
  code: 'field/type-mismatch',
  severity: 'error',
  message: ({ at, expected, found }) => `${at === '' ? '' : `"${at}": `}expected ${expected}, found ${found}`,
  hint: ({ hint }) => hint,
});

const unknownField = defineDiagnostic<Misfit>({
  code: 'field/unknown-in-value',
  severity: 'error',
  message: ({ at, expected, found }) => `${at === '' ? '' : `"${at}": `}${expected} has no field "${found}"`,
  hint: ({ hint }) => hint,
});

/** The diagnostics of this file, for the manual. */
export const fitsDiagnostics = [typeMismatch, unknownField] as const;

/** Reports every reason why values of a type may not fill a field of this schema (graph.md 6.3, 6.4). */
export function reportMisfits(type: Type, schema: OpenApiSchema, place: Place, report: Report): void {
  for (const misfit of misfits(type, schema)) reportMisfit(misfit, place, report);
}

/** Reports one reason. */
export function reportMisfit(misfit: Misfit, place: Place, report: Report): void {
  report((misfit.fault === 'type' ? typeMismatch : unknownField)(misfit, place));
}

/** Every reason why values of a type may not fill a field of this schema; empty if they may. `at` is where they stand in a larger value. */
export function misfits(type: Type, schema: OpenApiSchema, at = ''): readonly Misfit[] {
  if (isSame(type, schema)) return NONE;
  const comparison = new Comparison();
  comparison.compare(type, schema, at);
  return comparison.found;
}

/** The misfit of a field that the schema does not have. */
export function unknownMisfit(name: string, schema: OpenApiSchema, at: string): Misfit {
  const hint = suggest(name, schema.propertyNames);
  return { fault: 'unknown-field', at, found: name, expected: schema.name, ...(hint === undefined ? {} : { hint }) };
}

const NONE: readonly Misfit[] = [];

/** What a value is of the schema's own type: nothing to compare. */
function isSame(type: Type, schema: OpenApiSchema): boolean {
  if (type.kind === 'dyn' || type.kind === 'error' || type.kind === 'null' || type.kind === 'parameter') return true;
  const own = celTypeOf(schema);
  return own === type || (own.kind === 'struct' && type.kind === 'struct' && own.name === type.name && own.name !== '');
}

/** So deep values of a map are held to one declared field after another, and so often in one comparison; beyond that they count as fitting. */
const MOST_ALTERNATIVE_LEVELS = 20;
const MOST_ALTERNATIVES = 10_000;

/** A struct that is being compared field by field. */
interface OpenStruct {
  readonly struct: StructType;
  readonly schema: OpenApiSchema;
  readonly at: string;
  readonly names: readonly string[];
  next: number;
}

class Comparison {
  readonly found: Misfit[] = [];
  /** Those around the innermost first: as deep as nodes read one another, which is no depth for a stack of calls (graph.md 15). */
  readonly #open: OpenStruct[] = [];
  readonly #levels: number;
  readonly #alternatives: { left: number };
  /** Pairs that have been compared or are being compared: a recursive type ends here. */
  readonly #seen = new Map<Type, Set<OpenApiSchema>>();

  constructor(levels = 0, alternatives = { left: MOST_ALTERNATIVES }) {
    this.#levels = levels;
    this.#alternatives = alternatives;
  }

  compare(type: Type, schema: OpenApiSchema, at: string): void {
    this.#compare(type, schema, at);
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) this.#compareNextField(open);
  }

  #compare(type: Type, schema: OpenApiSchema, at: string): void {
    if (isSame(type, schema)) return;
    if (type.kind === 'optional') this.#compareOptional(type.value, schema, at);
    else if (!fitsOutside(type, schema)) this.#mismatch(type, schema, at);
    else if (type.kind === 'list') this.#compare(type.element, schema.items, `${at}[]`);
    else if (type.kind === 'map') this.#compareMapValue(type, schema, at);
    else if (type.kind === 'struct' && !this.#wasSeen(type, schema)) {
      this.#open.push({ struct: type, schema, at, names: type.fieldNames(), next: 0 });
    }
  }

  /** No conversion takes an optional: what is in it is converted. */
  #compareOptional(value: Type, schema: OpenApiSchema, at: string): void {
    for (const misfit of misfits(value, schema, at)) {
      const isWhole = misfit.at === at && misfit.hint !== undefined && misfit.fault === 'type';
      this.found.push(isWhole ? { ...misfit, hint: `${misfit.hint} inside x.optMap(v, ...)` } : misfit);
    }
  }

  /** The keys of a map are not known: its values must fit what the schema says of every key, or one of the declared fields. */
  #compareMapValue(map: MapType, schema: OpenApiSchema, at: string): void {
    if (schema.propertyNames.length === 0) this.#compare(map.value, schema.additional ?? schema.anything, `${at}[*]`);
    if (schema.propertyNames.length === 0 || schema.additional !== undefined || schema.toleratesUnknown) return;
    const fitsOne = schema.propertyNames.some((name) => {
      const field = schema.property(name);
      return field === undefined || this.#fits(map.value, field);
    });
    if (!fitsOne) this.#mismatch(map, schema, at);
  }

  #fits(type: Type, schema: OpenApiSchema): boolean {
    this.#alternatives.left--;
    if (this.#levels === MOST_ALTERNATIVE_LEVELS || this.#alternatives.left < 0) return true;
    const comparison = new Comparison(this.#levels + 1, this.#alternatives);
    comparison.compare(type, schema, '');
    return comparison.found.length === 0;
  }

  #compareNextField(open: OpenStruct): void {
    const { struct, schema, at } = open;
    const name = open.names[open.next++];
    if (name === undefined) {
      this.#open.pop();
      return;
    }
    const type = struct.field(name);
    const field = schema.at(name);
    if (field === undefined) this.found.push(unknownMisfit(name, schema, at));
    else if (type !== undefined) this.#compare(type, field, at === '' ? name : `${at}.${name}`);
  }

  #wasSeen(type: Type, schema: OpenApiSchema): boolean {
    const schemas = this.#seen.get(type);
    if (schemas?.has(schema)) return true;
    if (schemas === undefined) this.#seen.set(type, new Set([schema]));
    else schemas.add(schema);
    return false;
  }

  #mismatch(type: Type, schema: OpenApiSchema, at: string): void {
    if (holdsError(type)) return;
    const hint = conversion(type, schema);
    this.found.push({ fault: 'type', at, found: printType(type), expected: printSchema(schema), ...(hint === undefined ? {} : { hint }) });
  }
}

/** Whether the value is of the right sort, whatever is in it. */
function fitsOutside(type: Type, schema: OpenApiSchema): boolean {
  switch (type.kind) {
    case 'list':
      return schema.takes('array');
    case 'map':
      return schema.takes('object') && isStringKey(type.key);
    case 'struct':
      return schema.takes('object');
    default:
      return scalarFits(type, schema);
  }
}

function isStringKey(key: Type): boolean {
  return key.kind === 'string' || key.kind === 'dyn' || key.kind === 'error' || key.kind === 'parameter';
}

function scalarFits(type: Type, schema: OpenApiSchema): boolean {
  if (schema.choices !== undefined) return schema.choices.some((choice) => fitsType(type, choice, undefined));
  if (schema.type === undefined) return (type.kind !== 'bytes' || schema.isUnheard) && type.kind !== 'opaque' && type.kind !== 'type';
  return fitsType(type, schema.type, schema.format);
}

function fitsType(type: Type, expected: SchemaType, format: string | undefined): boolean {
  switch (expected) {
    case 'boolean':
      return type.kind === 'bool';
    case 'integer':
      return type.kind === 'int' || type.kind === 'uint';
    case 'number':
      return type.kind === 'int' || type.kind === 'uint' || type.kind === 'double';
    case 'string':
      return type.kind === textType(format).kind;
    case 'array':
    case 'object':
      return false;
  }
}

/** A schema's type as messages write it: as CEL writes it, but int or string where both fit. */
export function printSchema(schema: OpenApiSchema): string {
  if (schema.choices !== undefined)
    return schema.choices.map((choice) => (choice === 'integer' ? 'int' : choice === 'number' ? 'double' : choice)).join(' or ');
  return schema.type === undefined ? 'a JSON value' : printType(celTypeOf(schema));
}

/** What to write instead. */
function conversion(type: Type, schema: OpenApiSchema): string | undefined {
  if (type.kind === 'optional') return conversion(type.value, schema);
  const expected = celTypeOf(schema);
  if (expected.kind === 'list' && misfits(type, schema.items).length === 0) return 'write it as a list: [...]';
  const isText = type.kind === 'string';
  switch (expected.kind) {
    case 'string':
      return conversionToText(type);
    case 'int':
      return isText || type.kind === 'double' ? 'convert with int(...)' : undefined;
    case 'double':
      return isText ? 'convert with double(...)' : undefined;
    case 'bool':
      return isText ? 'convert with bool(...), or compare' : undefined;
    case 'bytes':
      return isText ? 'convert with bytes(...), or base64.decode(...) if it is encoded' : undefined;
    case 'timestamp':
      return isText ? 'convert with timestamp(...)' : undefined;
    case 'duration':
      return isText ? 'convert with duration(...)' : undefined;
    default:
      return type.kind === 'bytes' ? 'convert with string(...) or base64.encode(...)' : undefined;
  }
}

/** How a value of this type becomes text. */
export function conversionToText(type: Type): string | undefined {
  if (type.kind === 'bytes') return 'convert with string(...) or base64.encode(...)';
  if (type.kind === 'list') return 'join(...) makes a string of a list of strings, json.marshal(...) of any value';
  if (type.kind === 'map' || type.kind === 'struct') return 'json.marshal(...) makes a string of it';
  return type.kind === 'type' || type.kind === 'null' ? undefined : 'convert with string(...)';
}
