import t from 'tap';
import { type ClusterUse, useCluster } from '../support/cluster.ts';
import { startController } from '../support/controller.ts';

const GRAPHS = '/apis/kro.run/v1alpha1/namespaces';

interface Made {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly nodes?: readonly object[];
}

function note(name: string): object {
  return { id: 'note', template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `note-${name}` }, data: { k: name } } };
}

async function make({ admin }: ClusterUse, namespace: string, { name, labels = {}, nodes = [note(name)] }: Made): Promise<void> {
  const metadata = { name, namespace, labels };
  await admin.create(`${GRAPHS}/${namespace}/graphs`, { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata, spec: { nodes } });
}

function isReady(graph: unknown): boolean {
  const { status } = (graph ?? {}) as { readonly status?: { readonly conditions?: readonly { type: string; status: string }[] } };
  return status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}

t.test('Graphs are shared among controllers by namespace and by label', { timeout: 180_000 }, async (t) => {
  const here = await useCluster(t);
  const { admin, namespace } = here;
  const { namespace: elsewhere } = await useCluster(t);
  await admin.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [namespace, elsewhere].map((place) => ({ kind: 'ServiceAccount', name: 'default', namespace: place })),
  });
  t.teardown(() => admin.remove(`/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${namespace}`));
  const path = (name: string, place = namespace): string => `${GRAPHS}/${place}/graphs/${name}`;

  const first = await startController(t, here, { args: ['--shard-selector', 'shard in (a, b)'] });

  const child = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name: 'child' }, spec: { nodes: [note('child')] } };
  await make(here, namespace, { name: 'mine', labels: { shard: 'a', team: 'x' }, nodes: [{ id: 'child', template: child }] });
  await make(here, namespace, { name: 'other' });
  await make(here, elsewhere, { name: 'away', labels: { shard: 'a' } });

  await t.test('a Graph that a Graph makes is in the shard of its parent', async (t) => {
    await admin.waitFor(path('mine'), isReady);
    const made = await admin.waitFor(path('child'), isReady);
    t.equal(made?.metadata.labels?.['shard'], 'a');
    t.notOk(made?.metadata.labels?.['team'], 'no other label is handed on');
  });

  await t.test('what is of another shard or namespace is not touched', async (t) => {
    for (const at of [path('other'), path('away', elsewhere)]) {
      const graph = await admin.get(at);
      t.equal(graph?.metadata.finalizers, undefined, at);
      t.same(graph?.['status'], { observedGeneration: -1 }, at);
    }
  });

  const second = await startController(t, here, { args: ['--shard-selector', '!shard'] });

  await t.test('the controller of the others takes them, and a Graph that moves', async (t) => {
    await admin.waitFor(path('other'), isReady);
    await make(here, namespace, { name: 'mover', labels: { shard: 'b' } });
    await admin.waitFor(path('mover'), isReady);
    await here.kubectl(['label', 'graph', 'mover', 'shard-', 'moved=yes']);
    t.equal(await first.stop(), 0);
    const nodes = JSON.stringify([{ op: 'replace', path: '/spec/nodes', value: [note('moved')] }]);
    await here.kubectl(['patch', 'graph', 'mover', '--type=json', '--patch', nodes]);
    await admin.waitFor(`/api/v1/namespaces/${namespace}/configmaps/note-moved`, (found) => found !== undefined);
    await admin.waitFor(`/api/v1/namespaces/${namespace}/configmaps/note-mover`, (found) => found === undefined);
  });

  await t.test('a controller deletes what is its own', async (t) => {
    for (const name of ['other', 'mover']) {
      await admin.remove(path(name));
      await admin.waitFor(path(name), (graph) => graph === undefined);
    }
    t.equal((await admin.get(path('mine')))?.metadata.deletionTimestamp, undefined);
    t.equal(await second.stop(), 0);
  });

  for (const name of ['mine', 'child'])
    await here.kubectl(['patch', 'graph', name, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
});
