import { test } from 'tap';
import { check } from '../../src/cel/check.ts';
import { Environment } from '../../src/cel/environment.ts';
import { parse } from '../../src/cel/parse.ts';

function hintOf(expression: string): string | undefined {
  const { ast, issues } = parse(expression);
  const [issue] = ast === undefined ? issues : check(ast, Environment.standard()).issues;
  return issue?.hint;
}

const EQUAL = 'write "==" to compare, and ":" after the key of a map';
const CHOICE = 'a choice is condition ? value : other';
const UNIT = 'a number with a unit is text: duration("5m"), quantity("1Gi")';

const LAMBDA = 'a macro takes a name and an expression: x.map(item, item + 1)';
const PIPE = 'write "||" between conditions; a function is called, not piped into: f(x) or x.f()';
const SPREAD = 'lists are put together with "+", maps with x.merge(y)';
const JOIN = 'strings are put together with "+"; between the elements of a list stands ","';

const rows: readonly (readonly [expression: string, hint: string | undefined])[] = [
  ['1 = 1', EQUAL],
  ['1 === 1', EQUAL],
  ['{"a" = 1}', EQUAL],
  ['[1].map(x => x)', LAMBDA],
  ['true and false', 'write "&&"'],
  ['true & false', 'write "&&"'],
  ['true or false', 'write "||"'],
  ['true | false', PIPE],
  ['"a" | upper', PIPE],
  ['"a" | (true)', 'write "||"'],
  ['1 !== 2', 'write "!="'],
  ['1 =< 2', 'write "<="'],
  ['"a" =~ "b"', 'it is x.matches(pattern)'],
  ['x := 1', 'a name for a value is cel.bind(name, value, expression)'],
  ['1 is not 2', 'write "!="'],
  ['1 not in [2]', 'write !(value in x)'],
  ['1 !in [2]', 'write !(value in x)'],
  ['!1 2', undefined],
  ['"abc" contains "a"', 'a function stands behind a dot: x.contains(y)'],
  ['typeof 1', 'it is type(x)'],
  ['lambda x: x', LAMBDA],
  ['function(x) x', LAMBDA],
  ['[...[1], 2]', SPREAD],
  ['{...{}, "a": 1}', SPREAD],
  ['[1].0', 'an element of a list is x[0]'],
  ['{{ 1 }}', 'no braces stand around the expression but those of ${...}'],
  ['$.a', 'a node is read by its id alone, without "$"'],
  ['"a" "b"', JOIN],
  ['f"a"', JOIN],
  ['`a`', 'a string stands in \' or "'],
  ['1 is 1', 'write "=="'],
  ['not true', 'write "!"'],
  ['1 <> 2', 'write "!="'],
  ['null ?? 1', 'a default is x.?field.orValue(value)'],
  ['{"a": 1}?.a', 'a field that may be absent is x.?field'],
  ['1;', 'an expression is one value, without ";"'],
  ['“a”', 'a string stands in \' or "'],
  ['5m', UNIT],
  ['1Gi', UNIT],
  ['[1, 2][0:1]', 'a part is x.slice(from, to) of a list, x.substring(from, to) of a string'],
  ['if (true) 1 else 2', CHOICE],
  ['true ? let : 1', 'a name for a value is cel.bind(name, value, expression)'],
  ['import', 'it can be a field: x.import'],
  ['[1].length', 'how many there are is size(x)'],
  ['"a".length()', 'how many there are is size(x)'],
  ['len("a")', 'how many there are is size(x)'],
  ['["a"].includes("a")', 'an element of a list or a key of a map is found by: value in x; a part of a string by x.contains(part)'],
  ['"a".toUpperCase()', 'it is x.upperAscii()'],
  ['JSON.stringify([1])', 'it is json.marshal(x)'],
  ['now()', 'an expression has no clock: read a time from an object'],
  ['[1].contains(1)', 'an element of a list or a key of a map is found by: value in x'],
  ['"abc".slice(0, 1)', 'a part of a string is x.substring(from, to)'],
  ['"abc".distinct()', undefined],
  ['[1].size', 'it is a function: x.size(...)'],
  ['1.size', undefined],
  ['(1).size', undefined],
  ['"a".match("a")', 'it is x.matches(pattern)'],
  ['[1].find(x, x > 1)', 'it is x.filter(item, condition)'],
  ['[1].sort(x, -x)', 'it is x.sortBy(item, key)'],
  ['map([1], x, x + 1)', 'it stands behind what it is about: x.map(item, expression)'],
  ['any([1], x, x > 1)', 'it is x.exists(item, condition)'],
  ['math.max(1, 2)', 'they are math.greatest(x, y) and math.least(x, y)'],
  // What stands in a string is no habit, and of numbers that are written otherwise none is known.
  ['"is it a?.b" +', undefined],
  ['["[" : 1]', undefined],
  ['[1:2]', undefined],
  ['0b101', undefined],
  ['10n', undefined],
  ['1h30m', UNIT],
  ['1 2', undefined],
  ['true ? 1', undefined],
  ['[1].spilt', 'index it, or take .map(x, x.…)'],
];

for (const [expression, hint] of rows) test(`${expression} is advised`, async (t) => t.equal(hintOf(expression), hint));
