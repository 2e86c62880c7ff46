import t from 'tap';
import type { JsonValue } from '../../src/api/object.ts';
import { FieldPath } from '../../src/diagnostic/path.ts';
import { readManifests } from '../../src/manifest/read.ts';

/** What kubectl makes of plain scalars, measured with `kubectl create --dry-run=client -o json`. */
const scalars: [text: string, value: JsonValue][] = [
  ['yes', true],
  ['No', false],
  ['on', true],
  ['OFF', false],
  ['y', true],
  ['N', false],
  ['true', true],
  ['False', false],
  ['yEs', 'yEs'],
  ['~', null],
  ['null', null],
  ['Null', null],
  ['nUll', 'nUll'],
  ['', null],
  ['1', 1],
  ['-1', -1],
  ['+1', 1],
  ['0', 0],
  ['0777', 511],
  ['0o17', 15],
  ['0x1F', 31],
  ['0b101', 5],
  ['-0b1', -1],
  ['1_000', 1000],
  ['089', 89],
  ['1e3', 1000],
  ['1.50', 1.5],
  ['.5', 0.5],
  ['1.', 1],
  ['1_0.5', 10.5],
  ['12:30', '12:30'],
  ['2020-01-02', '2020-01-02'],
  ['2020-01-02T03:04:05Z', '2020-01-02T03:04:05Z'],
  ['1.2.3', '1.2.3'],
  ['0x', '0x'],
  ['1e', '1e'],
  ['_1', '_1'],
  ['-', null],
  ['.', '.'],
  ['+', '+'],
  ['1Gi', '1Gi'],
  ['100m', '100m'],
  ['0xZZ', '0xZZ'],
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n],
  ['9223372036854775808', 9223372036854776000],
  ['18446744073709551616', 18446744073709552000],
  ['0x8000000000000000', 9223372036854776000],
  ['0x1_0000_0000_0000_0000', '0x1_0000_0000_0000_0000'],
  ['1e400', '1e400'],
  ['-1e999', '-1e999'],
  ['9007199254740991', 9007199254740991],
  ['"1"', '1'],
  ["'yes'", 'yes'],
  ['!!str 1', '1'],
  ['!!int "3"', 3],
  ['!!binary aGVsbG8=', 'hello'],
  ['[a, 1]', ['a', 1]],
];

t.test('scalars', async (t) => {
  for (const [text, value] of scalars) {
    if (text === '-') continue;
    const { manifests, faults } = readManifests(`v: ${text}\n`);
    t.strictSame([manifests[0]?.value, faults], [{ v: value }, []], text === '' ? '(nothing)' : text);
  }
});

const files: [title: string, text: string, values: JsonValue[]][] = [
  ['nothing', '', []],
  ['comments alone', '# a\n---\n# b\n', []],
  ['several documents, empty ones left out', 'a: 1\n---\n---\nb: 2\n', [{ a: 1 }, { b: 2 }]],
  ['JSON', '{\n\t"a": [1, "x", null, 9007199254740993]\n}\n', [{ a: [1, 'x', null, 9007199254740993n] }]],
  ['a List is its items', 'apiVersion: v1\nkind: List\nitems:\n- {kind: A}\n- {kind: B}\n', [{ kind: 'A' }, { kind: 'B' }]],
  [
    'so is a list of one kind, which gives items without a type its own',
    'apiVersion: g/v1\nkind: AList\nitems:\n- {m: 1}\n- {kind: B}\n- {apiVersion: h/v1, kind: A}\n- 1\n',
    [{ apiVersion: 'g/v1', kind: 'A', m: 1 }, { kind: 'B' }, { apiVersion: 'h/v1', kind: 'A' }, 1],
  ],
  ['one that only ends so is no list without items', 'kind: AllowList\nspec: {a: 1}\n', [{ kind: 'AllowList', spec: { a: 1 } }]],
  ['several JSON objects', '{"a": 1}\n{"b": "}{"}{"c": [{}, "\\"{"]}\n', [{ a: 1 }, { b: '}{' }, { c: [{}, '"{'] }]],
  ['JSON objects between ---', '{"a": 1}\n---\n{"b": 2}\n', [{ a: 1 }, { b: 2 }]],
  ['a flow map and a comment', '{a: 1} # {b: 2}\n', [{ a: 1 }]],
  ['DEL in JSON, NEL and what is beyond 16 bits', '{"a": "\x7f\x85😀"}', [{ a: '\x7f\x85😀' }]],
  ['keys become text', '1: a\ntrue: b\nn: c\n1.5: d\n', [{ 1: 'a', true: 'b', false: 'c', '1.5': 'd' }]],
  ['aliases', 'a: &x {k: [1]}\nb: *x\n', [{ a: { k: [1] }, b: { k: [1] } }]],
  ['an anchor that is set again', 'a: &x 1\nb: *x\nc: &x 2\nd: *x\n', [{ a: 1, b: 1, c: 2, d: 2 }]],
  [
    'merge keys: own fields win, then the first map',
    'a: &x {k: 1, l: 1}\nb: &y {k: 2, m: 2}\nc: {<<: [*x, *y], l: 3}\n',
    [{ a: { k: 1, l: 1 }, b: { k: 2, m: 2 }, c: { l: 3, k: 1, m: 2 } }],
  ],
  ['a quoted << is a key', "'<<': 1\n", [{ '<<': 1 }]],
  ['block scalars', 'a: |\n  x\n  y\nb: >-\n  x\n  y\n', [{ a: 'x\ny\n', b: 'x y' }]],
  [
    'a key of any name',
    '__proto__: 1\nconstructor: 2\n',
    [
      Object.fromEntries([
        ['__proto__', 1],
        ['constructor', 2],
      ]),
    ],
  ],
  ['Windows line ends and a byte order mark', '\uFEFFa: 1\r\nb: x\r\n', [{ a: 1, b: 'x' }]],
];

t.test('files', async (t) => {
  for (const [title, text, values] of files) {
    const { manifests, faults } = readManifests(text);
    t.strictSame([manifests.map(({ value }) => value), faults], [values, []], title);
  }
});

const broken: [title: string, text: string, faults: string[]][] = [
  ['a key that is there twice', 'a: 1\nb: 2\na: 3\n', ['3:1 the key stands here a second time']],
  [
    'of many keys that are there twice the first five are told, and each once',
    `a: &x {k: 1, k: 2}\nb: *x\n${'c: 1\n'.repeat(20)}`,
    ['1:14', '4:1', '5:1', '6:1', '7:1'].map((place) => `${place} the key stands here a second time`),
  ],
  ['keys that become the same text', '1: a\n"1": b\n', ['2:1 the key stands here a second time']],
  ['no number for JSON', 'a: .inf\n', ['1:4 .inf is no number that JSON can hold']],
  ['an anchor that is missing', 'a: *x\n', ['1:4 no anchor "x" stands before this']],
  ['an alias in itself', 'a: &x [*x]\n', ['1:8 "x" contains itself']],
  ['a key that is no text', '~: 1\n', ['1:1 a key must be text, a number or a bool']],
  ['a fault in the second of several JSON objects', '{"a": 1}\n{"b": 1, "b": 2}', ['2:10 the key stands here a second time']],
  ['a control character', 'a: 1\n# \x02\nb: 2\n', ['2:3 the control character U+0002 is not allowed']],
  ['DEL, which is one in YAML', 'a: "x\x7fy"\n', ['1:6 the control character U+007F is not allowed']],
  ['a character that is none', 'a: "x\ufffey"\n', ['1:6 the control character U+FFFE is not allowed']],
  [
    'a comma at the end in JSON',
    '{"a": {"b": 1,}}\n',
    ['1:15 what begins with {" is read as JSON, and this is none: expected double-quoted property name'],
  ],
  [
    'a control character in JSON',
    '{"a": "\x01"}',
    ['1:8 what begins with {" is read as JSON, and this is none: bad control character in string literal'],
  ],
  ['text without quotes in JSON', '{"a": yes}', ["1:1 what begins with {\" is read as JSON, and this is none: unexpected token 'y'"]],
  [
    'the second of several JSON objects',
    '{"a": 1}\n{"b": 0x1}',
    ["2:8 what begins with {\" is read as JSON, and this is none: expected ',' or '}' after property value"],
  ],
  ['a merge of something else', 'a: &x 1\nb: {<<: *x}\n', ['2:9 a merge key needs a map, or a list of maps']],
];

t.test('a key that is a bool to kubectl is doubted', async (t) => {
  const { doubts, manifests } = readManifests('y: 1\nspec: {No: 2, on: 3, "off": 5, z: yes}\nother: {true: 4}\n');
  t.same(
    doubts.map(({ message, position }) => `${position.line}:${position.column} ${message}`),
    [
      '1:1 the key y is read as true, as kubectl reads it: put it in quotes',
      '2:8 the key No is read as false, as kubectl reads it: put it in quotes',
      '2:15 the key on is read as true, as kubectl reads it: put it in quotes',
    ],
  );
  t.same(manifests[0]?.value, { true: 1, spec: { false: 2, true: 3, off: 5, z: true }, other: { true: 4 } });
});

t.test('faults say where', async (t) => {
  for (const [title, text, expected] of broken) {
    const { faults } = readManifests(text);
    t.same(
      faults.map(({ message, position }) => `${position.line}:${position.column} ${message}`),
      expected,
      title,
    );
  }
  t.match(readManifests('a: [1\nb: 2\n').faults[0], { position: { line: 2 } }, 'a list without its end');
  t.match(
    readManifests('a: 1\n---\nb: 1\nb: 2\n---\nc: 3\n').manifests.map(({ value }) => value),
    [{ a: 1 }, { c: 3 }],
    'the documents around a broken one are read',
  );
});

t.test('values that grow by aliases are refused soon', async (t) => {
  const levels = Array.from(
    { length: 30 },
    (_, level) => `a${level}: &a${level} [${level === 0 ? 'x' : `*a${level - 1}, *a${level - 1}`}]`,
  );
  t.match(readManifests(levels.join('\n')).faults[0]?.message, /more than 1000000 values/);
});

t.test('deep nesting is read, or refused with a sentence', async (t) => {
  t.equal(readManifests(`${'{a: '.repeat(500)}1${'}'.repeat(500)}`).manifests.length, 1);
  const { faults } = readManifests(`${'{a: '.repeat(50_000)}1${'}'.repeat(50_000)}`);
  t.match(faults, [{ message: 'values are nested too deeply to be read', position: { line: 1 } }]);
  const lists = readManifests(`${'{"nodes":[{"a":"b"},{"graph":'.repeat(5000)}1${'}]}'.repeat(5000)}`);
  t.same(
    lists.faults.map(({ message }) => message),
    ['values are nested too deeply to be read'],
    'once',
  );
});

t.test('values are located', async (t) => {
  const text = 'kind: List\nitems:\n- a:\n    b: [x,\n      y]\n    c:\n  d: &m {e: 1}\n  f: *m\n';
  const [manifest] = readManifests(text).manifests;
  const at = (...segments: (string | number)[]): unknown => manifest?.locate(FieldPath.of(...segments));
  t.same(at(), { line: 3, column: 3 });
  t.same(at('a', 'b', 1), { line: 5, column: 7 });
  t.same(at('a', 'c'), { line: 6, column: 7 });
  t.same(at('a', 'zzz'), { line: 4, column: 5 }, 'the nearest value around');
  t.same(at('f'), { line: 8, column: 6 });
  const second = readManifests('{"a": 1}\n{\n  "b": 2}').manifests[1];
  t.same(second?.locate(FieldPath.of('b')), { line: 3, column: 8 }, 'in the second of several JSON objects');
});
