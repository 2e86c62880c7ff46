import t from 'tap';
import { compile } from '../../src/compiler/compile.ts';
import { DEFAULT_LIMITS } from '../../src/compiler/limits.ts';
import { uses } from '../../src/compiler/uses.ts';
import { isLiteral } from '../../src/engine/quote.ts';
import { expressionsOf } from '../../src/runtime/expressions.ts';
import { testSnapshot } from '../support/schemas.ts';

t.setTimeout(120_000);

function graphOf(nodes: unknown): unknown {
  return { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name: 'g', namespace: 'default' }, spec: { nodes } };
}

function nestedNodes(depth: number, innermost: unknown): unknown {
  let nodes: unknown = [innermost];
  for (let level = depth; level > 0; level--) nodes = [{ id: `g${level}`, graph: { nodes } }];
  return nodes;
}

function configMap(name: string, data: unknown): unknown {
  return { id: name, template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data } };
}

function codesOf(nodes: unknown): string[] {
  return compile({ graph: graphOf(nodes), schemas: testSnapshot() }).diagnostics.map(({ code }) => code);
}

t.test('500 graphs inside one another compile, and a name is found through all of them', (t) => {
  const nodes = [{ id: 'base', def: { v: 'x' } }, ...(nestedNodes(500, configMap('deep', { k: '${base.v}' })) as unknown[])];
  const { program } = compile({ graph: graphOf(nodes), schemas: testSnapshot() });
  t.equal(program?.nodes.length, 502);
  t.equal(program?.nodes.at(-1)?.path.length, 501);
  t.same(uses({ nodes }), [{ group: '', version: 'v1', kind: 'ConfigMap' }]);
  t.end();
});

t.test('nodes whose paths together would fill the memory are refused', (t) => {
  const leaves = (count: number): unknown[] => Array.from({ length: count }, (_, i) => ({ id: `n${i}`, def: { v: 1 } }));
  const around = (levels: number, nodes: unknown): unknown => (levels === 0 ? nodes : around(levels - 1, [{ id: 'g', graph: { nodes } }]));
  t.same(codesOf(around(500, leaves(5000))), []);
  t.same(codesOf(around(3000, leaves(12_000))), ['limit/compile']);
  t.end();
});

t.test('3,000 levels with a mistake at the bottom', (t) => {
  t.same(codesOf(nestedNodes(3000, configMap('deep', { k: '${nope.v}' }))), ['reference/unknown']);
  t.end();
});

t.test('1,000 levels with a mistake in each, told in order', (t) => {
  let nodes: unknown = [{ id: 'x', def: { v: 1 } }];
  for (let level = 1000; level > 0; level--) {
    const twice = { id: 'a', def: { v: '${nope.v}' } };
    nodes = [twice, twice, { id: `g${level}`, graph: { nodes } }];
  }
  const { diagnostics } = compile({ graph: graphOf(nodes), schemas: testSnapshot() });
  t.equal(diagnostics.length, 3000);
  t.equal(diagnostics[3]?.path.toString(), 'spec.nodes[2].graph.nodes[0].def.v');
  t.end();
});

t.test('thousands of unknown names in one expression', (t) => {
  const nodes = Array.from({ length: 20 }, (_, i) => ({ id: `n${i}`, def: { v: `\${[${'nope,'.repeat(3000)}1]}` } }));
  t.equal(codesOf(nodes).length, 60_000);
  t.end();
});

t.test('thousands of mistakes in a node with a very long id', (t) => {
  const node = { id: 'i'.repeat(300_000), def: { v: Array.from({ length: 20_000 }, () => '${nope}') } };
  t.equal(codesOf([node]).length, 20_000);
  t.end();
});

t.test('5,000 nodes in a chain', (t) => {
  const nodes = Array.from({ length: 5000 }, (_, i) => configMap(`n${i}`, { k: i === 4999 ? 'x' : `\${n${i + 1}.data.k}` }));
  const { program } = compile({ graph: graphOf(nodes), schemas: testSnapshot() });
  t.equal(program?.nodes[0]?.id, 'n4999');
  t.equal(program?.nodes.at(-1)?.wave, 5000);
  t.end();
});

t.test('5,000 nodes in one loop', (t) => {
  const nodes = Array.from({ length: 5000 }, (_, i) => configMap(`n${i}`, { k: `\${n${(i + 1) % 5000}.data.k}` }));
  t.same(codesOf(nodes), ['dependency/cycle']);
  t.end();
});

const growing: readonly [title: string, of: (previous: string) => string][] = [
  ['a map from the value before to the same value', (previous) => `\${{${previous}: ${previous}}}`],
  ['a hundred lists around the value before', (previous) => `\${${'['.repeat(100)}${previous}${']'.repeat(100)}}`],
];

for (const [title, of] of growing) {
  t.test(`types that grow from node to node end somewhere: ${title}`, (t) => {
    const nodes = Array.from({ length: 200 }, (_, i) => ({ id: `n${i}`, def: { v: i === 0 ? '${{"a": 1}}' : of(`n${i - 1}.v`) } }));
    t.same([...new Set(codesOf(nodes))], ['expression/too-complex']);
    t.end();
  });
}

t.test('a value made of 5,000 others, each in the next, is held to a schema', (t) => {
  const nodes = Array.from({ length: 5000 }, (_, i) => ({ id: `n${i}`, def: i === 0 ? { v: 1 } : { v: `\${n${i - 1}}` } }));
  t.same(
    codesOf([...nodes, { id: 'z', template: { apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 'z' }, spec: '${n4999}' } }]),
    ['kind/not-served'],
  );
  t.end();
});

t.test('lists around the value before, as a payload writes them, are dyn in the end', (t) => {
  const nodes = Array.from({ length: 2000 }, (_, i) => ({ id: `n${i}`, def: { v: i === 0 ? 1 : [`\${n${i - 1}.v}`] } }));
  t.same(codesOf(nodes), []);
  t.end();
});

t.test('one def that reads 500 nodes', (t) => {
  const value = Array.from({ length: 500 }, (_, i) => `n${i}.v`).join(' + ');
  const nodes = [...Array.from({ length: 500 }, (_, i) => ({ id: `n${i}`, def: { v: 1 } })), { id: 'sum', def: { v: `\${${value}}` } }];
  t.same(
    codesOf(nodes).filter((code) => code !== 'expression/too-complex'),
    [],
  );
  t.end();
});

t.test('5,000 unknown names', (t) => {
  const nodes = Array.from({ length: 5000 }, (_, i) => configMap(`n${i}`, { k: `\${m${i}.data.k}` }));
  t.equal(codesOf(nodes).length, 5000);
  t.end();
});

t.test('a megabyte of literal data', (t) => {
  const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key${i}`, 'x'.repeat(40)]));
  t.same(codesOf([configMap('big', data)]), []);
  t.end();
});

t.test('a megabyte of one string', (t) => {
  t.same(codesOf([configMap('big', { k: `\${'${'x'.repeat(1_000_000)}'}` })]), ['expression/too-long']);
  t.same(codesOf([configMap('big', { k: '${'.repeat(500_000) })]), ['expression/nested']);
  t.same(codesOf([configMap('big', { k: "${'a'}".repeat(100_000) })]), []);
  t.end();
});

t.test('bounds of one expression', (t) => {
  const of = (expression: string) => codesOf([{ id: 'a', def: { v: `\${${expression}}` } }]);
  t.same(of(`'${'x'.repeat(16 * 1024 - 2)}'`), [], '16 KiB');
  t.same(of(`'${'x'.repeat(16 * 1024 - 1)}'`), ['expression/too-long'], 'one more');
  t.same(of(`${'('.repeat(5000)}1${')'.repeat(5000)}`), ['expression/too-complex']);
  t.same(of(`${'['.repeat(5000)}1${']'.repeat(5000)}`), ['expression/too-complex']);
  t.same(of(`1${' + 1'.repeat(4000)}`), ['expression/too-complex']);
  t.end();
});

t.test('values that nest deep', (t) => {
  let value: unknown = 'x';
  for (let level = 0; level < 990; level++) value = { v: value };
  t.same(codesOf([{ id: 'a', def: value }]), []);
  for (let level = 0; level < 5000; level++) value = [value];
  t.same(codesOf([{ id: 'a', def: { v: value } }]), ['payload/too-deep']);
  t.end();
});

t.test('a compilation ends when its steps are spent, and says so', (t) => {
  const nodes = Array.from({ length: 100 }, (_, i) => configMap(`n${i}`, { k: '${1 + 1}' }));
  const { program, diagnostics } = compile({ graph: graphOf(nodes), schemas: testSnapshot(), limits: { ...DEFAULT_LIMITS, steps: 200 } });
  t.equal(program, undefined);
  t.ok(diagnostics.some(({ code }) => code === 'limit/compile'));
  t.end();
});

t.test('more values than a call may have arguments, as an object of 1.5 MiB may hold them, cost no stack', (t) => {
  const text = { id: 'text', def: { t: "${''}".repeat(290_000) } };
  const list = { id: 'list', def: { l: [...Array.from({ length: 600_000 }, () => 1), '${1}'] } };
  const { program } = compile({ graph: graphOf([text, list]), schemas: testSnapshot() });
  const [first, second] = program?.nodes ?? [];
  t.equal(first?.kind === 'def' && expressionsOf(first.payload).length, 290_000);
  t.equal(second?.kind === 'def' && isLiteral(second.payload), false);
  const many = Array.from({ length: 140_000 }, (_, i) => ({ id: `n${i}`, def: { a: 1 } }));
  t.same(codesOf(many), []);
  t.end();
});

t.test('metadata that nests as deep as JSON is read costs no stack', (t) => {
  let uid: unknown = 'x';
  for (let level = 0; level < 9000; level++) uid = [uid];
  const template = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid } };
  t.same(codesOf([{ id: 'a', template }]), ['object/server-field', 'payload/too-deep']);
  t.end();
});
