import t from 'tap';
import { useCluster } from '../support/cluster.ts';
import { startController } from '../support/controller.ts';

const WAVES = ['first', 'second'];
/** Well below the 70 s that an object whose write is uncertain is looked for. */
const SOON = 40;

t.test('objects whose UIDs were never stored are proved, deleted, and not looked for afterwards', { timeout: 150_000 }, async (t) => {
  const here = await useCluster(t);
  const { admin, namespace } = here;
  await here.kubectl(['create', 'rolebinding', 'all', '--clusterrole=cluster-admin', `--serviceaccount=${namespace}:default`]);
  const nodes = WAVES.map((name, at) => {
    const data = at === 0 ? {} : { after: `\${${WAVES[at - 1]}.metadata.name}` };
    return { id: name, template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data } };
  });
  const path = `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs`;
  await admin.create(path, { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name: 'cut' }, spec: { nodes } });
  const controller = await startController(t, here);
  await here.kubectl(['wait', '--for=condition=Ready', 'graph/cut', '--timeout=30s']);
  await controller.stop();

  // As a status stands whose last write was lost: the intents, and nothing of what came of them.
  const removals = WAVES.map((_, at) => ({ op: 'remove', path: `/status/managedResources/${at}/uid` }));
  await here.kubectl(['patch', 'graph', 'cut', '--subresource=status', '--type=json', `--patch=${JSON.stringify(removals)}`]);
  await here.kubectl(['delete', 'graph', 'cut', '--wait=false']);
  await startController(t, here);

  await t.resolves(here.kubectl(['wait', '--for=delete', 'graph/cut', `--timeout=${SOON}s`]), 'torn down without a long look');
  await here.kubectl(['wait', '--for=delete', 'graph/cut', '--timeout=100s']);
  for (const name of WAVES) t.equal(await admin.get(`/api/v1/namespaces/${namespace}/configmaps/${name}`), undefined, name);
});
