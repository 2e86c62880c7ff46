import t from 'tap';
import type { JsonObject } from '../../src/api/object.ts';
import { ownedAlone } from '../../src/kube/managed-fields.ts';
import { pointersForRemoval } from '../../src/kube/managed-places.ts';
import { besides, deployment } from './fields-of-deployment.ts';
import { printManagedPath } from './print-managed-path.ts';

const object = {
  metadata: { labels: { 'app.kubernetes.io/name': 'x' }, finalizers: ['z', 'a/b'] },
  spec: {
    replicas: 3,
    template: { spec: { containers: [{ name: 'side' }, { name: 'web', image: 'i:1', ports: [{ containerPort: 80 }] }] } },
    args: ['one'],
  },
};

t.test('where leaves are', async (t) => {
  t.same(
    ownedAlone(deployment, [besides]).map((path) => [printManagedPath(path), pointersForRemoval(object, [path])[0]]),
    [
      ['.metadata.labels.app.kubernetes.io/name', '/metadata/labels/app.kubernetes.io~1name'],
      ['.metadata.finalizers[="a/b"]', '/metadata/finalizers/1'],
      ['.spec.replicas', '/spec/replicas'],
      ['.spec.template.spec.containers[name="web"].image', '/spec/template/spec/containers/1/image'],
      ['.spec.template.spec.containers[name="web"].ports[containerPort=80,protocol="TCP"]', '/spec/template/spec/containers/1/ports/0'],
      ['.spec.args[0]', '/spec/args/0'],
    ],
  );
});

t.test('what is not there has no pointer', async (t) => {
  for (const path of ownedAlone({ 'f:spec': { 'f:none': {}, 'f:list': { 'k:{"name":"x"}': { 'f:a': {} }, 'v:1': {}, 'i:7': {} } } }, [])) {
    t.same(pointersForRemoval({ spec: { list: [] } }, [path]), [], printManagedPath(path));
  }
});

const letters = [...'abcdefghijkl'];
const removals: readonly [title: string, fields: JsonObject, object: unknown, pointers: string[]][] = [
  [
    'members of a list from its end, by number',
    { 'f:l': { 'v:"b"': {}, 'v:"c"': {}, 'v:"k"': {}, 'v:"l"': {} } },
    { l: letters },
    ['/l/11', '/l/10', '/l/2', '/l/1'],
  ],
  [
    'within each of several lists',
    { 'f:a': { 'v:"b"': {}, 'v:"l"': {} }, 'f:l': { 'k:{"n":"x"}': { 'f:s': { 'v:"c"': {}, 'v:"k"': {} } } } },
    { a: letters, l: [{ n: 'w' }, { n: 'x', s: letters }] },
    ['/l/1/s/10', '/l/1/s/2', '/a/11', '/a/1'],
  ],
  ['a field that looks like a number is none', { 'f:d': { 'f:10': {}, 'f:9': {} } }, { d: { 9: 'x', 10: 'y' } }, ['/d/9', '/d/10']],
  ['what is not there is left out', { 'f:d': { 'f:a': {}, 'f:b': {} } }, { d: { b: 'x' } }, ['/d/b']],
];
for (const [title, fields, live, pointers] of removals) {
  t.test(`pointers for removal: ${title}`, async (t) => t.same(pointersForRemoval(live, ownedAlone(fields, [])), pointers));
}
