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

const rows: readonly (readonly [expression: string, hint: string | undefined])[] = [
  ['1 = 1', EQUAL],
  ['1 === 1', EQUAL],
  ['{"a" = 1}', EQUAL],
  ['[1].map(x => x)', 'a macro takes a name and an expression: x.map(item, item + 1)'],
  ['true and false', 'write "&&"'],
  ['true & false', 'write "&&"'],
  ['true or false', 'write "||"'],
  ['true | false', 'write "||"'],
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
  ['["a"].includes("a")', 'an element of a list, or a key of a map, is found by: value in x'],
  ['"a".toUpperCase()', 'it is x.upperAscii()'],
  ['JSON.stringify([1])', 'it is json.marshal(x)'],
  ['now()', 'an expression has no clock: read a time from an object'],
  ['1 2', undefined],
  ['true ? 1', undefined],
  ['[1].spilt', 'index it, or take .map(x, x.…)'],
];

for (const [expression, hint] of rows) test(`${expression} is advised`, async (t) => t.equal(hintOf(expression), hint));
