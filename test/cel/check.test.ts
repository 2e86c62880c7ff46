import { test } from 'tap';
import { check } from '../../src/cel/check.ts';
import { Environment } from '../../src/cel/environment.ts';
import { parse } from '../../src/cel/parse.ts';
import {
  dynType,
  intType,
  listType,
  mapType,
  optionalType,
  printType,
  type StructType,
  stringType,
  structType,
  type Type,
  timestampType,
} from '../../src/cel/type.ts';

const metadata = structType('Pod.metadata', { name: stringType, labels: mapType(stringType, stringType), created: timestampType });
const pod = structType('Pod', { metadata, replicas: intType, 'my-field': intType, namespace: stringType, list: listType(stringType) });
const open = structType('Open', { known: intType }, { open: true });
const naming = structType('naming', { prefix: stringType, zone: stringType }, { alsoMap: true });
/** A type that contains itself. */
const tree: StructType = {
  kind: 'struct',
  name: 'Tree',
  field: (name) => (name === 'children' ? listType(tree) : name === 'value' ? intType : undefined),
  fieldNames: () => ['children', 'value'],
};
const variables = new Map<string, Type>([
  ['pod', pod],
  ['open', open],
  ['naming', naming],
  ['tree', tree],
  ['d', dynType],
  ['opt', optionalType(intType)],
]);
const environment = Environment.standard().with(variables);

function checkText(expression: string): ReturnType<typeof check> {
  const { ast } = parse(expression);
  if (ast === undefined) throw new Error(`${expression} does not parse`);
  return check(ast, environment);
}

const types: readonly (readonly [title: string, expression: string, type: string])[] = [
  ['a literal that mixes types is dyn', "[1, 'a']", 'list(dyn)'],
  ['an empty list takes the type of what it meets', '[] + [1]', 'list(int)'],
  ['an empty list alone is dyn', '[]', 'list(dyn)'],
  ['an empty map in a branch takes the type of the other', "true ? {} : {'a': 1}", 'map(string, int)'],
  ['a list of structs keeps the struct', '[pod.metadata][0].name', 'string'],
  ['a recursive type is followed as far as it is asked', 'tree.children[0].children[0].value', 'int'],
  ['an open struct has dyn fields', 'open.anything.at.all', 'dyn'],
  ['a declared field of an open struct keeps its type', 'open.known', 'int'],
  ['a struct that is a map has an index', "naming['zone'] + naming.prefix", 'string'],
  ['a struct that is a map has keys', "'zone' in naming && naming.exists(k, k == 'zone') && size(naming) == 2", 'bool'],
  ['a field whose name is no identifier is escaped', 'pod.my__dash__field', 'int'],
  ['a keyword may be a field', 'pod.namespace + pod.__namespace__', 'string'],
  ['an optional selection is optional to its end', 'pod.?metadata.labels.app', 'optional_type(string)'],
  ['an arithmetic on dyn takes the type of the other side', 'd + 1', 'int'],
  ['an arithmetic on two dyn is dyn', 'd + d', 'dyn'],
  ['a comparison is bool whatever is compared', 'd < d', 'bool'],
  ['macros give lists of what their body gives', 'pod.list.map(x, size(x))', 'list(int)'],
  ['transformMap keeps the keys', "{'a': 1}.transformMap(k, v, k)", 'map(string, string)'],
  ['optMap wraps, optFlatMap does not', 'opt.optMap(x, [x]).optFlatMap(x, x.first())', 'optional_type(int)'],
  ['a bound name hides a variable', 'cel.bind(pod, 1, pod + 1)', 'int'],
  ['a bound name hides a type', '[1].map(int, int)', 'list(int)'],
  ['the name of a type is its value', 'type(1) == int', 'bool'],
  ['the index of an optional that says nothing of its value is optional', 'optional.none()[0]', 'optional_type(dyn)'],
  ['the index of a dyn value is dyn', 'd[?0]', 'dyn'],
  ['an int may be the index of a list or of a map in an optional dyn', 'd.?x[?0]', 'dyn'],
  ['so may a dyn value', 'd.?x[d]', 'dyn'],
  ['a string is the key of a map in an optional dyn', "d.?x[?'a']", 'optional_type(dyn)'],
  ['so it is without a question mark', "d.?x['a']", 'optional_type(dyn)'],
  ['a bool is the key of a map where null may be an optional', 'null[?true]', 'optional_type(dyn)'],
  ['an optional index of what is not known is optional', '[][0][?0]', 'optional_type(dyn)'],
  ['what an optional dyn has under a key is of the type of what replaces it', "d.?x['a'].orValue(1)", 'int'],
  ['what is not known becomes a list under an index', "optional.none()[0].orValue('a')", 'string'],
  ['the first overload that fits says what an operand is of which nothing is known', '[][0] + [][0]', 'bytes'],
  ['a timestamp minus what is not known is a timestamp', "timestamp(0) - {}['a']", 'google.protobuf.Timestamp'],
  ['what is not known is added to a duration as one', "[][0] + duration('1s')", 'google.protobuf.Duration'],
  ['the negative of what is not known is a double', '-[][0]', 'double'],
  ['the product of two is, too', 'optional.none().optMap(x, x * x)', 'optional_type(double)'],
  ['what is not known is reversed as a list', '[][0].reverse()', 'list(dyn)'],
  ['what has a size is bytes before it is a list', 'cel.bind(a, [][0], [[a].filter(x, size(x) > 0), [a]])', 'list(list(bytes))'],
  ['the least of an int and what is not known is an int', 'math.least([][0], 1)', 'int'],
  ['the greatest of two of which nothing is known is a double', 'math.greatest([][0], [][0])', 'double'],
  [
    'what optFlatMap gives is no more than its body',
    "cel.bind(o, opt.optFlatMap(x, optional.of('a')), [dyn(1), o].size() > 0 ? o : o)",
    'optional_type(string)',
  ],
  ['numbers of different types are compared behind a macro', '[1].map(x, x)[0] < 2.5 && 1 < 2.5', 'bool'],
];

for (const [title, expression, type] of types) {
  test(title, async (t) => {
    const result = checkText(expression);
    t.strictSame(result.issues, []);
    t.equal(printType(result.type), type);
  });
}

type Row = readonly [expression: string, kind: string, text: string, message: string, hint?: string];

const issues: readonly Row[] = [
  ['pod.metadata.nmae', 'field', 'nmae', 'Pod.metadata has no field "nmae"', 'did you mean "name"?'],
  ['pod.my-field > 1', 'field', 'my', 'Pod has no field "my"'],
  ['podd.x', 'undeclared', 'podd', '"podd" is not declared', 'did you mean "pod"?'],
  ["pod.metadata.name.spilt(',')", 'undeclared', 'spilt', 'no function "spilt"', 'did you mean "split"?'],
  ['math.gratest(1, 2)', 'undeclared', 'math.gratest', 'no function "math.gratest"', 'did you mean "math.greatest" or "math.least"?'],
  ['pod.metadata.name + 1', 'overload', '1', 'expected string, found int', 'convert with string(...)'],
  ['1 + pod.metadata.name', 'overload', 'pod.metadata.name', 'expected int, found string', 'convert with int(...)'],
  ["pod.replicas == 'a'", 'overload', "'a'", 'expected int, found string', 'convert with int(...)'],
  ["'a'.contains(1)", 'overload', '1', 'expected string, found int', 'convert with string(...)'],
  ['base64.encode(pod.namespace)', 'overload', 'pod.namespace', 'expected bytes, found string', 'convert with bytes(...)'],
  [
    "pod.metadata.created > '2024'",
    'overload',
    "'2024'",
    'expected google.protobuf.Timestamp, found string',
    'convert with timestamp(...)',
  ],
  ['opt + 1', 'overload', 'opt', 'expected int, found optional_type(int)', 'take its value with .orValue(...) or .value()'],
  ['pod.replicas ? 1 : 2', 'overload', 'pod.replicas', 'expected bool, found int', 'compare it with something'],
  ["true ? 1 : 'a'", 'overload', "'a'", 'both branches must have one type: found int and string', 'wrap one in dyn(...) if both are meant'],
  [
    'size(1)',
    'overload',
    'size(1)',
    'no overload size(int)',
    'there is size(bytes) -> int; size(list(A)) -> int; size(map(A, B)) -> int; size(string) -> int',
  ],
  ["'a'.startsWith()", 'overload', "'a'.startsWith()", '"startsWith" takes 1 argument, found 0', 'it is string.startsWith(string) -> bool'],
  ["contains('a', 'b')", 'overload', 'contains', '"contains" is a method, not a function', 'it is string.contains(string) -> bool'],
  ['1 in 2', 'overload', '1 in 2', '"in" does not take int and int', 'there is A in list(A) -> bool; A in map(A, B) -> bool'],
  [
    '1 in pod.list',
    'overload',
    '1 in pod.list',
    '"in" does not take int and list(string)',
    'there is A in list(A) -> bool; A in map(A, B) -> bool',
  ],
  ['pod.list == [1]', 'overload', '[1]', 'expected list(string), found list(int)'],
  ['math.max(1, 2)', 'undeclared', 'math.max', 'no function "math.max"'],
  ['pod.list.x', 'overload', 'x', 'list(string) has no fields, so no "x"', 'index it, or take .map(x, x.…)'],
  ["pod['a']", 'overload', "pod['a']", 'Pod has no index', 'select the field: x.field'],
  ['[1].all(x)', 'argument', '[1].all(x)', '"all" takes 2 or 3 arguments, found 1', 'the names of a macro stand before its expression'],
  ['{?"a": 1}', 'overload', '1', 'expected optional_type(int), found int', 'wrap it in optional.of(...)'],
  ['optional.of(null)[0]', 'overload', 'optional.of(null)[0]', 'null_type has no index', 'only lists and maps have an index'],
  ["cel.bind(q, [], [q[0][0], q[0]['a']])", 'overload', "'a'", 'expected int, found string', 'convert with int(...)'],
  ['cel.bind(a, [][0], a.split(a + a))', 'overload', 'a.split(a + a)', 'no overload bytes.split(bytes)'],
  ['[1].map(x, x).indexOf(1 < 2.5 ? 1 : 2)', 'overload', '2.5', 'expected int, found double', 'convert with int(...)'],
  ['1 < 2.5 && [1].map(x, x) == [1]', 'overload', '2.5', 'expected int, found double', 'convert with int(...)'],
  ['pod.namespace-suffix', 'overload', 'pod.namespace-suffix', '"-" does not take string and …'],
];

for (const [expression, kind, text, message, hint] of issues) {
  test(`${expression} is told from its place`, async (t) => {
    const [issue] = checkText(expression).issues;
    t.strictSame([issue?.kind, expression.slice(issue?.span.start, issue?.span.end), issue?.message], [kind, text, message]);
    if (hint !== undefined) t.equal(issue?.hint, hint);
  });
}

test('every independent mistake is told, and none twice', async (t) => {
  const expression = 'pod.nope.x.y + pod.metadata.nmae + undeclared.foo(1) + [1].map(x, x + "a").size()';
  t.strictSame(
    checkText(expression).issues.map(({ kind, span }) => [kind, expression.slice(span.start, span.end)]),
    [
      ['field', 'nope'],
      ['field', 'nmae'],
      ['undeclared', 'undeclared.foo'],
      ['overload', '"a"'],
    ],
  );
});

const orders: readonly (readonly [title: string, expression: string, found: readonly (readonly [string, string])[]])[] = [
  [
    'a function that is not there is told before its arguments',
    'nope(pod.nmae)',
    [
      ['undeclared', 'nope'],
      ['field', 'nmae'],
    ],
  ],
  [
    'a value is told before the key behind it',
    "{'a': nope, pod.nmae: 1}",
    [
      ['undeclared', 'nope'],
      ['field', 'nmae'],
    ],
  ],
  [
    'how many arguments there are is told whatever is wrong in them',
    'size(nope, 1)',
    [
      ['overload', 'size(nope, 1)'],
      ['undeclared', 'nope'],
    ],
  ],
  ['nothing is known of a call on what is wrong', 'pod.nmae.size(1)', [['field', 'nmae']]],
  ['nor of a loop over it', 'pod.?nmae.map(x, x + 1)', [['field', 'nmae']]],
  ['an argument that is wrong may be what is wanted', 'pod.replicas + nope', [['undeclared', 'nope']]],
  [
    'constant arguments are looked at last',
    "'%q'.format([1]) + nope",
    [
      ['undeclared', 'nope'],
      ['argument', "'%q'"],
    ],
  ],
];

for (const [title, expression, found] of orders) {
  test(title, async (t) => {
    const told = checkText(expression).issues.map(({ kind, span }) => [kind, expression.slice(span.start, span.end)]);
    t.strictSame(told, found);
  });
}

/** `cel.bind(v1, <of v0>, cel.bind(v2, <of v1>, … v100 …))`. */
function bound(first: string, of: (name: string) => string): string {
  const steps = Array.from({ length: 100 }, (_, i) => `cel.bind(v${i + 1}, ${of(`v${i}`)}, `);
  return `cel.bind(v0, ${first}, ${steps.join('')}v100${')'.repeat(101)}`;
}

const growing: readonly [title: string, expression: string][] = [
  ['a map from a type to the same type', bound('{"a": 1}', (name) => `{${name}: ${name}}`)],
  ['an element that is known only from its neighbour', bound('[1]', (name) => `[[], [{${name}: ${name}}]]`)],
  ['an optional of what may be absent', bound('optional.none()', (name) => `optional.none().or(optional.of({${name}: ${name}}))`)],
];

for (const [title, expression] of growing) {
  test(`a type that doubles a hundred times is too large: ${title}`, async (t) => {
    const { issues, checked } = checkText(expression);
    t.strictSame(
      [issues.map(({ kind, message }) => [kind, message]), checked],
      [[['limit', 'the types of the expression are too large']], undefined],
    );
  });
}

test('a type is as deep as literals nest, and a message leaves out what is deep inside', async (t) => {
  const deep = `${'{"a": '.repeat(249)}1${'}'.repeat(249)}`;
  t.strictSame(checkText(deep).issues, []);
  t.match(checkText(`${deep} + 1`).issues[0]?.message, /found (map\(string, ){9}map\(…, …\){10}/);
});

test('a child environment hides variables of its parent and leaves it alone', async (t) => {
  const child = environment.with(new Map([['pod', intType]]));
  const { ast } = parse('pod');
  if (ast === undefined) return;
  t.equal(printType(check(ast, child).type), 'int');
  t.equal(printType(check(ast, environment).type), 'Pod');
});
