import t from 'tap';
import { parseJson, printJson } from '../../src/kube/json.ts';

const rows: readonly [title: string, text: string, value: unknown][] = [
  ['a safe integer is a number', '{"a":9007199254740991}', { a: 9007199254740991 }],
  ['an integer beyond 2^53 is a bigint', '{"a":9007199254740993}', { a: 9007199254740993n }],
  ['a negative one too', '[-9223372036854775808]', [-9223372036854775808n]],
  ['in lists and deep down', '{"a":[1,{"b":[18446744073709551615,2]}]}', { a: [1, { b: [18446744073709551615n, 2] }] }],
  ['sixteen digits that are safe stay a number', '{"a":1000000000000000}', { a: 1000000000000000 }],
  ['digits in a string are text', '{"a":"9007199254740993","b":":9007199254740993,"}', { a: '9007199254740993', b: ':9007199254740993,' }],
  ['a double stays a double', '{"a":0.1234567890123456789}', { a: 0.12345678901234568 }],
];
for (const [title, text, value] of rows) t.test(title, async (t) => t.strictSame(parseJson(text), value));

t.test('exponents are doubles, whatever their size', async (t) =>
  t.strictSame(parseJson('[1e20,9007199254740993]'), [1e20, 9007199254740993n]),
);
t.test('what is printed is what was read', async (t) => {
  const text = '{"a":9007199254740993,"b":[1,0.5,-9223372036854775808],"c":null,"d":"x"}';
  t.equal(printJson(parseJson(text)), text);
});
t.test('a key named __proto__ is a key', async (t) => {
  const value = parseJson('{"__proto__":{"a":9007199254740993}}') as object;
  t.strictSame(Object.getOwnPropertyNames(value), ['__proto__']);
  t.equal(({} as { a?: unknown }).a, undefined);
});
t.test('depth costs no stack: one object that nests as deep as an API server reads does not hide all others', async (t) => {
  const deep = `${'{"a":[0,'.repeat(4900)}12345678901234567890${']}'.repeat(4900)}`;
  const value = parseJson(deep);
  t.equal(printJson(value), deep);
  const flat = `${'{"a":[0,'.repeat(4900)}1${']}'.repeat(4900)}`;
  t.equal(printJson(parseJson(flat)), flat);
});
t.test('what is printed deep down is what the engine prints', async (t) => {
  const inner = { u: undefined, n: null, 'k"': 'v"', list: [undefined, 1.5, true, [], {}], big: 9007199254740993n };
  let value: unknown = inner;
  for (let level = 0; level < 5000; level++) value = [value];
  t.equal(printJson(value), `${'['.repeat(5000)}${printJson(inner)}${']'.repeat(5000)}`);
});
t.test('a number with a zero before it is no JSON, however long', async (t) => {
  for (const text of ['[01234567890123456789]', '[+12345678901234567890]', '[1-2345678901234567890]'])
    t.throws(() => parseJson(text), SyntaxError);
});
t.test('what is no JSON throws', async (t) => {
  t.throws(() => parseJson('{"a":'), SyntaxError);
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  t.throws(() => printJson(cycle), TypeError);
});
