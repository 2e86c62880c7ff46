import t from 'tap';
import { isEqualJson } from '../../src/api/is-equal-json.ts';
import type { JsonValue } from '../../src/api/object.ts';

const pairs: [string, JsonValue | undefined, JsonValue | undefined, boolean][] = [
  ['the order of keys', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, true],
  ['the order of a list', [1, 2], [2, 1], false],
  ['a list and an object', [], {}, false],
  ['a key more', { a: 1 }, { a: 1, b: null }, false],
  ['another key', { a: null }, { b: null }, false],
  ['large integers', [9007199254740993n], [9007199254740993n], true],
  ['large integers that a double confuses', [9007199254740993n], [9007199254740992n], false],
  ['null and nothing', null, undefined, false],
];

for (const [title, left, right, expected] of pairs) {
  t.test(`${title}`, (t) => {
    t.equal(isEqualJson(left, right), expected);
    t.end();
  });
}

t.test('depth is free', (t) => {
  const deep = (end: string): JsonValue => JSON.parse(`${'[{"a":'.repeat(5000)}"${end}"${'}]'.repeat(5000)}`);
  t.ok(isEqualJson(deep('x'), deep('x')));
  t.notOk(isEqualJson(deep('x'), deep('y')));
  t.end();
});
