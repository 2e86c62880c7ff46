import t from 'tap';
import {
  identityKey,
  isNamespaceName,
  isUrlSegment,
  parseApiVersion,
  printApiVersion,
  printIdentity,
  printResourceKind,
} from '../../src/api/object.ts';

const versions: [string, { group: string; version: string } | undefined][] = [
  ['v1', { group: '', version: 'v1' }],
  ['apps/v1', { group: 'apps', version: 'v1' }],
  ['', undefined],
  ['apps/', undefined],
  ['/v1', undefined],
  ['a/b/c', undefined],
];

t.test('an apiVersion is group/version or version', (t) => {
  for (const [text, expected] of versions) {
    t.same(parseApiVersion(text), expected, text);
    if (expected !== undefined) t.equal(printApiVersion(expected), text);
  }
  t.equal(printResourceKind({ group: 'apps', version: 'v1', kind: 'Deployment' }), 'apps/v1 Deployment');
  t.end();
});

t.test('an identity never holds the version, and no two share a key', (t) => {
  const web = { group: 'apps', kind: 'Deployment', namespace: 'a', name: 'web' };
  t.equal(identityKey(web), identityKey({ ...web }));
  for (const other of [
    { ...web, group: '' },
    { ...web, kind: 'Job' },
    { ...web, namespace: '' },
    { ...web, name: 'a' },
  ]) {
    t.not(identityKey(web), identityKey(other));
  }
  t.equal(printIdentity(web), 'Deployment a/web');
  t.equal(printIdentity({ group: 'example.com', kind: 'Widget', namespace: '', name: 'w' }), 'Widget.example.com w');
  t.end();
});

t.test('names of objects and namespaces', (t) => {
  for (const name of ['a', 'A_b', 'system:x', 'a.b', '...']) t.ok(isUrlSegment(name), name);
  for (const name of ['.', '..', 'a/b', '/', 'a%2Fb']) t.notOk(isUrlSegment(name), name);
  for (const name of ['a', '1', 'a-b', 'a'.repeat(63)]) t.ok(isNamespaceName(name), name);
  for (const name of ['', 'A', 'a.b', '-a', 'a-', 'a_b', 'a'.repeat(64), 'a\n']) t.notOk(isNamespaceName(name), name);
  t.end();
});
