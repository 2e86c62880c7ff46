import t from 'tap';
import type { JsonValue } from '../../src/api/object.ts';
import type { Value } from '../../src/cel/value.ts';
import { renderIdentity } from '../../src/runtime/render.ts';
import { NO_LOCALS } from '../../src/runtime/scope.ts';
import { programOf } from '../support/compile.ts';
import { evaluationContext, nodeAt, trace } from './runtime.ts';

const base = `{id: base, def: {s: text, n: 3, big: 9007199254740993, l: [a, b], on: true, off: false, nulls: [null], o: {a: 1, b: x}, e: []}}`;
const cm = (id: string, data: string, more = '') =>
  `{id: ${id}, ${more} template: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${id}}, data: ${data}}}`;

function dataOf(value: JsonValue | Value | undefined): unknown {
  return typeof value === 'object' && value !== null && 'data' in value ? value.data : value;
}

const rendered: readonly [title: string, data: string, expected: unknown][] = [
  ['an expression gives its value', '{k: "${base.s}"}', { k: 'text' }],
  ['text joins its parts', '{k: "a-${base.s}-${string(base.n)}!"}', { k: 'a-text-3!' }],
  ['a literal stays as it is', '{k: plain}', { k: 'plain' }],
  ['a deferred expression loses one level of quotes', `{k: "\${'\${later.v}'}-copy"}`, { k: '${later.v}-copy' }],
  ['a dollar before an expression stays', '{k: "$${base.s}"}', { k: '$text' }],
  ['omit() leaves the field out', '{k: "${base.off ? base.s : omit()}", l: x}', { l: 'x' }],
  ['an empty optional is null', '{k: "${base.l.size() > 5 ? optional.of(base.s) : optional.none()}"}', { k: null }],
  ['an optional gives its value', '{k: "${optional.of(base.s)}"}', { k: 'text' }],
  ['an empty optional entry is left out', "\"${ {?'a': optional.of(base.s), ?'b': optional.none()} }\"", { a: 'text' }],
  ['the order of fields is kept', '{z: "${base.s}", a: x, m: "${base.s}"}', { z: 'text', a: 'x', m: 'text' }],
];

t.test('a manifest', (t) => {
  for (const [title, data, expected] of rendered) {
    t.test(title, (t) => {
      const found = dataOf(trace(`[${base}, ${cm('a', data)}]`)['a']);
      t.same(found, expected);
      t.same(Object.keys(found ?? {}), Object.keys(expected ?? {}));
      t.end();
    });
  }
  t.end();
});

t.test('values keep their types', (t) => {
  const widget = `{id: w, template: {apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {size: "\${base.n}", parts: "\${base.l}",
    free: {d: "\${2.0}", i: "\${2}", m: "\${base.o}", n: "\${base.nulls[0]}", l: [1, "\${base.s}", "\${omit()}"]}}}}`;
  t.same((trace(`[${base}, ${widget}]`)['w'] as { spec: unknown }).spec, {
    size: 3,
    parts: ['a', 'b'],
    free: { d: 2, i: 2, m: { a: 1, b: 'x' }, n: null, l: [1, 'text'] },
  });
  t.end();
});

t.test('bytes are base64 in an object of a computed kind, whose fields are not known', (t) => {
  const found = trace(`[{id: d, def: {k: Secret}},
    {id: s, template: {apiVersion: v1, kind: "\${d.k}", metadata: {name: s}, data: {a: "\${bytes('x')}", b: ["\${{'c': bytes('y')}}"]}}}]`);
  t.same(dataOf(found['s']), { a: 'eA==', b: [{ c: 'eQ==' }] });
  t.end();
});

t.test('a def publishes CEL values', (t) => {
  const found =
    trace(`[${base}, {id: d, def: {t: "\${timestamp('2030-01-02T03:04:05Z')}", o: "\${optional.of(1)}", k: "\${base.off ? 1 : omit()}"}},
    {id: e, def: {year: "\${d.t.getFullYear()}", has: "\${d.o.hasValue()}", or: "\${d.o.orValue(5)}"}}]`);
  t.same(found['e'], { year: 2030, has: true, or: 1 });
  t.same(Object.keys(found['d'] as object), ['t', 'o']);
  t.end();
});

t.test('items', (t) => {
  const items = trace(`[${base}, {id: c, forEach: [{x: "\${base.l}"}, {y: "\${[1, 2]}"}],
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${x}-\${string(y)}"}}}, {id: d, def: {names: "\${c.map(i, i.metadata.name)}"}}]`);
  t.same(items['d'], { names: ['a-1', 'a-2', 'b-1', 'b-2'] }, 'the last dimension is the fastest');
  t.same(trace(`[${base}, {id: c, forEach: [{x: "\${base.e}"}], def: {v: "\${x}"}}, {id: d, def: {n: "\${size(c)}"}}]`)['d'], { n: 0 });
  t.match(trace(`[{id: c, forEach: [{x: "\${lists.range(int('1001'))}"}], def: {v: "\${x}"}}]`)['c'], /failed: .*1001 items, at most 1000/);
  t.end();
});

const failures: readonly [title: string, nodes: string, live: Readonly<Record<string, Value>>, node: string, expected: RegExp][] = [
  [
    'a field that the cluster has not filled yet is waited for',
    `[{id: r, ref: {apiVersion: example.com/v1, kind: Widget, metadata: {name: w}}}, ${cm('a', '{k: "${r.status.endpoint}"}')}]`,
    { r: { metadata: { name: 'w' } } },
    'a',
    /^waiting: spec\.nodes\[1\]\.template\.data\.k: .*r\.status\.endpoint/,
  ],
  [
    'a key that a def does not have is hard',
    `[{id: d, def: {m: {a: 1}}}, ${cm('a', `{k: "\${string(d.m['z' + 'z'])}"}`)}]`,
    {},
    'a',
    /^failed: /,
  ],
  [
    'a missing key behind a def of what the cluster gave is waited for',
    `[{id: r, ref: {apiVersion: v1, kind: ConfigMap, metadata: {name: w}}}, {id: d, def: {m: "\${r.data}"}}, ${cm('a', '{k: "${d.m.zz}"}')}]`,
    { r: { data: { a: 'x' } } },
    'a',
    /^waiting: /,
  ],
  ['an evaluation error is hard', `[${base}, ${cm('a', '{k: "${string(1 / (base.n - 3))}"}')}]`, {}, 'a', /^failed: .*zero/],
  [
    'a name that renders empty is hard',
    `[{id: d, def: {n: ""}}, {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${d.n}"}}}]`,
    {},
    'a',
    /^failed: .*metadata\.name/,
  ],
  [
    'a selector that renders null is hard',
    `[${base}, {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: "\${base.nulls[0]}"}}}]`,
    {},
    'a',
    /^failed: .*selector/,
  ],
  [
    'a computed kind must be one',
    `[${base}, {id: a, template: {apiVersion: "\${base.s}/a/b", kind: X, metadata: {name: x}}}]`,
    {},
    'a',
    /^failed: .*apiVersion/,
  ],
  ['a dyn value in text must be a string', `[${base}, ${cm('a', '{k: "n=${base.nulls[0]}"}')}]`, {}, 'a', /^failed: .*must give a string/],
  [
    'no message quotes a value',
    `[{id: r, ref: {apiVersion: v1, kind: Secret, metadata: {name: w}}}, ${cm('a', '{k: "${string(int(string(r.data[\'p\'])))}"}')}]`,
    { r: { data: { p: 'c2VjcmV0LXZhbHVl' } } },
    'a',
    /^failed: (?!.*secret-value)(?!.*c2VjcmV0)/,
  ],
];

t.test('failures', (t) => {
  for (const [title, nodes, live, node, expected] of failures) {
    t.test(title, (t) => {
      t.match(trace(nodes, live)[node], expected);
      t.end();
    });
  }
  t.end();
});

t.test('an identity is rendered without the rest', (t) => {
  const program = programOf(
    `[${base}, {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${base.s}", namespace: x}, data: {k: "\${string(1 / 0)}"}}}]`,
  );
  const context = evaluationContext();
  context.scope.publish(nodeAt(program, 'base'), { s: 'text' });
  const node = nodeAt(program, 'a');
  if (node.kind !== 'template') throw new Error('a is a template');
  t.same(renderIdentity(node, NO_LOCALS, context), {
    word: 'value',
    value: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'x', name: 'text' },
  });
  t.end();
});

t.test('text that doubles from node to node costs what a sum of it does', (t) => {
  const nodes = Array.from({ length: 40 }, (_, i) =>
    i === 0 ? '{id: t0, def: {v: "0123456789"}}' : `{id: t${i}, def: {v: "\${t${i - 1}.v}\${t${i - 1}.v}"}}`,
  );
  const found = trace(`[${nodes.join(', ')}]`);
  t.match(found['t17'], /^failed: .*produces more data than its budget allows in \$\{t16\.v\}/);
  t.equal(found['t39'], 'blocked');
  t.end();
});

t.test('an object that no API server would read is not written', (t) => {
  const text = `{id: text, def: {v: "${'x'.repeat(1000)}"}}`;
  const fields = Array.from({ length: 4000 }, (_, i) => `k${i}: "\${text.v}"`);
  const found = trace(`[${text}, ${cm('some', `{${fields.slice(0, 3000).join(', ')}}`)}, ${cm('all', `{${fields.join(', ')}}`)}]`);
  t.ok(typeof found['some'] === 'object');
  t.match(found['all'], /^failed: spec\.nodes\[2\]\.template: the object has more than 3145728 characters/);
  t.end();
});
