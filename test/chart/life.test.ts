import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { parse } from 'yaml';
import type { Cluster } from '../cluster/cluster.ts';
import { requestsFrom } from './audit.ts';
import { applyGraph, greeting, isReady, makeTenant, pathOf, untilJudged, wrongGreeting } from './graphs.ts';
import { CHART } from './helm.ts';
import { merge, startRelease, withChart } from './release.ts';
import { manifestsOf, pick } from './render.ts';
import { runOnce } from './run-pod.ts';

const TENANT = 'tenant';
const RELEASE = 'kro-graph';
const WEBHOOK = 'kro-graph-webhook';
const CONTROLLER = 'kro-graph-controller';

test('a release lives: install, upgrade, rollback, uninstall, and install again', async (t) => {
  const release = await startRelease(t);
  const { cluster, namespace, helm } = release;
  const { admin } = cluster;
  // Strict, so that what the chart itself tests with must get by.
  const strict = { serviceAccountCheck: 'deny', policy: { missingServiceAccount: 'deny', crossNamespace: 'deny' } };
  const values = merge(release.local, { webhook: { tls: { mode: 'selfSigned' }, ...strict } });
  const config = `/api/v1/namespaces/${TENANT}/configmaps`;
  const secret = `/api/v1/namespaces/${namespace}/secrets/${WEBHOOK}-tls`;
  const registration = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/kro-graph';
  const argsOf = async (name: string): Promise<string[]> =>
    (await admin.get(`/apis/apps/v1/namespaces/${namespace}/deployments/${name}`))?.['spec'].template.spec.containers[0].args;
  const start = async () => {
    const pods = await Promise.all([release.pod({ name: WEBHOOK }), release.pod({ name: CONTROLLER })]);
    await Promise.all(pods.map((pod) => pod.untilReady()));
    await untilJudged(cluster, TENANT);
    return pods;
  };
  await makeTenant(cluster, TENANT);

  const installed = await helm(withChart('install', RELEASE), values);
  t.match(installed, /No image is published yet/, 'the notes say what is missing');
  t.notOk((await admin.get(secret))?.['data'], 'the Secret begins empty');
  t.match(
    (await applyGraph(cluster, TENANT, greeting('early'))).said,
    /failed calling webhook/,
    'while no webhook runs, a create fails with a message that says so',
  );

  let pods = await start();
  const refused = await applyGraph(cluster, TENANT, wrongGreeting('wrong'));
  t.equal(refused.code, 1);
  t.match(refused.said, /settigns[\s\S]*settings/, 'a wrong Graph is refused, and the nearest right name is told');
  t.equal((await applyGraph(cluster, TENANT, greeting('right'))).code, 0);
  const graph = await admin.waitFor(pathOf(TENANT, 'right'), isReady, 180_000);
  t.equal((await admin.get(`${config}/right`))?.['data'].text, 'hello from right', 'a right Graph is reconciled');

  const pod = pick(manifestsOf(await helm(['get', 'hooks', RELEASE])), 'Pod', 'kro-graph-test');
  for (const hook of manifestsOf(await helm(['get', 'hooks', RELEASE])).filter(({ kind }) => kind !== 'Pod')) {
    await cluster.kubectl(['create', '--filename', '-'], { input: JSON.stringify(hook) });
  }
  const tested = await runOnce(cluster, pod);
  t.equal(tested.code, 0, tested.output);
  t.match(tested.output, /ok: a wrong Graph is refused, and told why: 422/, 'the command of `helm test`');

  const scraped = (await Promise.all(pods.map(async ({ metrics }) => (await fetch(metrics)).text()))).join('\n');
  t.strictSame(
    metricsNamed().filter((name) => !scraped.includes(`# TYPE ${name} `)),
    [],
    'what dashboard and alerts ask for is served',
  );

  const before = { secret: await admin.get(secret), bundle: (await admin.get(registration))?.['webhooks'][0].clientConfig.caBundle };
  await helm(
    withChart('upgrade', RELEASE),
    merge(values, { controller: { concurrency: 8 }, webhook: { policy: { permissions: 'deny' } } }),
  );
  t.ok((await argsOf(CONTROLLER)).includes('--concurrency=8'), 'an upgrade changes the Deployments');
  t.strictSame((await admin.get(secret))?.['data'], before.secret?.['data'], 'it leaves the certificates alone');
  t.equal((await admin.get(registration))?.['webhooks'][0].clientConfig.caBundle, before.bundle, 'and the caBundle');
  await Promise.all(pods.map((running) => running.stop()));
  pods = await start();
  const after = await admin.get(pathOf(TENANT, 'right'));
  t.ok(isReady(after));
  t.equal(after?.['metadata'].generation, graph?.['metadata'].generation);
  t.match(
    (await applyGraph(cluster, TENANT, greeting('denied-by-policy', '${string(settings.greeting)}'))).said,
    /created/,
    'what the account may do is not denied by the stricter policy',
  );

  await helm(['rollback', RELEASE, '1']);
  t.ok((await argsOf(CONTROLLER)).includes('--concurrency=4'), 'a rollback brings the Deployments back');
  t.ok((await argsOf(WEBHOOK)).includes('--policy-permissions=warn'));
  t.strictSame((await admin.get(secret))?.['data'], before.secret?.['data'], 'it leaves the certificates alone, too');

  const uid = (await admin.get(`${config}/right`))?.['metadata'].uid;
  t.strictSame(await Promise.all(pods.map((running) => running.stop())), [0, 0], 'both processes end in order');
  await helm(['uninstall', RELEASE]);
  t.notOk(await admin.get(registration), 'uninstalling takes the registration away');
  t.ok(await admin.get('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/graphs.kro.run'), 'it keeps the CRD');
  t.ok(isReady(await admin.get(pathOf(TENANT, 'right'))), 'and the Graphs');
  t.equal((await admin.get(`${config}/right`))?.['metadata'].uid, uid, 'and what they manage');
  await admin.remove(pathOf(TENANT, 'right'));
  t.ok((await admin.get(pathOf(TENANT, 'right')))?.['metadata'].deletionTimestamp, 'a Graph that is deleted now waits');

  await helm(withChart('install', RELEASE), values);
  await start();
  await admin.waitFor(pathOf(TENANT, 'right'), (found) => found === undefined, 180_000);
  t.notOk(await admin.get(`${config}/right`), 'installing again finishes the deletion');

  const asked = requestsFrom(cluster, namespace);
  t.ok(asked.count > 50, `${asked.count} requests of both accounts`);
  t.strictSame(asked.forbidden, [], 'the rights of the chart suffice: none was forbidden');
  await beyondRights(t, { cluster, namespace });
  await usersRights(t, { cluster, namespace });
});

test('a release of another name takes the CRD over', async (t) => {
  const { cluster, helm, local } = await startRelease(t);
  const values = merge(local, { webhook: { tls: { mode: 'selfSigned' } } });
  await helm(withChart('install', 'first'), values);
  await helm(['uninstall', 'first']);
  await t.rejects(helm(withChart('install', 'second'), values), /invalid ownership metadata/, 'not without being told to');
  await helm(withChart('install', 'second', '--take-ownership'), values);
  const crd = await cluster.admin.get('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/graphs.kro.run');
  t.equal(crd?.['metadata'].annotations['meta.helm.sh/release-name'], 'second');
});

type Here = Pick<Awaited<ReturnType<typeof startRelease>>, 'cluster' | 'namespace'>;

/** What the two accounts must not be able to do. */
async function beyondRights(t: Test, { cluster, namespace }: Here): Promise<void> {
  const rows: readonly (readonly [account: string, verb: string, resource: string, place: string | undefined])[] = [
    [WEBHOOK, 'get', 'secrets', TENANT],
    [WEBHOOK, 'list', 'secrets', namespace],
    [WEBHOOK, 'get', 'secrets/another', namespace],
    [WEBHOOK, 'update', 'validatingwebhookconfigurations/another', undefined],
    [WEBHOOK, 'impersonate', 'serviceaccounts', TENANT],
    [WEBHOOK, 'create', 'graphs.kro.run', TENANT],
    [CONTROLLER, 'create', 'configmaps', TENANT],
    [CONTROLLER, 'delete', 'configmaps', TENANT],
    [CONTROLLER, 'create', 'graphs.kro.run', TENANT],
    [CONTROLLER, 'delete', 'graphs.kro.run', TENANT],
    [CONTROLLER, 'impersonate', 'users', undefined],
    [CONTROLLER, 'impersonate', 'groups', undefined],
    [CONTROLLER, 'create', 'leases.coordination.k8s.io', TENANT],
    [CONTROLLER, 'update', 'customresourcedefinitions', undefined],
  ];
  for (const [account, verb, resource, place] of rows) {
    const user = `system:serviceaccount:${namespace}:${account}`;
    const where = place === undefined ? '' : ` in ${place}`;
    t.notOk(await isAllowed(cluster, { user, verb, resource, place }), `${account} may not ${verb} ${resource}${where}`);
  }
}

/** Whom the aggregated roles give what. */
async function usersRights(t: Test, { cluster }: Here): Promise<void> {
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${TENANT}/rolebindings`;
  for (const role of ['view', 'edit']) {
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: `${role}er` }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role };
    await cluster.admin.create(rbac, { metadata: { name: role }, roleRef, subjects });
  }
  const asks = (user: string, verb: string) => isAllowed(cluster, { user, verb, resource: 'graphs.kro.run', place: TENANT });
  t.ok(await asks('viewer', 'list'), 'who may view the namespace may view its Graphs');
  t.ok(await asks('editer', 'list'), 'who may edit it as well');
  t.notOk(await asks('editer', 'create'), 'but who may edit it may not create Graphs, unless that is asked for');
}

interface Question {
  readonly user: string;
  readonly verb: string;
  /** `PLURAL.GROUP/NAME`. */
  readonly resource: string;
  readonly place: string | undefined;
}

async function isAllowed({ admin }: Cluster, { user, verb, resource, place }: Question): Promise<boolean> {
  const [plural = '', name] = resource.split('/');
  const [short = '', ...group] = plural.split('.');
  const resourceAttributes = { verb, resource: short, group: groupOf(short, group), name, namespace: place };
  const groups = ['system:serviceaccounts', 'system:authenticated'];
  const { status } = await admin.create('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    spec: { user, groups, resourceAttributes },
  });
  return status.allowed;
}

function groupOf(resource: string, group: readonly string[]): string {
  if (resource === 'validatingwebhookconfigurations') return 'admissionregistration.k8s.io';
  if (resource === 'customresourcedefinitions') return 'apiextensions.k8s.io';
  return group.join('.');
}

/** Names of the metrics that the alerts and the dashboard read; those of histograms without their suffix. */
function metricsNamed(): string[] {
  const alerts: { expr: string }[] = parse(readFileSync(join(CHART, 'files/alerts.yaml'), 'utf8'));
  const { panels } = JSON.parse(readFileSync(join(CHART, 'files/dashboards/kro-graph.json'), 'utf8'));
  const expressions = [...alerts, ...panels.flatMap(({ targets = [] }) => targets)].map(({ expr }) => expr);
  const words = expressions.flatMap((expr) => expr.match(/\b[a-z_]+(?=[{[)])/g) ?? []);
  const names = words.filter((word) => /^(kro_graph|workqueue|controller_runtime|rest_client|leader|process|nodejs)_/.test(word));
  return [...new Set(names.map((name) => name.replace(/_bucket$/, '')))].sort();
}
