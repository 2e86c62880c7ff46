import { join } from 'node:path';
import t from 'tap';
import type { AnyObject } from './admin.ts';
import { startCluster } from './cluster.ts';

const file = join(import.meta.dirname, '../../charts/kro-graph/files/crds/graphs.yaml');
const graphs = '/apis/kro.run/v1alpha1/namespaces/default/graphs';
const def = { a: 'b' };
const oneOf = 'a node must have exactly one of the fields template, ref, def, patch, graph';

const accepted: [string, AnyObject][] = [
  ['every kind of payload', { nodes: everyKind() }],
  ['a selector that is an object', { nodes: [ref({ selector: { matchLabels: { app: '${a.b}' } } })] }],
  ['a selector that is one expression', { nodes: [ref({ selector: '${a.selector}' })] }],
  ['an empty selector', { nodes: [ref({ selector: {} })] }],
  [
    'every modifier',
    { nodes: [{ id: 'a', def, includeWhen: ['${x}'], readyWhen: ['${y}'], forEach: [{ z: '${list}' }, { w: '${list}' }] }] },
  ],
  ['ids that differ by case alone', { nodes: ['db', 'DB'].map((id) => ({ id, def })) }],
  ['an empty serviceAccountName', { serviceAccountName: '', nodes: [{ id: 'a', def }] }],
  ['a DNS subdomain as serviceAccountName', { serviceAccountName: 'team-a.applier', nodes: [{ id: 'a', def }] }],
  ['5,000 nodes', { nodes: Array.from({ length: 5000 }, (_, index) => ({ id: `n${index}`, def: { a: 'x'.repeat(100) } })) }],
  ['1 MiB in one node', { nodes: [{ id: 'a', def: { a: 'x'.repeat(2 ** 20) } }] }],
];

const refused: [string, AnyObject, [field: string, message: RegExp | string]][] = [
  ['no nodes field', {}, ['spec.nodes', 'Required value']],
  ['an empty list of nodes', { nodes: [] }, ['spec.nodes', /should have at least 1 items/]],
  ['a node without id', { nodes: [{ def }] }, ['spec.nodes[0].id', 'Required value']],
  ['an id with a hyphen', { nodes: [{ id: 'web-app', def }] }, ['spec.nodes[0].id', /"web-app".*should match/]],
  ['an id that starts with a digit', { nodes: [{ id: '1a', def }] }, ['spec.nodes[0].id', /"1a".*should match/]],
  [
    'the same id twice',
    {
      nodes: [
        { id: 'a', def },
        { id: 'a', def },
      ],
    },
    ['spec.nodes[1]', /Duplicate value/],
  ],
  ['a node without payload', { nodes: [{ id: 'a' }] }, ['spec.nodes[0]', new RegExp(oneOf)]],
  ['a node with two payloads', { nodes: [{ id: 'a', def, template: {} }] }, ['spec.nodes[0]', new RegExp(oneOf)]],
  ['a def that is a list', { nodes: [{ id: 'a', def: ['b'] }] }, ['spec.nodes[0].def', /must be of type object/]],
  ['a ref without kind', { nodes: [{ id: 'a', ref: { apiVersion: 'v1', metadata: {} } }] }, ['spec.nodes[0].ref.kind', 'Required value']],
  [
    'a condition that is no string',
    { nodes: [{ id: 'a', def, includeWhen: [true] }] },
    ['spec.nodes[0].includeWhen[0]', /must be of type string/],
  ],
  ['two iterators in one entry', { nodes: [{ id: 'a', def, forEach: [{ x: '1', y: '2' }] }] }, ['spec.nodes[0].forEach[0]', /at most 1/]],
  ['eleven dimensions', { nodes: [{ id: 'a', def, forEach: Array(11).fill({ x: '1' }) }] }, ['spec.nodes[0].forEach', /at most 10/]],
  [
    'a bad serviceAccountName',
    { serviceAccountName: 'Page_Applier', nodes: [{ id: 'a', def }] },
    ['spec.serviceAccountName', /should match/],
  ],
];

t.test('the CRD of Graph', async (t) => {
  const cluster = await startCluster();
  t.teardown(cluster.stop);
  await cluster.kubectl(['apply', '--server-side', '--filename', file]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd/graphs.kro.run']);

  const attempt = (spec: AnyObject) =>
    cluster.admin.request({
      method: 'POST',
      path: `${graphs}?dryRun=All&fieldValidation=Strict`,
      body: { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name: 'row' }, spec },
    });

  for (const [title, spec] of accepted) {
    await t.test(`accepts ${title}`, async (t) => {
      const { status, body } = await attempt(spec);
      t.equal(status, 201, JSON.stringify(body['message']));
    });
  }

  for (const [title, spec, [field, message]] of refused) {
    await t.test(`refuses ${title}`, async (t) => {
      const { status, body } = await attempt(spec);
      t.equal(status, 422);
      t.match(body['details'].causes, [{ field, message }]);
    });
  }

  await t.test('a new Graph counts as not yet observed', async (t) => {
    t.strictSame((await attempt({ nodes: [{ id: 'a', def }] })).body['status'], { observedGeneration: -1 });
  });

  await t.test('columns, short name and category', async (t) => {
    await cluster.admin.create(graphs, {
      apiVersion: 'kro.run/v1alpha1',
      kind: 'Graph',
      metadata: { name: 'shown' },
      spec: { nodes: everyKind() },
    });
    await cluster.admin.request({
      method: 'PATCH',
      path: `${graphs}/shown/status`,
      body: { status },
      contentType: 'application/merge-patch+json',
    });
    const columns = (table: string) =>
      table
        .trim()
        .split('\n')
        .map((line) =>
          line
            .trim()
            .split(/ {2,}/)
            .filter((cell) => !/^\d+s$/.test(cell)),
        );
    t.strictSame(columns(await cluster.kubectl(['get', 'gr', '-o', 'wide'])), [
      ['NAME', 'READY', 'STATUS', 'RESOURCES', 'AGE', 'MESSAGE'],
      ['shown', 'False', 'DataPending', '1', 'waits'],
    ]);
    t.match(await cluster.kubectl(['get', 'kro', '-o', 'name']), 'graph.kro.run/shown');
  });

  await t.test('kubectl explain reads well', async (t) => {
    const nodes = await cluster.kubectl(['explain', 'graph.spec.nodes']);
    for (const field of ['def', 'forEach', 'graph', 'id', 'includeWhen', 'patch', 'readyWhen', 'ref', 'template']) {
      t.match(nodes, new RegExp(`^  ${field}\t<.*>.*\n    [A-Z]`, 'm'), `${field} has a description`);
    }
    const all = await cluster.kubectl(['explain', 'graph', '--recursive']);
    t.match(all, /wave\t<integer>/);
  });
});

const status = {
  observedGeneration: 1,
  state: 'IN_PROGRESS',
  managedResourceCount: 1,
  appliedServiceAccount: 'system:serviceaccount:default:default',
  conditions: [
    {
      type: 'Ready',
      status: 'False',
      reason: 'DataPending',
      message: 'waits',
      observedGeneration: 1,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ],
  managedResources: [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a', uid: 'u', nodeID: 'backend/a', wave: 1 }],
  contributions: [
    { apiVersion: 'v1', kind: 'Namespace', name: 'default', fieldManager: 'kro-graphengine.patch.x.y', subresource: 'status' },
  ],
};

function everyKind(): AnyObject[] {
  return [
    { id: 'a', template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: def } },
    { ...ref({ name: 'b', namespace: 'c' }), id: 'b' },
    { id: 'c', def },
    { id: 'd', patch: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'd' }, data: def } },
    { id: 'e', graph: { nodes: [{ id: 'a', def }] } },
  ];
}

function ref(metadata: AnyObject): AnyObject {
  return { id: 'r', ref: { apiVersion: 'v1', kind: 'ConfigMap', metadata } };
}
