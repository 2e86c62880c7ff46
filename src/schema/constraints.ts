import type { JsonValue } from '../api/object.ts';
import { defineDiagnostic, type Report } from '../diagnostic/diagnostic.ts';
import { nearest } from '../diagnostic/nearest.ts';
import type { FieldPath } from '../diagnostic/path.ts';
import { isOfFormat } from './format.ts';
import { jsonEquals } from './json-equals.ts';
import type { OpenApiSchema, SchemaType } from './openapi.ts';
import { compilePattern } from './pattern.ts';

/** Reports that a literal value is not of its field's type. */
export const typeMismatch = defineDiagnostic({
  code: 'field/type',
  severity: 'error',
  message: ({ expected, found }: TypeMismatch) => `expected ${expected}, found ${found}`,
  hint: ({ expected, found, text }) => {
    if (expected.includes('string') && ['int', 'double', 'bool'].includes(found)) return 'put it in quotes';
    if (found === 'string' && (expected === 'int' || expected === 'double') && text !== undefined && /^-?\d+(\.\d+)?$/.test(text))
      return 'remove the quotes';
    if (found === 'string' && expected === 'bool' && (text === 'true' || text === 'false')) return 'remove the quotes';
    return expected === 'list' ? 'write it as a list: [...]' : undefined;
  },
});

interface TypeMismatch {
  readonly expected: string;
  readonly found: string;
  readonly text?: string;
}

const notInEnum = defineDiagnostic({
  code: 'field/enum',
  severity: 'error',
  message: ({ value, allowed }: { value: string; allowed: readonly string[] }) => `${value} is not one of ${allowed.join(', ')}`,
  hint: ({ value, allowed }) => {
    const [best] = nearest(bare(value), allowed.map(bare));
    return best === undefined || best === '' ? undefined : `did you mean ${allowed.find((text) => bare(text) === best)}?`;
  },
});
/** A JSON string without its quotes, which would count as letters that are alike. */
function bare(json: string): string {
  return json.replace(/^"(.*)"$/s, '$1');
}

const patternMissed = defineDiagnostic({
  code: 'field/pattern',
  severity: 'error',
  message: ({ pattern }: { pattern: string }) => `the text does not match the pattern ${pattern}`,
});
const formatMissed = defineDiagnostic({
  code: 'field/format',
  severity: 'error',
  message: ({ format }: { format: string }) => `the text is not of the format ${format}`,
  hint: ({ format }) => FORMAT_HINTS.get(format),
});
const outOfBounds = defineDiagnostic({
  code: 'field/bounds',
  severity: 'error',
  message: ({ what, bound }: { what: string; bound: string }) => `${what} must be ${bound}`,
});

/** The diagnostics of this file, for the manual. */
export const constraintDiagnostics = [typeMismatch, notInEnum, patternMissed, formatMissed, outOfBounds] as const;

const FORMAT_HINTS: ReadonlyMap<string, string> = new Map([
  ['byte', 'write it in base64'],
  ['date-time', 'write it as 2006-01-02T15:04:05Z'],
  ['date', 'write it as 2006-01-02'],
  ['duration', 'write it as 1h30m'],
  ['micro-time', 'write it as 2006-01-02T15:04:05.000000Z'],
  ['quantity', 'write it as 500m, 1.5 or 2Gi'],
]);
const INT32 = 2 ** 31;
const INT64 = 2n ** 63n;

/** A literal of a manifest that is neither list, object nor null. */
export type Scalar = string | number | bigint | boolean;

/** Checks a scalar against all that a schema itself says of it; false if it is of another type, of which nothing more need be said. */
export function checkScalar(value: Scalar, schema: OpenApiSchema, path: FieldPath, report: Report): boolean {
  if (!isOfType(value, schema)) {
    const text = typeof value === 'string' ? { text: value } : {};
    report(typeMismatch({ expected: describeSchema(schema), found: describeValue(value), ...text }, { path }));
    return false;
  }
  checkEnum(value, schema, path, report);
  if (typeof value === 'string') checkText(value, schema, path, report);
  else if (typeof value !== 'boolean') checkNumber(value, schema, path, report);
  return true;
}

/** Checks the enum of a value of any type. */
export function checkEnum(value: JsonValue, schema: OpenApiSchema, path: FieldPath, report: Report): void {
  // The API server takes no null for one of an enum, though it may stand there.
  const allowed = schema.raw.enum?.filter((one) => one !== null);
  if (allowed === undefined || allowed.some((one) => jsonEquals(one, value))) return;
  // The API server compares a number with a fraction as the type that the number of the enum has.
  if (!schema.isStandard && isFraction(value) && allowed.some((one) => isInteger(one) && jsonEquals(one, Math.trunc(value)))) return;
  // The empty text of a standard kind's enum is what defaulting fills, or what its own validation judges.
  if (value === '' && schema.isStandard) return;
  report(notInEnum({ value: printShort(value), allowed: allowed.map(printShort) }, { path }));
}

/** How many elements or fields there certainly are, and how many there may be once the manifest is rendered and its defaults are filled in. */
export interface Count {
  readonly least: number;
  readonly most: number;
}

/** Checks how many elements or fields there are. */
export function checkCount({ least, most }: Count, schema: OpenApiSchema, path: FieldPath, report: Report): void {
  const { minItems, maxItems, minProperties, maxProperties } = schema.raw;
  const [what, fewest, highest] = schema.type === 'array' ? ['items', minItems, maxItems] : ['fields', minProperties, maxProperties];
  if (fewest !== undefined && most < Number(fewest))
    report(outOfBounds({ what: `the number of ${what}`, bound: `at least ${fewest}, found ${most}` }, { path }));
  if (highest !== undefined && least > Number(highest))
    report(outOfBounds({ what: `the number of ${what}`, bound: `at most ${highest}, found ${least}` }, { path }));
}

/** What messages call the type of a literal. */
export function describeValue(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'double';
    case 'bigint':
      return 'int';
    default:
      return 'object';
  }
}

/** What messages call the type of a field, for someone who writes a literal. */
export function describeSchema(schema: OpenApiSchema): string {
  const types = schema.choices ?? (schema.type === undefined ? [] : [schema.type]);
  return types.map((type) => TYPE_NAMES[type]).join(' or ');
}

const TYPE_NAMES: Readonly<Record<SchemaType, string>> = {
  object: 'object',
  array: 'list',
  string: 'string',
  integer: 'int',
  number: 'double',
  boolean: 'bool',
};

function isOfType(value: Scalar, schema: OpenApiSchema): boolean {
  if (schema.choices !== undefined) return schema.choices.some((choice) => isOf(value, choice));
  return schema.type === undefined || isOf(value, schema.type);
}

function isOf(value: Scalar, type: SchemaType): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value);
    case 'number':
      return typeof value === 'bigint' || typeof value === 'number';
    default:
      return false;
  }
}

function checkText(text: string, schema: OpenApiSchema, path: FieldPath, report: Report): void {
  const { minLength, maxLength, pattern } = schema.raw;
  if (minLength !== undefined || maxLength !== undefined) {
    const length = codePoints(text);
    if (minLength !== undefined && length < minLength)
      report(outOfBounds({ what: 'the length', bound: `at least ${minLength}, found ${length}` }, { path }));
    if (maxLength !== undefined && length > maxLength)
      report(outOfBounds({ what: 'the length', bound: `at most ${maxLength}, found ${length}` }, { path }));
  }
  if (pattern !== undefined && patternOf(schema, pattern)?.(text) === false) report(patternMissed({ pattern }, { path }));
  const { format } = schema;
  if (format === undefined || (schema.type !== 'string' && schema.type !== undefined)) return;
  if (!isOfFormat(text, format, schema.isStandard ? 'standard' : 'custom')) report(formatMissed({ format }, { path }));
}

function checkNumber(value: number | bigint, schema: OpenApiSchema, path: FieldPath, report: Report): void {
  const { exclusiveMinimum, exclusiveMaximum, multipleOf } = schema.raw;
  const complain = (bound: string): void => report(outOfBounds({ what: 'the number', bound: `${bound}, found ${value}` }, { path }));
  const [minimum, maximum] = [boundFor(value, schema.raw.minimum), boundFor(value, schema.raw.maximum)];
  if (minimum !== undefined && (exclusiveMinimum === true ? value <= minimum : value < minimum))
    complain(exclusiveMinimum === true ? `more than ${minimum}` : `at least ${minimum}`);
  if (maximum !== undefined && (exclusiveMaximum === true ? value >= maximum : value > maximum))
    complain(exclusiveMaximum === true ? `less than ${maximum}` : `at most ${maximum}`);
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) complain(`a multiple of ${multipleOf}`);
  const isInt32 = value >= -INT32 && value < INT32;
  // A standard kind's integer wraps around, but not where text may stand, too.
  if (schema.isStandard && schema.format === 'int-or-string' && !isInt32) complain('a 32-bit integer');
  if (schema.isStandard) return;
  if (schema.format === 'float' && !Number.isFinite(Math.fround(Number(value)))) complain('a number of single precision');
  if (schema.type !== 'integer') return;
  if (schema.format === 'int32' && !isInt32) complain('a 32-bit integer');
  else if (!isInt64(value)) complain('a 64-bit integer');
}

/** The API server compares an integer with the whole part of a bound. */
function boundFor(value: number | bigint, bound: number | bigint | undefined): number | bigint | undefined {
  return typeof bound === 'number' && isInteger(value) ? Math.trunc(bound) : bound;
}

/** Nothing whole is a multiple of a factor below one, as the API server divides; a fraction may be off by what doubles are. */
function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  if (isInteger(value) && isInt64(value)) {
    const whole = BigInt(typeof factor === 'bigint' ? factor : Math.trunc(factor));
    return whole > 0n && BigInt(value) % whole === 0n;
  }
  const [number, divisor] = [Number(value), Number(factor)];
  const times = divisor < 1 ? (1 / divisor) * number : number / divisor;
  if (Math.abs(times) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(times);
  return whole === times || (whole !== 0 && Math.abs(times - whole) / (Math.abs(times) + Math.abs(whole)) < 1e-9);
}

function isInteger(value: JsonValue): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function isFraction(value: JsonValue): value is number {
  return typeof value === 'number' && !Number.isInteger(value);
}

function isInt64(value: number | bigint): boolean {
  const exact = BigInt(value);
  return exact >= -INT64 && exact < INT64;
}

/** Compiled patterns, by the schema that holds them: a memo. */
const patterns = new WeakMap<OpenApiSchema, ReturnType<typeof compilePattern>>();

function patternOf(schema: OpenApiSchema, pattern: string): ReturnType<typeof compilePattern> {
  if (!patterns.has(schema)) patterns.set(schema, compilePattern(pattern));
  return patterns.get(schema);
}

function codePoints(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

const LONGEST_QUOTE = 60;

function printShort(value: JsonValue): string {
  const text =
    typeof value === 'bigint'
      ? value.toString()
      : JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? member.toString() : member));
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}
