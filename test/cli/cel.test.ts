import { spawnSync } from 'node:child_process';
import t, { type Test } from 'tap';

const MAIN = new URL('../../src/cli/main.ts', import.meta.url).pathname;

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(args: readonly string[], input: string | Uint8Array = ''): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'cel', ...args], { input, maxBuffer: 2 ** 30 });
  return { code: status, out: stdout.toString(), err: stderr.toString() };
}

/** The results of cases, which are JSON text so that numbers stand as they are written. */
function results(t: Test, cases: readonly string[]): readonly unknown[] {
  const { code, out, err } = run(['--json'], `{"cases": [${cases.join(',')}]}`);
  t.strictSame([code, err], [0, '']);
  return (JSON.parse(out) as { results: unknown[] }).results;
}

function withValue(id: string, expression: string, value: string): string {
  return `{"id": "${id}", "expr": ${JSON.stringify(expression)}, "vars": {"x": {"value": ${value}}}}`;
}

t.setTimeout(120_000);

const wrong: readonly (readonly [title: string, input: string | Uint8Array, message: RegExp])[] = [
  ['nothing', '', /^the input is no JSON: /],
  ['text behind the JSON', '{"cases": []} x', /^the input is no JSON: /],
  ['what is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), /^the input is not UTF-8\n$/],
  ['no cases', '{"case": []}', /^the input has no list "cases"\n$/],
  ['cases that are no list', '{"cases": {}}', /^the input has no list "cases"\n$/],
  ['a case without an expression', '{"cases": [{"id": "a", "expr": "1"}, {"id": "b"}]}', /^cases\[1\] is not of the form /],
  ['an id that is no text', '{"cases": [{"id": 1, "expr": "1"}]}', /^cases\[0\] is not of the form /],
  ['variables that are no object', '{"cases": [{"id": "a", "expr": "1", "vars": []}]}', /^cases\[0\] is not of the form /],
  ['a variable that is no object', '{"cases": [{"id": "a", "expr": "x", "vars": {"x": 1}}]}', /^cases\[0\] is not of the form /],
];

t.test('input of another form is exit code 2 and a message', async (t) => {
  for (const [title, input, message] of wrong) {
    const { code, out, err } = run(['--json'], input);
    t.strictSame([code, out], [2, ''], title);
    t.match(err, message, title);
  }
});

t.test('every case has a result, in order', async (t) => {
  const found = results(t, [
    '{"id": "a", "expr": "1 + 1", "more": true}',
    '{"id": "a", "expr": "1 / 0"}',
    '{"id": "b", "expr": "nope"}',
    '{"id": "c", "expr": "x", "vars": {"x": {}}}',
    '{"id": "d", "expr": "x.__proto__.y", "vars": {"x": {"value": {"__proto__": {"y": 1}}}}}',
  ]);
  t.match(found, [
    { id: 'a', type: 'int', value: { int: '2' } },
    { id: 'a', type: 'int', error: { phase: 'eval', kind: 'divide' } },
    { id: 'b', error: { phase: 'compile', kind: 'undeclared' } },
    { id: 'c', type: 'dyn', error: { phase: 'eval', kind: 'missing' } },
    { id: 'd', type: 'dyn', value: { int: '1' } },
  ]);
});

t.test('what has a wrong argument has a type, if one can be told', async (t) => {
  const found = results(t, [`{"id": "a", "expr": "'%q'.format([1])"}`, '{"id": "b", "expr": "[1].map(x)"}']);
  t.match(found, [
    { id: 'a', type: 'string', error: { kind: 'argument' } },
    { id: 'b', type: undefined, error: { kind: 'argument' } },
  ]);
});

t.test('numbers are read exactly', async (t) => {
  const found = results(t, [
    withValue('a', 'x', '[9007199254740993, 9223372036854775807, -9223372036854775808, 9223372036854775808]'),
    withValue('b', 'x', '[1.0, 1e2, 0.5, -0.0]'),
  ]);
  t.strictSame(found, [
    {
      id: 'a',
      type: 'dyn',
      value: {
        list: [{ int: '9007199254740993' }, { int: '9223372036854775807' }, { int: '-9223372036854775808' }, { double: 2 ** 63 }],
      },
    },
    { id: 'b', type: 'dyn', value: { list: [{ int: '1' }, { int: '100' }, { double: 0.5 }, { int: '0' }] } },
  ]);
});

t.test('a byte order mark is no part of the text', async (t) => {
  const { code, out } = run(['--json'], Buffer.from('\ufeff{"cases": [{"id": "a", "expr": "1"}]}'));
  t.strictSame([code, out], [0, '{"results": [{"id":"a","type":"int","value":{"int":"1"}}]}\n']);
});

t.test('what nests too deep is a limit of its case alone', async (t) => {
  const depths = [1000, 1500, 2000, 2500, 3000, 100_000];
  const found = results(t, [
    ...depths.map((depth) => withValue(`list ${depth}`, 'x', `${'['.repeat(depth)}1${']'.repeat(depth)}`)),
    ...depths.map((depth) => withValue(`map ${depth}`, 'x', `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)),
    ...depths.map((depth) => {
      const schema = `${'{"type": "array", "items": '.repeat(depth)}{"type": "integer"}${'}'.repeat(depth)}`;
      return `{"id": "schema ${depth}", "expr": "x", "vars": {"x": {"schema": ${schema}, "value": []}}}`;
    }),
    '{"id": "last", "expr": "1"}',
  ]) as readonly { id: string; value?: unknown; error?: { kind: string } }[];
  t.equal(found.length, 3 * depths.length + 1);
  for (const { id, value, error } of found) t.ok(value !== undefined || error?.kind === 'limit', id);
  for (const kind of ['list', 'map', 'schema']) t.equal(found.find(({ id }) => id === `${kind} 100000`)?.error?.kind, 'limit', kind);
  t.match(found.at(-1), { id: 'last', value: { int: '1' } });
});

t.test('one expression needs no JSON', async (t) => {
  t.match(run(['1 + 1']), { code: 0, out: '{"type":"int","value":{"int":"2"}}\n', err: '' });
  t.match(run(['1 +']), { code: 1, err: '' });
  t.match(run([]), { code: 2, out: '' });
});
