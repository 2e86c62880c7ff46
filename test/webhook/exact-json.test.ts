import t from 'tap';
import type { JsonValue } from '../../src/api/object.ts';
import { DEEPEST, JsonError, parseExactJson } from '../../webhook/exact-json.ts';

const values: [string, string, JsonValue][] = [
  [
    'an integer beyond 2^53 stays exact',
    '{"a":[9007199254740993,-12345678901234567890]}',
    { a: [9007199254740993n, -12345678901234567890n] },
  ],
  ['an integer that a double holds stays a number', '[9007199254740991,0,-0.5,1e21]', [9007199254740991, 0, -0.5, 1e21]],
  [
    'a double of many digits stays a double',
    '[0.12345678901234567890,1.2345678901234567e30]',
    [0.12345678901234568, 1.2345678901234567e30],
  ],
  ['digits in a text or a key stay text', '{"9007199254740993":"9007199254740993"}', { '9007199254740993': '9007199254740993' }],
  ['a large integer alone', ' 9007199254740993 ', 9007199254740993n],
  ['the same key in different objects', '{"a":{"a":[{"a":1},{"a":2}]}}', { a: { a: [{ a: 1 }, { a: 2 }] } }],
  ['escapes of every kind', '{"\\"\\\\\\u0041":"}],\\"{["}', { '"\\A': '}],"{[' }],
];

for (const [title, text, expected] of values) {
  t.test(title, (t) => {
    t.strictSame(parseExactJson(text), expected);
    t.end();
  });
}

const refusals: [string, string, string][] = [
  ['a key that stands twice', '{"a":1,"a":2}', 'the key "a" stands twice in the outermost object'],
  ['a key that stands twice below, once escaped', '{"x":[0,{"b":{"c":1,"\\u0063":2}}]}', 'the key "c" stands twice in x[1].b'],
  ['a text that ends too early', '{"a": [1, ', 'not JSON: the text ends too early'],
  ['a string that ends too early', '{"a": "b', 'not JSON: the text ends too early (at position 8)'],
  ['an empty text', '', 'not JSON: the text ends too early'],
  ['a trailing comma', '{"a":1,}', 'not JSON: unexpected text at position 7'],
  ['endless nesting', '['.repeat(DEEPEST + 1) + ']'.repeat(DEEPEST + 1), `nested more than ${DEEPEST} deep`],
];

for (const [title, text, message] of refusals) {
  t.test(`refused: ${title}`, (t) => {
    t.throws(() => parseExactJson(text), new JsonError(message));
    t.end();
  });
}

t.test('what is nested as deep as the API server reads is read, with its integers', (t) => {
  let value = parseExactJson(`${'['.repeat(DEEPEST)}9007199254740993${']'.repeat(DEEPEST)}`);
  let depth = 0;
  for (; Array.isArray(value); value = value[0] ?? null) depth++;
  t.strictSame([depth, value], [DEEPEST, 9007199254740993n]);
  t.end();
});

t.test('a refusal quotes nothing of the text', (t) => {
  t.throws(() => parseExactJson('{"password": hunter2}'), { message: /^(?!.*hunter)/ });
  t.end();
});
