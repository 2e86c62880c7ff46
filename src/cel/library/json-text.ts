import type { Budget } from '../budget.ts';
import { compareStrings } from '../equality.ts';
import { fail } from '../error.ts';
import type { Integer } from '../int64.ts';
import { printDoubleSeconds, printGoDuration, printLocalTimestamp, printTimestamp, ZERO_TIME } from '../temporal.ts';
import {
  boxDouble,
  Duration,
  doubleOf,
  isInt,
  isList,
  isMap,
  isPlainMap,
  mapEntries,
  OMIT,
  Optional,
  type PlainMap,
  sourceOf,
  Timestamp,
  Uint,
  type Value,
} from '../value.ts';

/** How the two functions that write JSON differ. */
export interface JsonDialect {
  /** Each gives JSON, quotes included; but a duration its text. */
  integer(value: Integer): string;
  timestamp(value: Timestamp): string;
  duration(value: Duration): string;
  /** The text of an optional without a value. */
  none(): string;
  omitted(): string;
  /** The fields of an object: as they stand in JSON, or as CEL values. */
  fields(object: PlainMap): PlainMap;
}

/** kro's `json.marshal`: as Kubernetes writes its own objects, with times to the second and Go's durations; objects as they were read. */
export const KUBERNETES: JsonDialect = {
  integer: String,
  // To Kubernetes the zero of Go's times is no time.
  timestamp: (value) => (value.nanos === ZERO_TIME ? 'null' : `"${printTimestamp(value).replace(/\.\d+Z$/, 'Z')}"`),
  duration: printGoDuration,
  none: () => 'null',
  omitted: () => '{}',
  fields: sourceOf,
};

/** cel-go's `json.encode`: as protobuf writes its well-known types; integers beyond 2^53 are strings. */
export const PROTOBUF: JsonDialect = {
  integer: (value) => (Number.isSafeInteger(Number(value)) ? String(value) : `"${value}"`),
  timestamp: (value) => `"${printLocalTimestamp(value)}"`,
  duration: printDoubleSeconds,
  none: () => {
    throw fail('optional', 'an optional without a value has no JSON');
  },
  omitted: () => {
    throw fail('conversion', 'omit() has no JSON');
  },
  fields: (object) => object,
};

/** Writes a value as compact JSON with sorted keys, escaped as Go does. Every part is charged: a value may hold one part many times. */
export function writeJson(value: Value, dialect: JsonDialect, budget: Budget): string {
  const pieces: string[] = [];
  write(value, { dialect, budget, pieces });
  return pieces.join('');
}

interface Writer {
  readonly dialect: JsonDialect;
  readonly budget: Budget;
  readonly pieces: string[];
}

function write(value: Value, writer: Writer): void {
  if (isList(value)) writeList(value, writer);
  else if (value instanceof Optional && value.value !== undefined) write(value.value, writer);
  else if (isMap(value)) writeMap(mapEntries(isPlainMap(value) ? writer.dialect.fields(value) : value), writer);
  else put(scalarText(value, writer.dialect), writer);
}

function put(piece: string, { budget, pieces }: Writer): void {
  budget.spend(1);
  budget.grow(piece.length);
  pieces.push(piece);
}

function writeList(list: readonly Value[], writer: Writer): void {
  put('[', writer);
  for (const [at, item] of list.entries()) {
    if (at > 0) put(',', writer);
    write(item, writer);
  }
  put(']', writer);
}

function writeMap(entries: Iterable<readonly [Value, Value]>, writer: Writer): void {
  const named: [name: string, value: Value][] = [];
  for (const [key, value] of entries) {
    if (typeof key !== 'string') throw fail('conversion', 'a JSON object has only string keys');
    named.push([key, value]);
  }
  named.sort(([left], [right]) => compareStrings(left, right));
  put('{', writer);
  for (const [at, [name, value]] of named.entries()) {
    put(`${at > 0 ? ',' : ''}${quote(name)}:`, writer);
    write(value, writer);
  }
  put('}', writer);
}

function scalarText(value: Value, dialect: JsonDialect): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quote(value);
  if (isInt(value)) return dialect.integer(value);
  if (value instanceof Uint) return dialect.integer(value.value);
  const double = doubleOf(value);
  if (double !== undefined) return doubleText(double);
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('base64')}"`;
  if (value instanceof Timestamp) return dialect.timestamp(value);
  if (value instanceof Duration) return `"${dialect.duration(value)}"`;
  if (value instanceof Optional) return dialect.none();
  if (value === OMIT) return dialect.omitted();
  throw fail('conversion', 'a value of this type has no JSON');
}

function doubleText(value: number): string {
  if (!Number.isFinite(value)) throw fail('conversion', 'JSON has no number that is infinite or NaN');
  return Object.is(value, -0) ? '-0' : String(value);
}

const HTML = new Map([
  ['<', '\\u003c'],
  ['>', '\\u003e'],
  ['&', '\\u0026'],
  ['\u2028', '\\u2028'],
  ['\u2029', '\\u2029'],
]);

function quote(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(/[<>&\u2028\u2029]/g, (character) => HTML.get(character) ?? character);
}

/** Deeper JSON is refused: other functions walk values recursively. */
const MAX_DEPTH = 1000;

/** Reads JSON. Every number is a double, as in kro; of a key given twice the last counts. */
export function readJson(text: string, budget: Budget): Value {
  budget.grow(text.length);
  budget.spend(text.length / 16);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw fail('conversion', 'the text is no JSON');
  }
  return toValue(parsed, MAX_DEPTH, budget);
}

function toValue(parsed: unknown, depth: number, budget: Budget): Value {
  budget.spend(1);
  if (depth === 0) throw fail('conversion', `the JSON nests deeper than ${MAX_DEPTH} levels`);
  if (typeof parsed === 'number') {
    if (!Number.isFinite(parsed)) throw fail('conversion', 'a number of the JSON is out of the range of double');
    return boxDouble(parsed);
  }
  if (typeof parsed === 'string') return parsed.toWellFormed();
  if (Array.isArray(parsed)) return parsed.map((item) => toValue(item, depth - 1, budget));
  if (typeof parsed !== 'object' || parsed === null) return parsed === true || parsed === false ? parsed : null;
  const map: Record<string, Value> & PlainMap = Object.create(null);
  for (const [key, item] of Object.entries(parsed)) map[key.toWellFormed()] = toValue(item, depth - 1, budget);
  return map;
}
