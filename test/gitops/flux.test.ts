import t from 'tap';
import type { JsonObject } from '../../src/api/object.ts';
import type { AnyObject } from '../cluster/admin.ts';
import { useCluster } from '../support/cluster.ts';
import { startController } from '../support/controller.ts';
import { startWebhook } from '../support/webhook.ts';
import { flux } from './flux.ts';
import { isSettled } from './settled.ts';

const use = await useCluster(t);
const { admin, namespace } = use;
await startWebhook(t, use, { args: ['--policy-permissions', 'off'] });
const controller = await startController(t, use);
await use.kubectl(['create', 'rolebinding', 'graphs-apply', '--clusterrole=admin', `--serviceaccount=${namespace}:default`]);

const page = (name: string, data: JsonObject): JsonObject => ({
  id: 'page',
  template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
});
const graph = (name: string, nodes: readonly JsonObject[], spec: JsonObject = {}): AnyObject => ({
  apiVersion: 'kro.run/v1alpha1',
  kind: 'Graph',
  metadata: { name, namespace },
  spec: { nodes, ...spec },
});
const wrong = [page('wrong', { a: '${settings.titel}', b: '${nobody}' }), { id: 'settings', def: { title: 'blue' } }];
const pathOf = (name: string): string => `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs/${name}`;
const subject = (name: string): string => `Graph/${namespace}/${name}`;
const apply = (object: AnyObject, rest: { readonly force?: boolean; readonly wait?: number } = {}) =>
  flux(use.kubeconfig, { objects: [object], ...rest });

t.test('Flux creates a Graph, then finds it unchanged, then configures it', { timeout: 240_000 }, async (t) => {
  const changes = (action: string) => ({ changes: [{ subject: subject('shop'), action }] });
  t.same(await apply(graph('shop', [page('shop', { color: 'blue' })]), { wait: 30 }), changes('created'));
  const first = await admin.waitFor(pathOf('shop'), isSettled);
  t.equal((await admin.get(`/api/v1/namespaces/${namespace}/configmaps/shop`))?.['data'].color, 'blue', 'after the wait it is applied');
  t.same(await apply(graph('shop', [page('shop', { color: 'blue' })]), { wait: 30 }), changes('unchanged'));
  const { resourceVersion } = (await admin.get(pathOf('shop')))?.['metadata'] ?? {};
  t.equal(resourceVersion, first?.['metadata'].resourceVersion, 'unchanged is not written');
  t.same(await apply(graph('shop', [page('shop', { color: 'red' })]), { wait: 30 }), changes('configured'));
  t.equal((await admin.get(`/api/v1/namespaces/${namespace}/configmaps/shop`))?.['data'].color, 'red');
});

t.test('a new Graph that is refused: Flux shows every mistake with its place, and nothing is stored', async (t) => {
  const { changes, error } = await apply(graph('refused', wrong));
  t.same(changes, []);
  t.match(error, new RegExp(`^${subject('refused')} dry-run failed \\(Invalid\\): `));
  t.match(error, /spec\.nodes\[0\]\.template\.data\.a: .*"titel".*"title"/);
  t.match(error, /spec\.nodes\[0\]\.template\.data\.b: unknown name "nobody"/);
  t.equal(await admin.get(pathOf('refused')), undefined);
});

for (const [title, force] of [
  ['a change', false],
  ['a change with force', true],
] as const) {
  t.test(`${title} that is refused: the live Graph and what it made stay`, async (t) => {
    const name = `live-${force}`;
    await apply(graph(name, [page(name, { color: 'blue' })]), { wait: 30 });
    const before = await admin.waitFor(pathOf(name), isSettled);
    const { changes, error } = await apply(graph(name, wrong), { force });
    t.same(changes, []);
    t.match(error, new RegExp(`^${subject(name)} dry-run failed \\(BadRequest\\): `));
    t.match(error, /spec\.nodes\[0\]\.template\.data\.b: unknown name "nobody"/);
    t.same((await admin.get(pathOf(name)))?.['metadata'], before?.['metadata']);
    t.ok(await admin.get(`/api/v1/namespaces/${namespace}/configmaps/${name}`));
  });
}

const schemaMistakes: [string, readonly JsonObject[], RegExp][] = [
  ['an id of other characters', [{ id: 'web page', def: { a: 1 } }], /spec\.nodes\[0\]\.id/],
  ['a node of no kind', [{ id: 'page' }], /spec\.nodes\[0\]: .*exactly one of/],
  ['no nodes', [], /spec: Required value|spec\.nodes in body should have at least 1 items/],
];
for (const [title, nodes, wanted] of schemaMistakes) {
  t.test(
    `a change that the CRD itself refuses (${title}): the live Graph stays, but with force it is deleted, as the page says`,
    async (t) => {
      await apply(graph('plain', [{ id: 'settings', def: { color: 'blue' } }]));
      const before = await admin.waitFor(pathOf('plain'), isSettled);
      const { error } = await apply(graph('plain', nodes));
      t.match(error, /^Graph\/\S+\/plain dry-run failed \(Invalid\): /);
      t.match(error, wanted);
      t.same((await admin.get(pathOf('plain')))?.['metadata'], before?.['metadata']);
      await apply(graph('plain', nodes), { force: true });
      await admin.waitFor(pathOf('plain'), (object) => object === undefined);
    },
  );
}

t.test('the wait ends at once, with the reason, for what only a person can fix', { timeout: 300_000 }, async (t) => {
  await use.kubectl(['create', 'configmap', 'settings', '--from-literal=count=many']);
  const settings = { id: 'settings', ref: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } } };
  const began = Date.now();
  const { error } = await apply(graph('stalled', [settings, page('stalled', { count: '${string(int(settings.data.count))}' })]), {
    wait: 200,
  });
  t.match(error, /failed early due to stalled resources/);
  t.match(error, /Graph\/\S+\/stalled status: 'Failed'/);
  t.ok(Date.now() - began < 180_000);
});

t.test('the wait goes on while something is missing, and names the Graph when its time is over', async (t) => {
  const absent = { id: 'absent', ref: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'absent' } } };
  const { error } = await apply(graph('waiting', [absent]), { wait: 3 });
  t.match(error, /timeout waiting for: \[Graph\/\S+\/waiting status: 'InProgress'/);
});

t.test('with two Graphs of which one is refused none is applied', async (t) => {
  const objects = [graph('first', [page('first', {})]), graph('second', wrong)];
  const { error } = await flux(use.kubeconfig, { objects });
  t.match(error, /second dry-run failed/);
  t.equal(await admin.get(pathOf('first')), undefined);
});

t.test('what Flux prunes is torn down by the controller', { timeout: 240_000 }, async (t) => {
  const objects = [graph('shop', [])];
  t.same(await flux(use.kubeconfig, { objects, delete: true }), { changes: [{ subject: subject('shop'), action: 'deleted' }] });
  await admin.waitFor(pathOf('shop'), (object) => object === undefined);
  t.equal(await admin.get(`/api/v1/namespaces/${namespace}/configmaps/shop`), undefined);
});

t.test('the end', { timeout: 240_000 }, async (t) => {
  await use.kubectl(['delete', 'graphs', '--all', '--timeout=180s']);
  t.equal(await controller.stop(), 0);
});
