import t from 'tap';
import type { JsonObject } from '../../src/api/object.ts';
import { connect } from '../cluster/admin.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { runKubectl } from '../cluster/kubectl.ts';
import type { ClusterUse } from '../support/cluster.ts';
import { startController } from '../support/controller.ts';
import { startWebhook } from '../support/webhook.ts';

// A cluster of its own: nobody else's API server is stopped.
const cluster = await startCluster({ controllerManager: true });
t.teardown(() => cluster.stop());
const use = await asUse(cluster, 'bad-days');
const { admin, namespace } = use;

const pathOf = (name: string): string => `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs/${name}`;
const configMap = (name: string): string => `/api/v1/namespaces/${namespace}/configmaps/${name}`;
const graph = (name: string, color = 'blue'): { readonly input: string } => ({
  input: `
apiVersion: kro.run/v1alpha1
kind: Graph
metadata: {name: ${name}}
spec:
  nodes:
    - id: settings
      def: {color: ${color}}
    - id: page
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: {color: "\${settings.color}"}}
    - id: after
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${page.metadata.name}-after"}}
`,
});
const wrong = { input: graph('wrong').input.replace('settings.color', 'settings.colour') };
const isReady = (object: JsonObject | undefined): boolean => JSON.stringify(object?.['status'] ?? '').includes('"state":"ACTIVE"');

await use.kubectl(['create', 'rolebinding', 'graphs-apply', '--clusterrole=admin', `--serviceaccount=${namespace}:default`]);

t.test('the API server restarts: webhook and controller go on, and what was stored meanwhile is done', { timeout: 600_000 }, async (t) => {
  const webhook = await startWebhook(t, use);
  const controller = await startController(t, use);
  await use.kubectl(['create', '-f', '-'], graph('before'));
  await admin.waitFor(pathOf('before'), isReady);

  await cluster.stopApiServer();
  t.equal((await fetch(`${webhook.probes}/livez`)).status, 200, 'the webhook lives');
  t.equal((await fetch(`${controller.probes}/livez`)).status, 200, 'the controller lives');
  await cluster.startApiServer();
  // Before the controller's watches are open again.
  await use.kubectl(['patch', 'configmap', 'before', '--type=merge', '-p', '{"data":{"color":"red"}}']);

  await admin.waitFor(configMap('before'), (object) => object?.['data'].color === 'blue', 180_000);
  t.match((await use.tryKubectl(['create', '-f', '-'], wrong)).stderr, /unknown|colour/, 'a wrong Graph is refused');
  await use.kubectl(['create', '-f', '-'], graph('later'));
  await admin.waitFor(pathOf('later'), isReady, 180_000);
  await use.kubectl(['delete', 'graph', 'before', 'later', '--timeout=180s']);
  t.equal(await admin.get(configMap('before')), undefined);
  await webhook.stop();
  t.equal(await controller.stop(), 0);
});

t.test(
  'uninstalled and installed again: Graphs stay, and a deletion of meanwhile is finished in order',
  { timeout: 600_000 },
  async (t) => {
    const first = await startController(t, use);
    for (const name of ['kept', 'deleted']) {
      await use.kubectl(['create', '-f', '-'], graph(name));
      await admin.waitFor(pathOf(name), isReady);
    }
    const before = await admin.get(configMap('kept'));
    await first.stop();
    await use.kubectl(['delete', 'namespace', 'kro-system', '--timeout=180s']);
    await use.kubectl(['delete', 'clusterrole,clusterrolebinding', 'kro-graph-controller', 'kro-graph-webhook']);

    await use.kubectl(['delete', 'graph', 'deleted', '--wait=false']);
    await use.kubectl(['apply', '-f', '-'], graph('kept', 'red'));
    t.ok(await admin.get(configMap('deleted-after')), 'while nobody is there nothing is deleted');
    t.equal((await admin.get(configMap('kept')))?.['data'].color, 'blue');

    const second = await startController(t, use);
    await admin.waitFor(pathOf('deleted'), (object) => object === undefined, 180_000);
    t.same(await Promise.all(['deleted', 'deleted-after'].map((name) => admin.get(configMap(name)))), [undefined, undefined]);
    const after = await admin.waitFor(configMap('kept'), (object) => object?.['data'].color === 'red', 180_000);
    t.equal(after?.['metadata'].uid, before?.['metadata'].uid, 'what stayed is the same object');
    await use.kubectl(['delete', 'graph', 'kept', '--timeout=180s']);
    t.equal(await second.stop(), 0);
  },
);

/** A cluster of one's own as tests use the shared one. */
async function asUse(own: Cluster, name: string): Promise<ClusterUse> {
  const here = (args: readonly string[]): string[] => [`--namespace=${name}`, ...args];
  await own.admin.create('/api/v1/namespaces', { metadata: { name } });
  await own.admin.waitFor(`/api/v1/namespaces/${name}/serviceaccounts/default`, (account) => account !== undefined);
  return {
    kubeconfig: own.kubeconfig,
    access: own.access,
    admin: connect(own.access),
    namespace: name,
    kubectl: (args, options) => own.kubectl(here(args), options),
    tryKubectl: (args, options) => runKubectl(here(args), { kubeconfig: own.kubeconfig, ...options }),
    kubeconfigFor: (account) => own.kubeconfigFor(account),
  };
}
