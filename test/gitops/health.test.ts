import t from 'tap';
import type { JsonObject } from '../../src/api/object.ts';
import type { AnyObject } from '../cluster/admin.ts';
import { useCluster } from '../support/cluster.ts';
import { startController } from '../support/controller.ts';
import { installGraphs } from '../support/webhook.ts';
import { argoBuiltIn, argoScript, kstatus } from './judges.ts';

const use = await useCluster(t);
const { admin, namespace } = use;
const pathOf = (name: string): string => `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs/${name}`;
const configMapPath = (name: string): string => `/api/v1/namespaces/${namespace}/configmaps/${name}`;

const configMap = (name: string, data: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
const page = (name: string): JsonObject => ({ id: 'page', template: configMap(name) });
const settings: JsonObject = { id: 'settings', ref: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } } };

async function create(name: string, nodes: readonly JsonObject[], annotations: JsonObject = {}, spec: JsonObject = {}): Promise<void> {
  await use.kubectl(['apply', '-f', '-'], {
    input: JSON.stringify({ apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name, annotations }, spec: { nodes, ...spec } }),
  });
}

const readOf = (graph: AnyObject | undefined): AnyObject =>
  graph?.['status']?.conditions?.find(({ type }: JsonObject) => type === 'Ready') ?? {};

/** The Graph once its current generation is observed and Ready says this. */
async function settled(name: string, reason: string): Promise<AnyObject> {
  const found = await admin.waitFor(pathOf(name), (graph) => {
    const ready = readOf(graph);
    return ready['reason'] === reason && ready['observedGeneration'] === graph?.['metadata'].generation;
  });
  return found ?? {};
}

await installGraphs(use);
await use.kubectl(['create', 'rolebinding', 'graphs-apply', '--clusterrole=admin', `--serviceaccount=${namespace}:default`]);
await use.kubectl(['create', 'configmap', 'settings', '--from-literal=count=many']);

const graphs = new Map<string, AnyObject>();
await create('unseen', [page('unseen')]);
graphs.set('is unseen', (await admin.get(pathOf('unseen'))) ?? {});

// Everything that is stored of a Graph while it converges.
const history: AnyObject[] = [];
const isReady = (graph: AnyObject | undefined): boolean => readOf(graph)['status'] === 'True';
const watched = admin.waitFor(pathOf('unseen'), (graph) => {
  if (graph !== undefined) history.push(graph);
  return isReady(graph);
});

const controller = await startController(t, use);
await watched;
graphs.set('is ready', await settled('unseen', 'Applied'));

await create('waits-for-data', [settings, { id: 'absent', ref: configMapRef('absent') }, page('waits-for-data')]);
graphs.set('waits for data', await settled('waits-for-data', 'DataPending'));

await create('not-ready', [{ ...page('not-ready'), readyWhen: ['${page.data.?ready == optional.of("yes")}'] }]);
graphs.set('waits for readiness', await settled('not-ready', 'WaitingForReadiness'));

await create('invalid', [{ id: 'page', template: configMap('invalid', { text: '${nobody.knows}' }) }]);
graphs.set('is invalid', await settled('invalid', 'InvalidGraph'));

await create('stalled', [settings, { id: 'page', template: configMap('stalled', { count: '${string(int(settings.data.count))}' }) }]);
graphs.set('is stalled', await settled('stalled', 'ApplyFailed'));
await use.kubectl(['delete', 'graph', 'stalled', '--timeout=180s']);

const gizmo: JsonObject = { id: 'gizmo', template: { apiVersion: 'example.dev/v1', kind: 'Gizmo', metadata: { name: 'gizmo' } } };
await create('not-served', [gizmo]);
graphs.set('uses a kind that is not served', await settled('not-served', 'DataPending'));

await use.kubectl(['create', 'serviceaccount', 'powerless']);
await create('forbidden', [page('forbidden')], {}, { serviceAccountName: 'powerless' });
graphs.set('has lacked a permission for a moment', await settled('forbidden', 'ApplyFailed'));
await use.kubectl(['delete', 'graph', 'forbidden', '--timeout=180s']);

await create('held', [page('held'), { ...page('held-too'), id: 'too' }, { ...page('held-also'), id: 'also' }], {
  'kro.run/max-prune': '1',
});
await settled('held', 'Applied');
await create('held', [page('held')], { 'kro.run/max-prune': '1' });
graphs.set('holds a prune until somebody confirms it', await settled('held', 'PruneHeld'));

await create('suspended', [page('suspended')], { 'kro.run/reconcile': 'disabled' });
graphs.set('is suspended', await settled('suspended', 'Suspended'));

await create('deleted', [{ id: 'page', template: configMap('deleted', {}, { finalizers: ['example.com/hold'] }) }]);
await settled('deleted', 'Applied');
await use.kubectl(['delete', 'graph', 'deleted', '--wait=false']);
const isTearingDown = (graph: AnyObject | undefined): boolean => graph?.['status']?.state === 'DELETING';
graphs.set('is being deleted', (await admin.waitFor(pathOf('deleted'), isTearingDown)) ?? {});

await create('spoilt', [page('spoilt')]);
await settled('spoilt', 'Applied');
await create('spoilt', [{ id: 'page', template: configMap('spoilt', { text: '${nobody.knows}' }) }]);
graphs.set('was ready and is invalid now', await settled('spoilt', 'InvalidGraph'));

await create('mended', [{ id: 'page', template: configMap('mended', { text: '${nobody.knows}' }) }]);
await settled('mended', 'InvalidGraph');
await create('changed', [page('changed')]);
await settled('changed', 'Applied');
await controller.stop();
await create('changed', [page('changed-name')]);
graphs.set('is ready, then changed', (await admin.get(pathOf('changed'))) ?? {});
await create('mended', [page('mended')]);
graphs.set('is invalid, then changed', (await admin.get(pathOf('mended'))) ?? {});

const rows: [string, { readonly kstatus: string; readonly script: string; readonly builtIn: string }][] = [
  ['is unseen', { kstatus: 'InProgress', script: 'Progressing', builtIn: 'Progressing' }],
  ['is ready', { kstatus: 'Current', script: 'Healthy', builtIn: 'Healthy' }],
  ['waits for data', { kstatus: 'InProgress', script: 'Progressing', builtIn: 'Progressing' }],
  ['waits for readiness', { kstatus: 'InProgress', script: 'Progressing', builtIn: 'Progressing' }],
  ['is invalid', { kstatus: 'Failed', script: 'Degraded', builtIn: 'Degraded' }],
  ['is stalled', { kstatus: 'Failed', script: 'Degraded', builtIn: 'Degraded' }],
  ['was ready and is invalid now', { kstatus: 'Failed', script: 'Degraded', builtIn: 'Degraded' }],
  ['uses a kind that is not served', { kstatus: 'InProgress', script: 'Progressing', builtIn: 'Progressing' }],
  ['has lacked a permission for a moment', { kstatus: 'InProgress', script: 'Progressing', builtIn: 'Progressing' }],
  ['holds a prune until somebody confirms it', { kstatus: 'Failed', script: 'Degraded', builtIn: 'Degraded' }],
  // kstatus and the built-in check have no word for it.
  ['is suspended', { kstatus: 'InProgress', script: 'Suspended', builtIn: 'Progressing' }],
  ['is being deleted', { kstatus: 'Terminating', script: 'Progressing', builtIn: 'Progressing' }],
  ['is ready, then changed', { kstatus: 'InProgress', script: 'Progressing', builtIn: 'Progressing' }],
  ['is invalid, then changed', { kstatus: 'InProgress', script: 'Progressing', builtIn: 'Progressing' }],
];
const objects = rows.map(([name]) => graphs.get(name) ?? {});
const [byKstatus, byScript, byBuiltIn] = await Promise.all([kstatus(objects), argoScript(objects), argoBuiltIn(objects)]);

for (const [index, [name, wanted]] of rows.entries()) {
  t.test(`a Graph that ${name}: kstatus says ${wanted.kstatus}, Argo CD ${wanted.script}`, async (t) => {
    const found = { kstatus: byKstatus[index]?.status, script: byScript[index]?.status, builtIn: byBuiltIn[index]?.status };
    t.same(found, wanted, JSON.stringify(graphs.get(name)?.['status']?.conditions));
  });
}

t.test('while it converges a Graph is never called ready too early', async (t) => {
  t.ok(history.length >= 3, `${history.length} versions were stored`);
  const early = history.filter((graph) => !isReady(graph));
  t.same(new Set((await kstatus(early)).map(({ status }) => status)), new Set(['InProgress']));
  t.same(new Set((await argoScript(early)).map(({ status }) => status)), new Set(['Progressing']));
  t.same(new Set((await argoBuiltIn(early)).map(({ status }) => status)), new Set(['Progressing']));
});

const messages: [string, RegExp][] = [
  ['is invalid', /spec\.nodes\[0\]\.template\.data\.text: unknown name "nobody"/],
  ['is stalled', /^page: .*int/],
  ['holds a prune until somebody confirms it', /kro\.run\/confirm-prune/],
];
for (const [name, wanted] of messages) {
  t.test(`of a Graph that ${name} each tool tells why`, async (t) => {
    const index = rows.findIndex(([title]) => title === name);
    for (const judged of [byKstatus, byScript, byBuiltIn]) t.match(judged[index]?.message, wanted);
  });
}

t.test('Argo CD tells which node a Graph waits for, and what a deletion waits for', async (t) => {
  const messageOf = (name: string): string | undefined => byScript[rows.findIndex(([title]) => title === name)]?.message;
  t.match(messageOf('waits for data'), /absent/);
  t.match(messageOf('waits for readiness'), /page/);
  t.match(messageOf('is being deleted'), /^page: .*waits for its finalizers/);
});

t.test('the end', async (t) => {
  await use.kubectl(['patch', 'configmap', 'deleted', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
  await startController(t, use);
  await use.kubectl(['delete', 'graphs', '--all', '--timeout=180s']);
  t.equal(await admin.get(configMapPath('changed')), undefined);
});

function configMapRef(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
}
