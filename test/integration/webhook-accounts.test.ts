import t from 'tap';
import type { JsonObject, JsonValue } from '../../src/api/object.ts';
import { useCluster } from '../support/cluster.ts';
import { RELEASE, startWebhook } from '../support/webhook.ts';

const use = await useCluster(t);
const { namespace } = use;
await startWebhook(t, use, {
  args: ['--service-account-check', 'deny', '--policy-permissions', 'warn'],
  registration: {
    namespaceSelector: {
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: [namespace, RELEASE.namespace] }],
    },
  },
});

/** Who may write Graphs; `editor` may also impersonate every ServiceAccount of the namespace. */
const writer = await use.kubeconfigFor({ namespace, name: 'writer' });
const editor = await use.kubeconfigFor({ namespace, name: 'editor' });
await use.kubectl(['create', 'serviceaccount', 'deployer']);
await use.kubectl(['create', 'role', 'graphs', '--verb=*', '--resource=graphs.kro.run']);
await use.kubectl(['create', 'role', 'act-as', '--verb=impersonate', '--resource=serviceaccounts']);
await use.kubectl(['create', 'role', 'configmaps', '--verb=get,list,watch', '--resource=configmaps']);
for (const [role, account] of [
  ['graphs', 'writer'],
  ['graphs', 'editor'],
  ['act-as', 'editor'],
  ['configmaps', 'deployer'],
] as const) {
  await use.kubectl(['create', 'rolebinding', `${role}-${account}`, `--role=${role}`, `--serviceaccount=${namespace}:${account}`]);
}

const page: JsonObject = { id: 'page', template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page' } } };
const broken: JsonObject = { id: 'broken', def: { a: '${nobody}' } };

function graph(name: string, nodes: JsonValue, rest: JsonObject = {}, metadata: JsonObject = {}): { readonly input: string } {
  const object = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name, ...metadata }, spec: { nodes, ...rest } };
  return { input: JSON.stringify(object) };
}

const as = (kubeconfig: string): string[] => [`--kubeconfig=${kubeconfig}`];
const dryRun = ['apply', '--dry-run=server', '-f', '-'];

t.test('who may not impersonate the ServiceAccount is refused', async (t) => {
  const account = { serviceAccountName: 'deployer' };
  const refused = await use.tryKubectl([...as(writer), ...dryRun], graph('acting', [page], account));
  t.equal(refused.code, 1);
  t.match(
    refused.stderr,
    /is invalid: spec\.serviceAccountName: you may not act as the ServiceAccount "deployer", as this Graph would \(it takes the right to impersonate/,
  );
  t.notMatch(refused.stderr, /configmaps/, 'and is not told what that account lacks');
  t.match(refused.stderr, /Warning: permissions\/missing: "deployer" lacks permissions that this Graph needs/);
  const allowed = await use.tryKubectl([...as(editor), ...dryRun], graph('acting', [page], account));
  t.equal(allowed.code, 0, allowed.stderr);
  t.match(
    allowed.stderr,
    /^Warning: permissions\/missing: "deployer" may not create, patch, delete configmaps in "test-\S+ \(spec\.nodes\[0\]\.template\)$/m,
  );
});

t.test('an account of the release is refused, whoever asks', async (t) => {
  for (const name of [RELEASE.controllerAccount, RELEASE.webhookAccount]) {
    const { code, stderr } = await use.tryKubectl(['-n', RELEASE.namespace, ...dryRun], graph('own', [page], { serviceAccountName: name }));
    t.equal(code, 1);
    t.match(stderr, `no Graph may act as the ServiceAccount "${name}": it is kro-graph's own`);
  }
  t.equal(
    (await use.tryKubectl(dryRun, graph('own', [page], { serviceAccountName: RELEASE.controllerAccount }))).code,
    0,
    'elsewhere it is another',
  );
});

t.test('a child that another Graph stamped only warns, and a later edit by a person is refused', async (t) => {
  const manager = '--field-manager=kro-graphengine.tmpl.0123456789ab';
  const account = { serviceAccountName: 'editor' };
  const stamp = [...as(editor), 'apply', '--server-side', manager, '-f', '-'];
  const stamped = await use.tryKubectl(stamp, graph('child', [broken], account));
  t.equal(stamped.code, 0, stamped.stderr);
  t.match(stamped.stderr, /^Warning: reference\/unknown: unknown name "nobody".*in node "broken"/m);
  const person = await use.tryKubectl(
    ['apply', '--server-side', '--force-conflicts', manager, '-f', '-'],
    graph('child', [broken, page], account),
  );
  t.equal(person.code, 1, 'a person who borrows the field manager');
  t.match(person.stderr, /unknown name "nobody"/);
  const foreign = await use.tryKubectl([...as(writer), 'apply', '--server-side', manager, '-f', '-'], graph('child-2', [broken], account));
  t.equal(foreign.code, 1, 'policies that deny hold for stamped children too');
  t.match(foreign.stderr, /you may not act as the ServiceAccount "editor"/);
});

t.test('a Graph that is being deleted: other specs pass, another account is judged', async (t) => {
  const metadata = { finalizers: ['example.com/hold'] };
  await use.kubectl(['create', '-f', '-'], graph('going', [page], {}, metadata));
  t.teardown(() => use.tryKubectl(['patch', 'graph', 'going', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']));
  await use.kubectl(['delete', 'graph', 'going', '--wait=false']);
  const patch = (spec: JsonObject) =>
    use.tryKubectl([...as(writer), 'patch', 'graph', 'going', '--type=merge', '-p', JSON.stringify({ spec })]);
  t.match(await patch({ nodes: [broken] }), { code: 0, stderr: '' });
  const moved = await patch({ serviceAccountName: 'deployer' });
  t.equal(moved.code, 1);
  t.match(moved.stderr, /you may not act as the ServiceAccount "deployer"/);
});
