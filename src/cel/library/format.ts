import type { Budget } from '../budget.ts';
import { compareStrings } from '../equality.ts';
import { fail } from '../error.ts';
import { printDoubleSeconds, printTimestamp } from '../temporal.ts';
import { type Type, typeName } from '../type.ts';
import { Duration, doubleOf, isInt, isList, isMap, mapEntries, Timestamp, TypeValue, Uint, type Value } from '../value.ts';
import { printFixed, printPlain, printScientific } from './decimal-text.ts';
import { type Argument, type ArgumentFault, define, type Library, overload } from './declare.ts';

/** Text with values filled in: cel-go's `format`, version 5. */
export const format: Library = {
  name: 'format',
  doc: 'Strings with values filled in.',
  functions: [
    define('format', {
      doc: 'The string with each clause (%s %d %f %e %b %o %x %X, with a precision as in %.2f) replaced by the next value of the list; %% is a percent sign.',
      examples: [
        ["'%s is %d years'.format(['kro', 2])", "'kro is 2 years'"],
        ["'%.2f %x'.format([3.14159, 255])", "'3.14 ff'"],
      ],
      overloads: [overload('string.format(list(dyn)) -> string', formatText, { validate, size: () => 0 })],
    }),
  ],
};

/** A clause of a format: `%.2f`. */
interface Clause {
  readonly verb: string;
  readonly precision: number;
}

/** What a format consists of: plain text and clauses. */
type Part = string | Clause;

const DEFAULT_PRECISION = 6;
const MAX_PRECISION = 100;

/** The parts of a format, up to the first fault if there is one. */
function readFormat(text: string): { readonly parts: readonly Part[]; readonly fault?: string } {
  const parts: Part[] = [];
  let at = 0;
  while (at < text.length) {
    const percent = text.indexOf('%', at);
    if (percent < 0) return { parts: [...parts, text.slice(at)] };
    if (percent > at) parts.push(text.slice(at, percent));
    if (text[percent + 1] === '%') {
      parts.push('%');
      at = percent + 2;
      continue;
    }
    const clause = readClause(text, percent + 1);
    if (typeof clause === 'string') return { parts, fault: clause };
    parts.push(clause.clause);
    at = clause.end;
  }
  return { parts };
}

function readClause(text: string, start: number): { readonly clause: Clause; readonly end: number } | string {
  let at = start;
  let precision = DEFAULT_PRECISION;
  if (text[at] === '.') {
    const digits = /^\d*/.exec(text.slice(at + 1, at + 12))?.[0] ?? '';
    at += 1 + digits.length;
    if (digits === '') return 'a precision needs digits after its point';
    precision = Number(digits);
    if (precision > MAX_PRECISION) return `a precision is at most ${MAX_PRECISION}`;
  }
  const verb = text[at];
  if (verb === undefined) return 'the format ends within a clause';
  if (!'sdfebxXo'.includes(verb)) return 'unknown clause: expected one of %s %d %f %e %b %o %x %X %%';
  return { clause: { verb, precision }, end: at + 1 };
}

function formatText(text: string, values: readonly Value[], budget: Budget): string {
  const { parts, fault } = readFormat(text);
  const printer = new Printer(budget);
  let next = 0;
  for (const part of parts) {
    if (typeof part === 'string') printer.put(part);
    else printClause(part, valueAt(values, next++), printer);
  }
  if (fault !== undefined) throw fail('argument', fault);
  return printer.text();
}

function valueAt(values: readonly Value[], index: number): Value {
  const value = values[index];
  if (value === undefined) throw fail('argument', 'the format has more clauses than there are values');
  return value;
}

/** Collects pieces of text and charges each: a list may hold one value many times. */
class Printer {
  readonly #budget: Budget;
  readonly #pieces: string[] = [];

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  put(piece: string): void {
    this.#budget.spend(1);
    this.#budget.grow(piece.length);
    this.#pieces.push(piece);
  }

  text(): string {
    return this.#pieces.join('');
  }
}

function printClause(clause: Clause, value: Value, printer: Printer): void {
  if (clause.verb === 's') {
    printValue(value, printer);
    return;
  }
  const number = printNumber(clause, value);
  if (number === undefined) throw misfit(clause.verb);
  printer.put(number);
}

function misfit(verb: string): Error {
  return fail('argument', `a value does not fit the clause %${verb}`);
}

/** What a clause other than `%s` makes of a value; undefined if it does not take it. */
function printNumber({ verb, precision }: Clause, value: Value): string | undefined {
  const integer = isInt(value) ? value : value instanceof Uint ? value.value : undefined;
  const number = integer === undefined ? doubleOf(value) : Number(integer);
  switch (verb) {
    case 'd':
      return integer === undefined ? (number === undefined ? undefined : printPlain(number)) : integer.toString();
    case 'f':
      return number === undefined ? undefined : printFixed(number, precision);
    case 'e':
      return number === undefined ? undefined : printScientific(number, precision);
    case 'b':
      return typeof value === 'boolean' ? (value ? '1' : '0') : integer?.toString(2);
    case 'o':
      return integer?.toString(8);
    case 'x':
      return integer?.toString(16) ?? hexOf(value);
    case 'X':
      return (integer?.toString(16) ?? hexOf(value))?.toUpperCase();
    default:
      return undefined;
  }
}

function hexOf(value: Value): string | undefined {
  if (typeof value === 'string') return Buffer.from(value, 'utf8').toString('hex');
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : undefined;
}

function printValue(value: Value, printer: Printer): void {
  if (isList(value)) printList(value, printer);
  else if (isMap(value)) printMap(mapEntries(value), printer);
  else printer.put(printScalar(value));
}

function printScalar(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean') return String(value);
  if (isInt(value)) return value.toString();
  if (value instanceof Uint) return value.value.toString();
  const double = doubleOf(value);
  if (double !== undefined) return printPlain(double);
  if (value instanceof Uint8Array) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(value);
  if (value instanceof Timestamp) return printTimestamp(value);
  if (value instanceof Duration) return printDoubleSeconds(value);
  if (value instanceof TypeValue) return value.typeName;
  throw misfit('s');
}

function printList(values: readonly Value[], printer: Printer): void {
  printer.put('[');
  for (const [at, value] of values.entries()) {
    if (at > 0) printer.put(', ');
    printValue(value, printer);
  }
  printer.put(']');
}

/** In the order of the keys as they are printed. */
function printMap(entries: Iterable<readonly [Value, Value]>, printer: Printer): void {
  const named = Array.from(entries, ([key, value]) => [printScalar(key), value] as const);
  named.sort(([left], [right]) => compareStrings(left, right));
  printer.put('{');
  for (const [at, [key, value]] of named.entries()) {
    printer.put(`${at > 0 ? ', ' : ''}${key}: `);
    printValue(value, printer);
  }
  printer.put('}');
}

const FITTING: Readonly<Record<string, readonly string[]>> = {
  d: ['int', 'uint', 'double'],
  f: ['int', 'uint', 'double'],
  e: ['int', 'uint', 'double'],
  b: ['bool', 'int', 'uint'],
  o: ['int', 'uint'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
  s: ['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'],
};

/** A format and its values as written: the clauses, their number, and whether each value's type fits. */
function validate([text, list]: readonly Argument[]): ArgumentFault[] {
  const values = list?.items;
  if (typeof text?.literal !== 'string' || values === undefined) return [];
  const { parts, fault } = readFormat(text.literal);
  const clauses = parts.filter((part) => typeof part !== 'string');
  const faults: ArgumentFault[] = fault === undefined ? [] : [{ message: fault, span: text.span }];
  if (fault === undefined && clauses.length !== values.length) {
    faults.push({
      message: `the format has ${clauses.length} clauses, the list ${values.length} values`,
      hint: 'give one value for each clause; write %% for a percent sign',
    });
  }
  for (const [at, clause] of clauses.entries()) {
    const misfit = values[at] === undefined ? undefined : findMisfit(clause.verb, values[at]);
    if (misfit !== undefined) {
      faults.push({ message: `the clause %${clause.verb} does not take ${typeName(misfit.type)}`, span: misfit.span });
    }
  }
  return faults;
}

/** The value, or what a list or map as written holds, that a clause does not take. */
function findMisfit(verb: string, value: Argument): Argument | undefined {
  if (!fits(verb, value.type)) return value;
  if (verb !== 's') return undefined;
  for (const item of value.items ?? []) {
    const misfit = findMisfit(verb, item);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

function fits(verb: string, type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'error' || type.kind === 'parameter' || (FITTING[verb]?.includes(type.kind) ?? false);
}
