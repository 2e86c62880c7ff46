import type { Budget } from '../budget.ts';
import { fail } from '../error.ts';
import type { Integer } from '../int64.ts';
import type { Value } from '../value.ts';
import { countCodePoints, offsetOfCodePoint, unitsAt } from './code-points.ts';
import { define, type Library, overload } from './declare.ts';
import { SHORT_ESCAPES } from './go-quote.ts';

/** Text, by code points: cel-go's strings extension, version 5, and the standard tests for parts of a text. */
export const strings: Library = {
  name: 'strings',
  doc: 'Strings: search, slice, replace and join. Positions count code points.',
  functions: [
    define('contains', {
      doc: 'Whether the string contains another.',
      examples: [["'hello'.contains('ell')", 'true']],
      overloads: [overload('string.contains(string) -> bool', (text: string, part: string) => text.includes(part))],
    }),
    define('startsWith', {
      doc: 'Whether the string begins with another.',
      examples: [["'hello'.startsWith('he')", 'true']],
      overloads: [overload('string.startsWith(string) -> bool', (text: string, part: string) => text.startsWith(part))],
    }),
    define('endsWith', {
      doc: 'Whether the string ends with another.',
      examples: [["'hello'.endsWith('lo')", 'true']],
      overloads: [overload('string.endsWith(string) -> bool', (text: string, part: string) => text.endsWith(part))],
    }),
    define('charAt', {
      doc: 'The character at a position; empty at the end of the string.',
      examples: [
        ["'hello'.charAt(4)", "'o'"],
        ["'hello'.charAt(6)", { error: 'argument' }],
      ],
      overloads: [overload('string.charAt(int) -> string', charAt)],
    }),
    define('indexOf', {
      doc: 'The first position of a substring, at or after a start position if one is given; -1 if there is none.',
      examples: [
        ["'hello mellow'.indexOf('ello')", '1'],
        ["'hello mellow'.indexOf('ello', 2)", '7'],
      ],
      overloads: [
        overload('string.indexOf(string) -> int', (text: string, part: string) => indexOf(text, part, 0)),
        overload('string.indexOf(string, int) -> int', indexOf),
      ],
    }),
    define('lastIndexOf', {
      doc: 'The last position of a substring, at or before a start position if one is given; -1 if there is none.',
      examples: [
        ["'hello mellow'.lastIndexOf('ello')", '7'],
        ["'hello mellow'.lastIndexOf('ello', 6)", '1'],
      ],
      overloads: [
        overload('string.lastIndexOf(string) -> int', lastIndexOf),
        overload('string.lastIndexOf(string, int) -> int', lastIndexOfBefore),
      ],
    }),
    define('lowerAscii', {
      doc: 'The string with the letters A to Z in lower case.',
      examples: [["'TacoCÆt'.lowerAscii()", "'tacocÆt'"]],
      overloads: [overload('string.lowerAscii() -> string', (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()))],
    }),
    define('upperAscii', {
      doc: 'The string with the letters a to z in upper case.',
      examples: [["'TacoCæt'.upperAscii()", "'TACOCæT'"]],
      overloads: [overload('string.upperAscii() -> string', (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()))],
    }),
    define('replace', {
      doc: 'The string with all occurrences of a substring replaced, or the first ones up to a limit. An empty substring occurs before each character and at the end.',
      examples: [
        ["'hello hello'.replace('he', 'we')", "'wello wello'"],
        ["'hello hello'.replace('he', 'we', 1)", "'wello hello'"],
      ],
      overloads: [
        overload(
          'string.replace(string, string) -> string',
          (text: string, part: string, by: string, budget: Budget) => replace(text, part, by, -1, budget),
          { size: () => 0 },
        ),
        overload('string.replace(string, string, int) -> string', replace, { size: () => 0 }),
      ],
    }),
    define('split', {
      doc: 'The parts of the string between separators, at most as many as a limit if one is given. An empty separator splits it into characters.',
      examples: [
        ["'a,b,c'.split(',')", "['a', 'b', 'c']"],
        ["'a,b,c'.split(',', 2)", "['a', 'b,c']"],
      ],
      overloads: [
        overload('string.split(string) -> list(string)', (text: string, separator: string) => split(text, separator, -1)),
        overload('string.split(string, int) -> list(string)', split),
      ],
    }),
    define('substring', {
      doc: 'The string from a position to its end, or up to another position (exclusive).',
      examples: [
        ["'tacocat'.substring(4)", "'cat'"],
        ["'tacocat'.substring(0, 4)", "'taco'"],
        ["'tacocat'.substring(8)", { error: 'argument' }],
      ],
      overloads: [
        overload('string.substring(int) -> string', (text: string, start: Integer) => text.slice(offsetOf(text, start))),
        overload('string.substring(int, int) -> string', substring),
      ],
    }),
    define('trim', {
      doc: 'The string without white space at its ends.',
      examples: [["'  trim\\n '.trim()", "'trim'"]],
      overloads: [overload('string.trim() -> string', trim)],
    }),
    define('reverse', {
      doc: 'The characters in reverse order.',
      examples: [["'gums'.reverse()", "'smug'"]],
      overloads: [overload('string.reverse() -> string', (text: string) => [...text].reverse().join(''))],
    }),
    define('join', {
      doc: 'The strings of a list as one string, with a separator between them if one is given.',
      examples: [["['a', 'b'].join('-')", "'a-b'"]],
      overloads: [
        overload('list(string).join() -> string', (items: readonly Value[], budget: Budget) => join(items, '', budget), { size: () => 0 }),
        overload('list(string).join(string) -> string', join, { size: () => 0 }),
      ],
    }),
    define('strings.quote', {
      doc: 'The string in double quotes, with quotes, backslashes and control characters escaped.',
      examples: [['strings.quote(\'a "b"\')', '\'"a \\\\"b\\\\""\'']],
      overloads: [overload('strings.quote(string) -> string', quote)],
    }),
  ],
};

function charAt(text: string, index: Integer): string {
  const offset = offsetOf(text, index);
  return text.slice(offset, offset + unitsAt(text, offset));
}

/** The offset of a position, which may be the end of the text. */
function offsetOf(text: string, index: Integer): number {
  const offset = offsetOfCodePoint(text, Number(index));
  if (offset === undefined) throw fail('argument', 'index out of range');
  return offset;
}

function indexOf(text: string, part: string, start: Integer): Integer {
  if (start < 0) throw fail('argument', 'index out of range');
  const offset = offsetOfCodePoint(text, Number(start)) ?? text.length;
  if (part === '') return countCodePoints(text, offset);
  const found = text.indexOf(part, offset);
  return found < 0 ? -1 : countCodePoints(text, found);
}

function lastIndexOf(text: string, part: string): Integer {
  const found = text.lastIndexOf(part);
  return found < 0 ? -1 : countCodePoints(text, found);
}

function lastIndexOfBefore(text: string, part: string, start: Integer): Integer {
  if (start < 0) throw fail('argument', 'index out of range');
  const offset = offsetOfCodePoint(text, Number(start));
  if (part === '') return countCodePoints(text, offset ?? text.length);
  // As cel-go: a start beyond the last character finds nothing, instead of searching from the end.
  if (offset === undefined || offset === text.length) return -1;
  const found = text.lastIndexOf(part, offset);
  return found < 0 ? -1 : countCodePoints(text, found);
}

/** The result is charged before it is made. */
function replace(text: string, part: string, by: string, limit: Integer, budget: Budget): string {
  if (part === by || limit === 0) return text;
  if (part === '') return interleave(text, by, limit, budget);
  const pieces = split(text, part, limit < 0 ? -1 : Number(limit) + 1);
  budget.grow(text.length + (pieces.length - 1) * (by.length - part.length));
  return pieces.join(by);
}

/** Puts a text before each of the first characters and, if the limit is not yet reached, at the end. */
function interleave(text: string, by: string, limit: Integer, budget: Budget): string {
  const places = countCodePoints(text) + 1;
  const count = limit < 0 ? places : Math.min(Number(limit), places);
  budget.grow(text.length + count * by.length);
  if (count === places) return by + Array.from(text, (character) => character + by).join('');
  const rest = offsetOfCodePoint(text, count) ?? text.length;
  return Array.from(text.slice(0, rest), (character) => by + character).join('') + text.slice(rest);
}

/** Go's `SplitN`: a negative limit means all pieces; the last of a limited number holds the rest. */
function split(text: string, separator: string, limit: Integer): string[] {
  if (limit === 0) return [];
  if (separator === '') return characters(text, limit);
  if (limit < 0) return text.split(separator);
  const pieces: string[] = [];
  let start = 0;
  while (pieces.length < Number(limit) - 1) {
    const found = text.indexOf(separator, start);
    if (found < 0) break;
    pieces.push(text.slice(start, found));
    start = found + separator.length;
  }
  pieces.push(text.slice(start));
  return pieces;
}

function characters(text: string, limit: Integer): string[] {
  if (limit < 0) return Array.from(text);
  const rest = offsetOfCodePoint(text, Number(limit) - 1) ?? text.length;
  const head = Array.from(text.slice(0, rest));
  return rest === text.length ? head : [...head, text.slice(rest)];
}

function substring(text: string, start: Integer, end: Integer): string {
  if (start > end) throw fail('argument', 'the start of a substring lies after its end');
  return text.slice(offsetOf(text, start), offsetOf(text, end));
}

// Unicode's white space as Go knows it: with U+0085, without U+FEFF.
const SPACE = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.test(text.charAt(start))) start++;
  while (end > start && SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function join(items: readonly Value[], separator: string, budget: Budget): string {
  let size = Math.max(0, items.length - 1) * separator.length;
  for (const item of items) {
    if (typeof item !== 'string') throw fail('overload', 'join needs a list of strings');
    size += item.length;
  }
  budget.grow(size);
  return items.join(separator);
}

function quote(text: string): string {
  const characters = [...text.toWellFormed()];
  return `"${characters.map((character) => SHORT_ESCAPES.get(character) ?? character).join('')}"`;
}
