import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { parse } from 'yaml';
import type { AnyObject } from '../cluster/admin.ts';
import { requestsFrom } from './audit.ts';
import { greeting, isReady, makeTenant, pathOf } from './graphs.ts';
import { CHART } from './helm.ts';
import { merge, startRelease, withChart } from './release.ts';

const MODE: AnyObject = parse(readFileSync(join(CHART, 'ci/constrained-values.yaml'), 'utf8'));

test('with constrained impersonation in one namespace and aggregated watches, Graphs work there and nowhere else', async (t) => {
  const { cluster, namespace, local, helm, pod } = await startRelease(t);
  const { admin } = cluster;
  await makeTenant(cluster, 'inside');
  await makeTenant(cluster, 'outside');
  const watched = { metadata: { name: 'watch-configmaps', labels: { 'rbac.kro.run/aggregate-to-controller': 'true' } } };
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }];
  await admin.create('/apis/rbac.authorization.k8s.io/v1/clusterroles', { ...watched, rules });
  const values = merge(merge(MODE, local), { rbac: { impersonateNamespaces: ['inside'] }, webhook: { enabled: false } });
  await helm(withChart('install', 'kro-graph'), values);
  const role = '/apis/rbac.authorization.k8s.io/v1/clusterroles/kro-graph-controller-watch';
  await admin.waitFor(role, (found) => (found?.['rules'] ?? []).length > 0);
  await (await pod({ name: 'kro-graph-controller' })).untilReady();

  for (const place of ['inside', 'outside']) await admin.create(`/apis/kro.run/v1alpha1/namespaces/${place}/graphs`, greeting('hello'));
  await admin.waitFor(pathOf('inside', 'hello'), isReady, 180_000);
  t.equal((await admin.get('/api/v1/namespaces/inside/configmaps/hello'))?.['data'].text, 'hello from hello', 'inside it is applied');
  const conditions = (found: AnyObject | undefined): AnyObject[] => found?.['status']?.conditions ?? [];
  const outside = await admin.waitFor(
    pathOf('outside', 'hello'),
    (found) => conditions(found).some(({ type, status }) => type === 'Ready' && status === 'False'),
    180_000,
  );
  t.match(JSON.stringify(conditions(outside)), /impersonate/, 'outside the Graph says that it may not be acted for');
  t.notOk(await admin.get('/api/v1/namespaces/outside/configmaps/hello'), 'and nothing is applied');

  await admin.remove(pathOf('inside', 'hello'));
  await admin.waitFor(pathOf('inside', 'hello'), (found) => found === undefined, 180_000);
  t.notOk(await admin.get('/api/v1/namespaces/inside/configmaps/hello'), 'the verbs suffice for teardown');
  t.strictSame(
    requestsFrom(cluster, namespace).forbidden,
    ['kro-graph-controller: create /apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
    'nothing was forbidden but to ask on behalf of the account outside',
  );
});
