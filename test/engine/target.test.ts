import t from 'tap';
import type { NodeKindName } from '../../src/api/graph.ts';
import type { JsonObject } from '../../src/api/object.ts';
import { aim, inNamespace } from '../../src/engine/target.ts';
import type { ResourceSchema } from '../../src/schema/snapshot.ts';

const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
const deployments: ResourceSchema = {
  kind,
  plural: 'deployments',
  namespaced: true,
  verbs: new Set(['get', 'patch']),
  hasStatus: true,
  schema: undefined,
  hash: '',
};
const clusterWide: ResourceSchema = { ...deployments, namespaced: false };
const readOnly: ResourceSchema = { ...deployments, verbs: new Set(['get']) };
/** Of a CustomResourceDefinition that is being deleted. */
const going: ResourceSchema = { ...deployments, verbs: new Set(['delete', 'deletecollection', 'get', 'list', 'watch']) };

function manifest(metadata: JsonObject, rest: JsonObject = { spec: {} }): JsonObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, ...rest };
}

const NO_SEGMENT = 'failed: metadata.name must not be "." or "..", nor contain "/" or "%"';
const NO_LABEL =
  'failed: metadata.namespace must be a DNS label: at most 63 lower-case letters, digits and "-", with a letter or digit at both ends';

const ROWS: readonly [
  title: string,
  manifest: JsonObject,
  nodeKind: NodeKindName,
  resource: ResourceSchema | undefined,
  expected: string,
][] = [
  ["a namespaced object without a namespace is in the Graph's", manifest({ name: 'x' }), 'template', deployments, 'home/x'],
  ['an empty namespace is none', manifest({ name: 'x', namespace: '' }), 'template', deployments, 'home/x'],
  ['its own namespace counts', manifest({ name: 'x', namespace: 'away' }), 'template', deployments, 'away/x'],
  ['a cluster-scoped object has none', manifest({ name: 'x' }), 'template', clusterWide, '/x'],
  [
    '… and must not be given one',
    manifest({ name: 'x', namespace: 'away' }),
    'template',
    clusterWide,
    'failed: metadata.namespace must not be set: apps/v1 Deployment is cluster-scoped',
  ],
  [
    'a kind that is not served is waited for',
    manifest({ name: 'x' }),
    'template',
    undefined,
    'waiting: the cluster does not serve apps/v1 Deployment (yet)',
  ],
  ['no name', manifest({}), 'template', deployments, 'failed: metadata.name must be a string that is not empty'],
  ['a name that is no string', manifest({ name: 3 }), 'template', deployments, 'failed: metadata.name must be a string that is not empty'],
  ['a name with a slash', manifest({ name: 'a/b' }), 'template', deployments, NO_SEGMENT],
  ['a name that is a step up', manifest({ name: '..' }), 'ref', deployments, NO_SEGMENT],
  ['a name with a colon, as RBAC has them', manifest({ name: 'system:x' }), 'template', deployments, 'home/system:x'],
  [
    'a name that is too long',
    manifest({ name: 'x'.repeat(254) }),
    'template',
    deployments,
    'failed: metadata.name must not be longer than 253 characters, found 254',
  ],
  ['a namespace that can never be', manifest({ name: 'x', namespace: 'No Such' }), 'template', deployments, NO_LABEL],
  ['a namespace that is too long', manifest({ name: 'x', namespace: 'x'.repeat(64) }), 'template', deployments, NO_LABEL],
  [
    'an apiVersion that is none',
    { ...manifest({ name: 'x' }), apiVersion: 'a/b/c' },
    'template',
    deployments,
    'failed: apiVersion "a/b/c" is not group/version',
  ],
  [
    'what only the server sets',
    manifest({ name: 'x', uid: 'u' }),
    'template',
    deployments,
    'failed: metadata.uid is set by the server alone',
  ],
  ['… null is no value', manifest({ name: 'x', creationTimestamp: null, managedFields: null }), 'template', deployments, 'home/x'],
  ['a kind that cannot be patched', manifest({ name: 'x' }), 'template', readOnly, 'failed: apps/v1 Deployment does not support patch'],
  ['… can be read', manifest({ name: 'x' }), 'ref', readOnly, 'home/x'],
  [
    'a kind that is going is waited for',
    manifest({ name: 'x' }),
    'template',
    going,
    'waiting: apps/v1 Deployment is going: its CustomResourceDefinition is being deleted',
  ],
  ['… and can still be read', manifest({ name: 'x' }), 'ref', going, 'home/x'],
  [
    'a patch contributes something',
    manifest({ name: 'x' }, {}),
    'patch',
    deployments,
    'failed: a patch must contribute at least one field',
  ],
  ['labels are something', manifest({ name: 'x', labels: { a: 'b' } }, {}), 'patch', deployments, 'home/x'],
  [
    'a patch does not mix',
    manifest({ name: 'x' }, { spec: {}, status: {} }),
    'patch',
    deployments,
    'failed: a patch may not mix status with other fields',
  ],
  [
    'a patch leaves owners alone',
    manifest({ name: 'x', ownerReferences: [] }),
    'patch',
    deployments,
    'failed: a patch may not touch metadata.ownerReferences',
  ],
  ['… null is no owner', manifest({ name: 'x', ownerReferences: null }), 'patch', deployments, 'home/x'],
  [
    'a patch of status may hold nulls beside it',
    manifest({ name: 'x', creationTimestamp: null }, { spec: null, status: {} }),
    'patch',
    deployments,
    'home/x',
  ],
];

for (const [title, rendered, nodeKind, resource, expected] of ROWS) {
  t.test(title, (t) => {
    const aimed = aim({ manifest: rendered, nodeKind, resource, graphNamespace: 'home' });
    const found =
      aimed.word === 'target'
        ? `${aimed.target.identity.namespace}/${aimed.target.identity.name}`
        : `${aimed.word}: ${aimed.trouble.message}`;
    t.equal(found, expected);
    t.end();
  });
}

t.test('what is sent holds no null where others set the value', (t) => {
  const rendered = manifest({ name: 'x', creationTimestamp: null, ownerReferences: null, labels: null });
  const aimed = aim({ manifest: rendered, nodeKind: 'template', resource: deployments, graphNamespace: 'home' });
  if (aimed.word !== 'target') throw new Error(aimed.trouble.message);
  t.same(inNamespace(rendered, aimed.target)['metadata'], { name: 'x', labels: null, namespace: 'home' });
  t.end();
});

t.test('what is sent bears the namespace of its target, and none if it has none', (t) => {
  for (const [resource, expected] of [
    [deployments, { name: 'x', namespace: 'home' }],
    [clusterWide, { name: 'x' }],
  ] as const) {
    const rendered = manifest({ name: 'x', namespace: '' });
    const aimed = aim({ manifest: rendered, nodeKind: 'template', resource, graphNamespace: 'home' });
    if (aimed.word !== 'target') throw new Error(aimed.trouble.message);
    t.same(inNamespace(rendered, aimed.target)['metadata'], expected);
  }
  t.end();
});
