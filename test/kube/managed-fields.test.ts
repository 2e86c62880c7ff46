import t from 'tap';
import type { JsonObject } from '../../src/api/object.ts';
import { type ManagedPath, ownedAlone } from '../../src/kube/managed-fields.ts';
import { besides, deployment } from './fields-of-deployment.ts';
import { printManagedPath } from './print-managed-path.ts';

t.test('leaves, printed as the API server prints them', async (t) => {
  t.same(ownedAlone(deployment, [besides]).map(printManagedPath), [
    '.metadata.labels.app.kubernetes.io/name',
    '.metadata.finalizers[="a/b"]',
    '.spec.replicas',
    '.spec.template.spec.containers[name="web"].image',
    '.spec.template.spec.containers[name="web"].ports[containerPort=80,protocol="TCP"]',
    '.spec.args[0]',
  ]);
});

const print = (paths: readonly ManagedPath[]): string[] => paths.map(printManagedPath);

const meetings: readonly [title: string, a: JsonObject, b: JsonObject, alone: string[]][] = [
  ['the same field', { 'f:a': {}, 'f:b': {} }, { 'f:b': {} }, ['.a']],
  ['an atomic field against fields below it', { 'f:a': {} }, { 'f:a': { 'f:x': {} } }, []],
  ['disjoint fields of one map', { 'f:a': { 'f:x': {} } }, { 'f:a': { 'f:y': {} } }, ['.a.x']],
  ['the same item, printed differently', { 'f:l': { 'k:{"a":1,"b":"x"}': {} } }, { 'f:l': { 'k:{"b":"x","a":1}': {} } }, []],
  ['members of a set', { 'f:l': { 'v:1': {}, 'v:2': {} } }, { 'f:l': { 'v:2': {} } }, ['.l[=1]']],
  ['nothing at all', {}, { 'f:a': {} }, []],
];
for (const [title, a, b, alone] of meetings) {
  t.test(`where managers meet: ${title}`, async (t) => t.same(print(ownedAlone(a, [b])), alone));
}

const port = (number: number, fields: JsonObject): JsonObject => ({ 'f:ports': { [`k:{"port":${number}}`]: fields } });
const whole: JsonObject = { '.': {}, 'f:port': {}, 'f:name': {} };
const givenUp: readonly [title: string, own: JsonObject, others: JsonObject[], alone: string[]][] = [
  ['an item that nobody else owns anything of goes as a whole', port(81, whole), [port(80, whole)], ['.ports[port=81]']],
  ['an item whose field another owns stays, with its key', port(81, whole), [port(81, { 'f:port': {} })], ['.ports[port=81].name']],
  ['an item that another owns as an item stays, with its key', port(81, whole), [port(81, { '.': {} })], ['.ports[port=81].name']],
  ['an item that is not ours loses only our fields', port(81, { 'f:name': {} }), [], ['.ports[port=81].name']],
  [
    'an item goes with the items in it',
    { 'f:c': { 'k:{"name":"web"}': { '.': {}, 'f:name': {}, ...port(81, whole) } } },
    [{ 'f:c': { 'k:{"name":"side"}': { '.': {}, 'f:name': {} } } }],
    ['.c[name="web"]'],
  ],
  [
    'an item in an item of others goes alone',
    { 'f:c': { 'k:{"name":"web"}': port(81, whole) } },
    [{ 'f:c': { 'k:{"name":"web"}': { '.': {}, 'f:name': {}, ...port(80, whole) } } }],
    ['.c[name="web"].ports[port=81]'],
  ],
];
for (const [title, own, others, alone] of givenUp) {
  t.test(`what goes: ${title}`, async (t) => t.same(print(ownedAlone(own, others)), alone));
}

t.test('keys that nobody knows are left out', async (t) =>
  t.same(ownedAlone({ 'x:what': {}, 'k:no json': {}, 'f:a': {} }, []).map(printManagedPath), ['.a']),
);

t.test('depth costs no stack, and a path its length once', async (t) => {
  const deep = (depth: number): JsonObject => {
    let fields: JsonObject = {};
    for (let at = 0; at < depth; at++) fields = { 'f:a': fields };
    return fields;
  };
  t.same(
    ownedAlone(deep(10_000), [deep(9999), { 'f:b': {} }]).map((path) => path.length),
    [10_000],
  );
});
