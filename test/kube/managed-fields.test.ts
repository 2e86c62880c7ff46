import t from 'tap';
import type { JsonObject, ManagedFieldsEntry } from '../../src/api/object.ts';
import {
  findEntries,
  intersect,
  leafPaths,
  ownedAlone,
  ownersOf,
  ownsWithin,
  pointerTo,
  printManagedPath,
  valueAt,
} from '../../src/kube/managed-fields.ts';

const deployment: JsonObject = {
  'f:metadata': { 'f:labels': { '.': {}, 'f:app.kubernetes.io/name': {} }, 'f:finalizers': { '.': {}, 'v:"a/b"': {} } },
  'f:spec': {
    'f:replicas': {},
    'f:template': {
      'f:spec': {
        'f:containers': {
          'k:{"name":"web"}': {
            '.': {},
            'f:name': {},
            'f:image': {},
            'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {} } },
          },
        },
      },
    },
    'f:args': { 'i:0': {} },
  },
};
const object = {
  metadata: { labels: { 'app.kubernetes.io/name': 'x' }, finalizers: ['z', 'a/b'] },
  spec: {
    replicas: 3,
    template: { spec: { containers: [{ name: 'side' }, { name: 'web', image: 'i:1', ports: [{ containerPort: 80 }] }] } },
    args: ['one'],
  },
};

t.test('leaves, printed as the API server prints them, with value and pointer', async (t) => {
  t.same(
    leafPaths(deployment).map((path) => [printManagedPath(path), valueAt(object, path), pointerTo(object, path)]),
    [
      ['.metadata.labels.app.kubernetes.io/name', 'x', '/metadata/labels/app.kubernetes.io~1name'],
      ['.metadata.finalizers[="a/b"]', 'a/b', '/metadata/finalizers/1'],
      ['.spec.replicas', 3, '/spec/replicas'],
      ['.spec.template.spec.containers[name="web"].name', 'web', '/spec/template/spec/containers/1/name'],
      ['.spec.template.spec.containers[name="web"].image', 'i:1', '/spec/template/spec/containers/1/image'],
      [
        '.spec.template.spec.containers[name="web"].ports[containerPort=80,protocol="TCP"]',
        { containerPort: 80 },
        '/spec/template/spec/containers/1/ports/0',
      ],
      ['.spec.args[0]', 'one', '/spec/args/0'],
    ],
  );
});

t.test('what is not there has neither value nor pointer', async (t) => {
  for (const path of leafPaths({ 'f:spec': { 'f:none': {}, 'f:list': { 'k:{"name":"x"}': { 'f:a': {} }, 'v:1': {}, 'i:7': {} } } })) {
    t.same(
      [valueAt({ spec: { list: [] } }, path), pointerTo({ spec: { list: [] } }, path)],
      [undefined, undefined],
      printManagedPath(path),
    );
  }
});

const print = (paths: readonly (readonly never[] | ReturnType<typeof leafPaths>[number])[]): string[] =>
  paths.map((path) => printManagedPath(path));

const meetings: readonly [title: string, a: JsonObject, b: JsonObject, both: string[], alone: string[]][] = [
  ['the same field', { 'f:a': {}, 'f:b': {} }, { 'f:b': {} }, ['.b'], ['.a']],
  ['an atomic field against fields below it', { 'f:a': {} }, { 'f:a': { 'f:x': {} } }, ['.a'], []],
  ['disjoint fields of one map', { 'f:a': { 'f:x': {} } }, { 'f:a': { 'f:y': {} } }, [], ['.a.x']],
  [
    'the same item, printed differently',
    { 'f:l': { 'k:{"a":1,"b":"x"}': {} } },
    { 'f:l': { 'k:{"b":"x","a":1}': {} } },
    ['.l[a=1,b="x"]'],
    [],
  ],
  ['members of a set', { 'f:l': { 'v:1': {}, 'v:2': {} } }, { 'f:l': { 'v:2': {} } }, ['.l[=2]'], ['.l[=1]']],
  ['nothing at all', {}, { 'f:a': {} }, [], []],
];
for (const [title, a, b, both, alone] of meetings) {
  t.test(`where managers meet: ${title}`, async (t) => {
    t.same(print(intersect(a, b)), both);
    t.same(print(ownedAlone(a, [b])), alone);
  });
}

const entry = (manager: string, fieldsV1: JsonObject, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager,
  operation: 'Apply',
  apiVersion: 'v1',
  fieldsV1,
  ...more,
});
const entries = [
  entry('kro-graphengine.tmpl.a', { 'f:spec': { 'f:replicas': {} } }),
  entry('kubectl', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }, { operation: 'Update' }),
  entry('kubectl', { 'f:status': { 'f:ready': {} } }, { operation: 'Update', subresource: 'status' }),
];

t.test('entries by manager, prefix, operation and subresource', async (t) => {
  const found = (filter: Parameters<typeof findEntries>[1]): number[] => findEntries(entries, filter).map((one) => entries.indexOf(one));
  t.same(found({}), [0, 1, 2]);
  t.same(found({ manager: 'kubectl' }), [1, 2]);
  t.same(found({ manager: 'kubectl', subresource: '' }), [1]);
  t.same(found({ subresource: 'status' }), [2]);
  t.same(found({ managerPrefix: 'kro-graphengine.' }), [0]);
  t.same(found({ operation: 'Apply' }), [0]);
  t.same(findEntries(undefined, {}), []);
});

t.test('owners of a field', async (t) => {
  const [replicas = []] = leafPaths({ 'f:spec': { 'f:replicas': {} } });
  const [spec = []] = leafPaths({ 'f:spec': {} });
  t.same(ownersOf(entries, replicas), ['kro-graphengine.tmpl.a', 'kubectl']);
  t.same(ownersOf(entries, spec), ['kro-graphengine.tmpl.a', 'kubectl']);
  t.equal(ownsWithin(entries[2]?.fieldsV1, spec), false);
});

t.test('keys that nobody knows are left out', async (t) =>
  t.same(leafPaths({ 'x:what': {}, 'k:no json': {}, 'f:a': {} }).map(printManagedPath), ['.a']),
);
