import { readdirSync } from 'node:fs';
import { test } from 'tap';
import { Budget } from '../../src/cel/budget.ts';
import { check } from '../../src/cel/check.ts';
import { Environment } from '../../src/cel/environment.ts';
import { EvaluationError } from '../../src/cel/error.ts';
import { parse } from '../../src/cel/parse.ts';
import { type Plan, plan } from '../../src/cel/plan.ts';
import { dynType, structType, type Type, timestampType } from '../../src/cel/type.ts';
import { MapValue, type Value } from '../../src/cel/value.ts';
import { celTypeOf } from '../../src/schema/cel-type.ts';
import { inlineSchema, type RawSchema } from '../../src/schema/openapi.ts';
import { type GoldenCase, readExactYaml } from '../support/cel-cases.ts';

const schema: RawSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    ratio: { type: 'number' },
    at: { type: 'string', format: 'date-time' },
    blob: { type: 'string', format: 'byte' },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    inner: { type: 'object', properties: { at: { type: 'string', format: 'date-time' }, count: { type: 'integer' } } },
    items: { type: 'array', items: { type: 'object', properties: { ratio: { type: 'number' } } } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: { type: 'string' } } },
    untyped: { 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const thing: Value = {
  name: 'a',
  ratio: 2,
  at: '2024-01-01T00:00:00Z',
  blob: 'aGVsbG8=',
  set: ['x', 'y'],
  inner: { at: '2024-01-01T01:00:00+01:00', count: 1 },
  items: [{ ratio: 1 }, { ratio: 2.5 }],
  free: { nothing: null, inner: { nothing: null } },
  open: { nothing: null, known: null },
  untyped: null,
};
const settings: Value = { nothing: null, when: null, deep: { nothing: null } };
const values: Readonly<Record<string, Value>> = { thing, settings, d: { a: 1, list: [1, 2], name: 'n', null: null } };
const types = new Map<string, Type>([
  ['thing', celTypeOf(inlineSchema(schema, 'thing'))],
  ['d', dynType],
  [
    'settings',
    structType(
      'def settings',
      { nothing: dynType, when: timestampType, deep: structType('deep', { nothing: dynType }, { alsoMap: true }) },
      { alsoMap: true },
    ),
  ],
]);

function compile(expression: string): Plan {
  const { ast } = parse(expression);
  if (ast === undefined) throw new Error(`${expression} does not parse`);
  const { checked, issues } = check(ast, Environment.standard().with(types));
  if (checked === undefined) throw new Error(JSON.stringify(issues));
  return plan(checked);
}

function evaluate(expression: string): Value {
  return compile(expression)((name) => values[name], new Budget());
}

/** What JSON says only through its schema, also after the value has become dyn. */
const truths: readonly string[] = [
  'thing.ratio == 2.0',
  'type(thing.ratio) == double',
  'type(dyn(thing).ratio) == double',
  '[thing, 1][0].ratio == 2.0 && type([thing, 1][0].ratio) == double',
  'thing.at == thing.inner.at',
  'type(dyn(thing).inner.at) == google.protobuf.Timestamp',
  "thing.blob == b'hello'",
  "dyn(thing).blob == b'hello'",
  "thing.set == ['y', 'x'] && dyn(thing).set == ['y', 'x']",
  'thing.free.nothing == null && has(thing.free.nothing) && thing.free.?nothing.hasValue()',
  "'nothing' in thing.free && thing.free['nothing'] == null && thing.free.exists(k, k == 'nothing')",
  'thing.free.inner.nothing == null && dyn(thing).free.nothing == null && size(thing.free) == 2',
  'thing.open.nothing == null && has(thing.open.nothing) && dyn(thing).open.nothing == null',
  '!has(thing.open.known) && !thing.open.?known.hasValue() && !has(dyn(thing).open.known)',
  'settings.nothing == null && has(settings.nothing) && settings.?nothing.hasValue() && settings.deep.nothing == null',
  "settings['nothing'] == null && 'nothing' in settings && settings.exists(k, k == 'nothing') && settings.when == null",
  'dyn(settings).nothing == null && dyn(settings).deep.nothing == null && has(dyn(settings).when) && size(dyn(settings)) == 3',
  'thing.untyped == null && has(thing.untyped) && dyn(thing).untyped == null',
  'thing.items.map(i, type(i.ratio)).all(t, t == double)',
  'thing.items.map(i, i.ratio).sum() == 3.5',
  '(true ? dyn(1) : thing) == 1 && type((false ? dyn(1) : thing).ratio) == double',
  "{'a': thing, 'b': 1}['a'].ratio == 2.0",
  'thing == thing && thing in [thing]',
  'cel.bind(x, thing, x.at == thing.at)',
  'optional.of(thing).ratio.value() == 2.0',
  'has(thing.name) && !has(d.b) && d.?b.orValue(true)',
  '!d.?b[1 / 0].hasValue() && !d.?b[?d.c].hasValue() && !d.list[?9].x[d.c].hasValue()',
  "!thing.?items[?9].?ratio.hasValue() && !thing.?inner.?at.optFlatMap(x, d.?b)[int('x')].hasValue()",
  `json.marshal(thing.inner) == '{"at":"2024-01-01T01:00:00+01:00","count":1}'`,
  `json.marshal([thing.inner, 1]) == '[{"at":"2024-01-01T01:00:00+01:00","count":1},1]'`,
  `json.marshal({'a': dyn(thing)}['a'].inner) == json.marshal(thing.inner)`,
  `json.marshal(thing.inner.at) == '"2024-01-01T00:00:00Z"' && json.marshal([dyn(thing).inner.at]) == '["2024-01-01T00:00:00Z"]'`,
  `json.marshal(thing.open) == '{"known":null,"nothing":null}' && json.marshal(dyn(thing).open) == json.marshal(thing.open)`,
  `json.marshal(thing.inner.deepMerge({'a': 1})) == '{"a":1,"at":"2024-01-01T00:00:00Z","count":1}'`,
  "dyn(optional.of(d)['a'].orValue(1.5)) == 1 && type(optional.of(d)['a'].orValue(1.5)) == int",
  "dyn(optional.of(d)['name'].orValue(thing.at)) == 'n'",
  '!dyn(optional.none())[1 / 0].hasValue() && !dyn(optional.none())[?1 / 0].hasValue()',
];

for (const expression of truths) {
  test(`${expression} is true`, async (t) => {
    t.equal(evaluate(expression), true);
  });
}

const errors: readonly (readonly [expression: string, code: string, text: string, absent: boolean])[] = [
  ['1 + thing.inner.count / 0', 'divide', 'thing.inner.count / 0', false],
  ['d.missing.x', 'missing', 'missing', true],
  ["d['missing']", 'missing', "'missing'", true],
  ['d.list[7]', 'missing', '7', true],
  ['d.list[dyn(1.5)]', 'argument', 'dyn(1.5)', false],
  ['d.list[1e300]', 'argument', '1e300', false],
  ['d.list[?9223372036854775808u]', 'argument', '9223372036854775808u', false],
  ['d.list[9223372036854775807u]', 'missing', '9223372036854775807u', true],
  ['d.?list[?d.missing]', 'missing', 'missing', true],
  ['d.?list[1 / 0]', 'divide', '1 / 0', false],
  ['nothing', 'missing', 'nothing', true],
  ['int(d.name) > 1', 'conversion', 'int(d.name)', false],
  ['d.name + 1', 'overload', 'd.name + 1', false],
  ['d.name ? 1 : 2', 'overload', 'd.name', false],
  ['optional.none().value()', 'optional', 'value', false],
  ['d.list.unwrapOpt()', 'overload', 'd.list.unwrapOpt()', false],
  ['optional.unwrap([optional.of(1), d])', 'overload', 'optional.unwrap([optional.of(1), d])', false],
  ['[1, 1].transformMapEntry(i, v, {v: i})', 'duplicate', '{v: i}', false],
  ['9223372036854775807 + d.a', 'overflow', '9223372036854775807 + d.a', false],
  ['lists.range(d.a * 1000001)', 'limit', 'lists.range(d.a * 1000001)', false],
];

for (const [expression, code, text, absent] of errors) {
  test(`${expression} fails with ${code} at ${text}`, async (t) => {
    const { ast } = parse(expression);
    if (ast === undefined) throw new Error(`${expression} does not parse`);
    const environment = Environment.standard().with(new Map([...types, ['nothing', dynType]]));
    const { checked } = check(ast, environment);
    if (checked === undefined) throw new Error(`${expression} does not check`);
    try {
      plan(checked)((name) => values[name], new Budget());
      t.fail('it has a value');
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      t.strictSame([error.code, expression.slice(error.span?.start, error.span?.end), error.absent], [code, text, absent]);
    }
  });
}

test('a plan runs inside a run of itself', async (t) => {
  const evaluateAgain = compile('d.list.map(x, x + thing.inner.count)');
  const inner: Value[] = [];
  const outer = evaluateAgain((name) => {
    if (name === 'thing') inner.push(evaluateAgain((other) => values[other], new Budget()));
    return values[name];
  }, new Budget());
  t.strictSame(
    [outer, inner],
    [
      [2, 3],
      [
        [2, 3],
        [2, 3],
      ],
    ],
  );
});

test('evaluation leaves its input alone', async (t) => {
  const before = JSON.stringify(values);
  for (const expression of truths) evaluate(expression);
  t.equal(JSON.stringify(values), before);
});

test('a map that an expression built keeps its order and any key', async (t) => {
  const map = evaluate("{'z': 1, '__proto__': 2, 'constructor': 3, '10': 4, '9': 5}");
  t.ok(map instanceof MapValue);
  if (map instanceof MapValue)
    t.strictSame(
      [...map.entries()].map(([key]) => key),
      ['z', '__proto__', 'constructor', '10', '9'],
    );
});

test('no message of an evaluation error holds a value of the input', async (t) => {
  const directory = new URL('../cases/cel/', import.meta.url);
  const variables = readExactYaml(new URL('vars.yaml', directory)) as Readonly<
    Record<string, { schema?: RawSchema; value?: Value } | undefined>
  >;
  const leaks: string[] = [];
  for (const file of readdirSync(directory)) {
    if (!file.endsWith('.yaml') || file === 'vars.yaml' || file === 'functions.yaml') continue;
    const { cases } = readExactYaml(new URL(file, directory)) as { cases: readonly GoldenCase[] };
    for (const { expr, use = [], error } of cases) {
      if (error === undefined || error.phase === 'compile') continue;
      const { ast } = parse(expr);
      if (ast === undefined) continue;
      const known = use.map((name): readonly [string, Type] => {
        const declared = variables[name]?.schema;
        return [name, declared === undefined ? dynType : celTypeOf(inlineSchema(declared, name))];
      });
      const { checked } = check(ast, Environment.standard().with(new Map(known)));
      try {
        if (checked !== undefined) plan(checked)((name) => variables[name]?.value, new Budget());
      } catch (failure) {
        const { message } = failure as EvaluationError;
        const texts = use.flatMap((name) => textsOf(variables[name]?.value));
        for (const text of texts) if (text.length > 3 && message.includes(text) && !expr.includes(text)) leaks.push(`${expr}: ${message}`);
      }
    }
  }
  t.strictSame(leaks, []);
});

function textsOf(value: Value | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item) => textsOf(item as Value));
}
