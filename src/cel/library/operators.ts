import { readIndex } from '../access.ts';
import { add, comparisons, contains, divide, multiply, negate, not, remainder, subtract } from '../arithmetic.ts';
import { sizeOf } from '../call.ts';
import { equalOperands, equals } from '../equality.ts';
import { stretch } from '../stretch.ts';
import { type MapValue, mapSize, type PlainMap, type Value } from '../value.ts';
import { define, type Library, overload } from './declare.ts';

const ORDERED = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'];
const WORDS = new Map([
  ['_<_', 'Less than'],
  ['_<=_', 'Less than or equal'],
  ['_>_', 'Greater than'],
  ['_>=_', 'Greater than or equal'],
]);
const NOWHERE = stretch(0, 0);

/** Operators, as functions under their CEL names. The planner has closures of its own for them; what stands here types and documents them. */
export const operators: Library = {
  name: 'operators',
  doc: 'Operators. Arithmetic needs numbers of one type; comparisons of dyn values accept different number types.',
  functions: [
    define('_+_', {
      doc: 'Adds numbers, durations, or a duration and a timestamp; concatenates strings, bytes or lists.',
      examples: [
        ['1 + 2', '3'],
        ["'a' + 'b'", "'ab'"],
        ['[1] + [2]', '[1, 2]'],
        ['9223372036854775807 + 1', { error: 'overflow' }],
      ],
      overloads: [
        '_+_(bytes, bytes) -> bytes',
        '_+_(double, double) -> double',
        '_+_(duration, duration) -> duration',
        '_+_(duration, timestamp) -> timestamp',
        '_+_(timestamp, duration) -> timestamp',
        '_+_(int, int) -> int',
        '_+_(list(A), list(A)) -> list(A)',
        '_+_(string, string) -> string',
        '_+_(uint, uint) -> uint',
      ].map((signature) => overload(signature, add)),
    }),
    define('_-_', {
      doc: 'Subtracts numbers, durations and timestamps.',
      examples: [
        ['7 - 10', '-3'],
        ["timestamp('2024-01-01T01:00:00Z') - timestamp('2024-01-01T00:00:00Z')", "duration('1h')"],
      ],
      overloads: [
        '_-_(double, double) -> double',
        '_-_(duration, duration) -> duration',
        '_-_(int, int) -> int',
        '_-_(timestamp, duration) -> timestamp',
        '_-_(timestamp, timestamp) -> duration',
        '_-_(uint, uint) -> uint',
      ].map((signature) => overload(signature, subtract)),
    }),
    define('_*_', {
      doc: 'Multiplies numbers of one type.',
      examples: [['6 * 7', '42']],
      overloads: ['double', 'int', 'uint'].map((type) => overload(`_*_(${type}, ${type}) -> ${type}`, multiply)),
    }),
    define('_/_', {
      doc: 'Divides numbers of one type; integer division truncates toward zero.',
      examples: [
        ['7 / 2', '3'],
        ['1 / 0', { error: 'divide' }],
      ],
      overloads: ['double', 'int', 'uint'].map((type) => overload(`_/_(${type}, ${type}) -> ${type}`, divide)),
    }),
    define('_%_', {
      doc: 'The remainder of an integer division, with the sign of the dividend.',
      examples: [['-7 % 3', '-1']],
      overloads: ['int', 'uint'].map((type) => overload(`_%_(${type}, ${type}) -> ${type}`, remainder)),
    }),
    define('-_', {
      doc: 'The negative of a number.',
      examples: [['-(1 + 2)', '-3']],
      overloads: ['double', 'int'].map((type) => overload(`-_(${type}) -> ${type}`, negate)),
    }),
    define('!_', { doc: 'Logical negation.', examples: [['!true', 'false']], overloads: [overload('!_(bool) -> bool', not)] }),
    define('_==_', {
      doc: 'Equality, deep for lists and maps. Both sides must have one type. Dyn values of different types are unequal, except numbers, which compare by value.',
      examples: [
        ["{'a': [1]} == {'a': [1]}", 'true'],
        ['dyn(1) == 1.0', 'true'],
      ],
      overloads: [overload('_==_(A, A) -> bool', (a: Value, b: Value) => equalOperands(a, b))],
    }),
    define('_!=_', {
      doc: 'The negation of ==.',
      examples: [['1 != 2', 'true']],
      overloads: [overload('_!=_(A, A) -> bool', (a: Value, b: Value) => !equals(a, b))],
    }),
    ...Object.entries(comparisons).map(([name, implement]) =>
      define(name, {
        doc: `${WORDS.get(name) ?? name}: numbers by value, strings by code point, false before true.`,
        examples: name === '_<_' ? [["'a' < 'b'", 'true']] : [],
        overloads: ORDERED.map((type) => overload(`${name}(${type}, ${type}) -> bool`, implement)),
      }),
    ),
    define('@in', {
      doc: 'Whether a list contains an element, or a map contains a key.',
      examples: [
        ['2 in [1, 2]', 'true'],
        ["'a' in {'a': 1}", 'true'],
      ],
      overloads: [overload('@in(A, list(A)) -> bool', contains), overload('@in(A, map(A, B)) -> bool', contains)],
    }),
    define('_[_]', {
      doc: 'The element of a list at an index, counted from 0, or the value of a map for a key; an error if it does not exist.',
      examples: [
        ['[1, 2][1]', '2'],
        ["{'a': 1}['b']", { error: 'missing' }],
      ],
      overloads: [
        '_[_](list(A), int) -> A',
        '_[_](map(A, B), A) -> B',
        '_[_](optional_type(list(V)), int) -> optional_type(V)',
        '_[_](optional_type(map(K, V)), K) -> optional_type(V)',
      ].map((signature) => overload(signature, (container: Value, key: Value) => readIndex(container, key, NOWHERE) ?? null)),
    }),
    define('size', {
      byValue: true,
      doc: 'The number of code points in a string, bytes in a byte string, elements in a list, or entries in a map.',
      examples: [
        ["size('é😀')", '2'],
        ['[1, 2].size()', '2'],
      ],
      overloads: [
        ['bytes', (bytes: Uint8Array) => bytes.length] as const,
        ['list(A)', (list: readonly Value[]) => list.length] as const,
        ['map(A, B)', (map: PlainMap | MapValue) => mapSize(map)] as const,
        ['string', countCodePoints] as const,
      ].flatMap(([type, implement]) => [
        overload(`size(${type}) -> int`, implement, { passes: true, cost: type === 'string' ? costOfText : () => 1 }),
        overload(`${type}.size() -> int`, implement, { passes: true, cost: type === 'string' ? costOfText : () => 1 }),
      ]),
    }),
  ],
};

function costOfText(text: string): number {
  return 1 + (sizeOf(text) >> 5);
}

function countCodePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) count--;
  }
  return count;
}
