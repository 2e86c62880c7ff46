import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { chartReadme } from '../../scripts/chart-readme.ts';
import { webhookConfiguration } from '../../scripts/demo/installation.ts';
import type { AnyObject } from '../cluster/admin.ts';
import { CHART, helm } from './helm.ts';
import { MODES, manifestsOf, pick, render, renderFault, renderText } from './render.ts';

test('helm lint finds nothing in any mode', async (t) => {
  for (const mode of MODES) {
    const said = await helm(['lint', '--strict', CHART, '--values', join(CHART, 'ci', mode)]);
    t.match(said, /1 chart\(s\) linted, 0 chart\(s\) failed/, mode);
  }
});

test('a mode renders to the same bytes each time, and to no private key', async (t) => {
  for (const mode of MODES) {
    const [first, second] = [await renderText({ mode }), await renderText({ mode })];
    t.equal(first, second, `${mode}: twice the same`);
    t.notMatch(first, /PRIVATE KEY|tls\.key:/, `${mode}: no key`);
    t.notMatch(first, /helm\.sh\/hook: (pre|post)-/, `${mode}: no hook but the test`);
  }
});

test('a value that does not exist, or of a wrong type, is refused by its name', async (t) => {
  const rows: readonly (readonly [title: string, values: object, said: RegExp])[] = [
    ['a typo at the root', { webhok: {} }, /webhok/],
    ['a typo in a component', { webhook: { replicsa: 3 } }, /replicsa/],
    ['a typo deep inside', { webhook: { tls: { certManager: { renewBefor: '1h' } } } }, /renewBefor/],
    ['a typo in a pod key', { controller: { podDisruptionBudget: { minAvailble: 1 } } }, /minAvailble/],
    ['an unknown mode', { webhook: { tls: { mode: 'self-signed' } } }, /mode/],
    ['an unknown policy', { webhook: { policy: { permissions: 'refuse' } } }, /permissions/],
    ['a duration without a unit', { controller: { backoff: { min: '5' } } }, /backoff/],
    ['a text for a number', { controller: { concurrency: 'four' } }, /concurrency/],
    ['a path in webhook.url', { webhook: { url: 'https://example.com:1/validate' } }, /url/],
    ['a malformed digest', { image: { digest: 'sha256:12' } }, /digest/],
    ['a section that is taken away', { controller: null }, /missing property 'controller'/],
    ['a section inside that is taken away', { webhook: { tls: null } }, /missing property 'tls'/],
    ['a value that is taken away', { limits: { collectionSize: null } }, /missing property 'collectionSize'/],
    ['a label that is none', { commonLabels: { 'a b': 'x' } }, /a b/],
    ["a label's value that is none", { webhook: { podLabels: { team: 'a team' } } }, /podLabels\/team/],
    ['a namespace that is none', { controller: { watchNamespaces: ['Team_A'] } }, /watchNamespaces\/0/],
    ['a namespace twice', { rbac: { impersonateNamespaces: ['a', 'a'] } }, /impersonateNamespaces/],
  ];
  for (const [title, values, said] of rows) t.match(await renderFault({ values }), said, title);
});

test('the notes say what uninstalling keeps, and what it does not', async (t) => {
  const notes = (keep: boolean): Promise<string> =>
    helm(['install', 'x', CHART, '--dry-run=client', '--set', `webhook.tls.mode=selfSigned,crds.keep=${keep}`]);
  t.match(await notes(true), /Uninstalling keeps the CustomResourceDefinition, the Graphs and\nall that they manage/);
  const gone = await notes(false);
  t.match(gone, /uninstalling deletes the CustomResourceDefinition and every Graph/);
  t.notMatch(gone, /Uninstalling keeps/);
});

test('what may be left out may be taken away', async (t) => {
  const component = {
    podAnnotations: null,
    strategy: null,
    livenessProbe: null,
    readinessProbe: { periodSeconds: null },
    startupProbe: null,
  };
  const values = {
    commonLabels: null,
    commonAnnotations: null,
    image: { registry: null, tag: null },
    crds: { annotations: null },
    webhook: { ...component, annotations: null, priorityClassName: null, tls: { mode: 'selfSigned' } },
    controller: { ...component, nodeSelector: null, resources: null },
  };
  const text = await renderText({ values });
  t.notMatch(text, /<nil>|%!/);
  const { spec } = pick(manifestsOf(text), 'Deployment', 'kro-graph-controller');
  t.strictSame(spec.strategy, { type: 'RollingUpdate' });
  t.strictSame(spec.template.spec.containers[0].livenessProbe, { httpGet: { path: '/livez', port: 'probes' } });
  t.equal(spec.template.spec.containers[0].image, 'kro-graph:0.1.0');
});

test('values that cannot work together are refused in a sentence', async (t) => {
  const live = ['--api-versions', 'apps/v1/Deployment'];
  const rows: readonly (readonly [title: string, rendering: { values?: object; flags?: readonly string[] }, said: RegExp])[] = [
    [
      'certManager on a cluster without it',
      { flags: live },
      /this cluster has no cert-manager .*: install it first, or set webhook.tls.mode to selfSigned/,
    ],
    [
      'secret without a name',
      { values: { webhook: { tls: { mode: 'secret' } } } },
      /webhook.tls.secret.name is empty: name the Secret with tls.crt and tls.key/,
    ],
    [
      'secret without a CA',
      { values: { webhook: { tls: { mode: 'secret', secret: { name: 'x' } } } } },
      /webhook.tls.secret.caBundle is empty: the API server would trust no certificate/,
    ],
    ["the kubelet's port on the host", { values: { webhook: { hostNetwork: true } } }, /port 10250 of a node is the kubelet's/],
    ['one port twice', { values: { webhook: { containerPort: 8080 } } }, /containerPort and metrics.port are both 8080/],
    ["the probes' port", { values: { metrics: { port: 8081 } } }, /which is the port of the probes/],
    [
      "the probes' port for admissions",
      { values: { webhook: { containerPort: 8081 } } },
      /containerPort is 8081, which is the port of the probes/,
    ],
    [
      'a deadline that the API server does not wait for',
      { values: { webhook: { deadline: '1m500ms', timeoutSeconds: 30 } } },
      /webhook.deadline \(1m500ms\) is not below webhook.timeoutSeconds \(30\)/,
    ],
    [
      'a condition of a name that is taken',
      { values: { webhook: { extraMatchConditions: [{ name: 'spec-changed', expression: 'true' }] } } },
      /another condition named "spec-changed"/,
    ],
    [
      'one ServiceAccount for both',
      { values: { webhook: { serviceAccount: { create: false } }, controller: { serviceAccount: { create: false } } } },
      /would share the ServiceAccount "default": each needs one of its own/,
    ],
    [
      'labels by which Pods are selected',
      { values: { commonLabels: { 'app.kubernetes.io/name': 'x' }, controller: { podLabels: { 'app.kubernetes.io/component': 'y' } } } },
      /commonLabels sets app.kubernetes.io\/name[\s\S]*controller.podLabels sets app.kubernetes.io\/component/,
    ],
    [
      'times that the processes do not take',
      { values: { webhook: { deadline: '0s' }, controller: { backoff: { max: '25h' }, leaderElection: { retryPeriod: '0.05s' } } } },
      /webhook.deadline is 0s: expected 100ms to 30s[\s\S]*backoff.max is 25h: expected 10ms to 24h[\s\S]*retryPeriod is 0.05s: expected 100ms to 24h/,
    ],
    [
      'a Lease that ends before it is renewed',
      { values: { controller: { leaderElection: { leaseDuration: '5s' } } } },
      /expected leaseDuration > renewDeadline > retryPeriod, found 5s, 10s, 2s/,
    ],
    [
      'pauses that begin longer than they end',
      { values: { controller: { backoff: { min: '6m' } } } },
      /backoff.min \(6m\) is more than max \(5m\)/,
    ],
    [
      'a certificate that is due before it is made',
      { values: { webhook: { tls: { certManager: { duration: '720h0m0s' } } } } },
      /certManager.renewBefore \(720h0m0s\) is not below duration \(720h0m0s\)/,
    ],
    [
      'a CA that is none',
      { values: { webhook: { tls: { mode: 'secret', secret: { name: 'x', caBundle: 'LS0tLS1CRUdJTi' } } } } },
      /caBundle holds no certificate .*give the PEM file of the CA, as it is or in base64/,
    ],
    [
      'constrained impersonation on 1.35',
      { values: { rbac: { constrainedImpersonation: true } }, flags: ['--kube-version', '1.35.2'] },
      /needs Kubernetes 1.36 or later, this is v1.35.2/,
    ],
    [
      'a PodMonitor without the operator',
      { values: { metrics: { podMonitor: { enabled: true } }, webhook: { tls: { mode: 'selfSigned' } } }, flags: live },
      /does not serve PodMonitor .*: install the Prometheus Operator first/,
    ],
    [
      'a monitor of no metrics',
      { values: { metrics: { enabled: false, serviceMonitor: { enabled: true } } } },
      /metrics.serviceMonitor.enabled is true, but metrics.enabled is false/,
    ],
    [
      'more fewest than most',
      { values: { webhook: { autoscaling: { enabled: true, minReplicas: 9 } } } },
      /minReplicas is more than maxReplicas/,
    ],
    ['an old Kubernetes', { flags: ['--kube-version', '1.29.0'] }, /requires kubeVersion: >=1.30.0-0/],
  ];
  for (const [title, rendering, said] of rows) t.match(await renderFault(rendering), said, title);
  const both = await renderFault({ values: { webhook: { hostNetwork: true, tls: { mode: 'secret' } } } });
  t.match(both, /secret.name is empty[\s\S]*kubelet/, 'all faults are told at once');
});

test('the registration is the documented one, with every field that the server would default', async (t) => {
  const found = pick(await render(), 'ValidatingWebhookConfiguration', 'kro-graph');
  const [webhook] = found['webhooks'];
  const { clientConfig: _, ...expected } = (webhookConfiguration('https://x', 'x')['webhooks'] as [Record<string, unknown>])[0];
  const { clientConfig, ...rest } = webhook;
  t.strictSame(rest, expected);
  t.strictSame(clientConfig, { service: { name: 'kro-graph-webhook', namespace: 'kro-system', path: '/validate', port: 443 } });
  t.strictSame(found['metadata'].annotations, {
    'admissions.enforcer/disabled': 'true',
    'cert-manager.io/inject-ca-from': 'kro-system/kro-graph-webhook-ca',
  });
});

test('values change the registration where they say so', async (t) => {
  const registration = async (webhook: object) => {
    const values = { webhook: { tls: { mode: 'selfSigned' }, ...webhook } };
    return pick(await render({ values }), 'ValidatingWebhookConfiguration', 'kro-graph')['webhooks'][0];
  };
  t.equal((await registration({ url: 'https://127.0.0.1:8443/' })).clientConfig.url, 'https://127.0.0.1:8443/validate');
  t.equal((await registration({ failurePolicy: 'Ignore' })).failurePolicy, 'Ignore');
  t.notOk('matchConditions' in (await registration({ matchConditions: false })));
  const namespaceSelector = { matchLabels: { a: 'b' } };
  t.strictSame((await registration({ namespaceSelector })).namespaceSelector, namespaceSelector);
  const extraMatchConditions = [{ name: 'mine', expression: 'true' }];
  const conditions: { name: string }[] = (await registration({ extraMatchConditions })).matchConditions;
  t.strictSame(
    conditions.map(({ name }) => name),
    ['spec-changed', 'not-deleting', 'mine'],
  );
  const caBundle = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';
  const tls = { mode: 'secret', secret: { name: 'x', caBundle } };
  t.equal((await registration({ tls })).clientConfig.caBundle, Buffer.from(caBundle).toString('base64'), 'PEM is taken as well');
});

test('the CRD is the one of files/crds, kept on uninstall', async (t) => {
  const found = pick(await render(), 'CustomResourceDefinition', 'graphs.kro.run');
  const file = parse(readFileSync(join(CHART, 'files/crds/graphs.yaml'), 'utf8'));
  t.strictSame(found['spec'], file.spec);
  t.equal(found['metadata'].annotations['helm.sh/resource-policy'], 'keep');
  const loose = pick(await render({ values: { crds: { keep: false } } }), 'CustomResourceDefinition', 'graphs.kro.run');
  t.notOk(loose['metadata'].annotations, 'crds.keep: false');
  t.notOk((await renderText({ values: { crds: { enabled: false } } })).includes('kind: CustomResourceDefinition'), 'crds.enabled: false');
});

test('every Pod is restricted, spread, and never limited in CPU', async (t) => {
  for (const name of ['kro-graph-webhook', 'kro-graph-controller']) {
    const { spec } = pick(await render(), 'Deployment', name)['spec'].template;
    const [container] = spec.containers;
    t.strictSame(
      container.securityContext,
      { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      name,
    );
    t.equal(spec.securityContext.runAsNonRoot, true);
    t.strictSame(Object.keys(container.resources.limits), ['memory']);
    t.strictSame(
      spec.topologySpreadConstraints.map(({ topologyKey, whenUnsatisfiable }: Record<string, string>) => [topologyKey, whenUnsatisfiable]),
      [
        ['kubernetes.io/hostname', 'ScheduleAnyway'],
        ['topology.kubernetes.io/zone', 'ScheduleAnyway'],
      ],
    );
  }
});

test('image names', async (t) => {
  const image = async (values: object) =>
    pick(await render({ values: { image: values } }), 'Deployment', 'kro-graph-webhook')['spec'].template.spec.containers[0].image;
  const digest = `sha256:${'a'.repeat(64)}`;
  t.equal(await image({}), 'kro-graph:0.1.0', 'the appVersion');
  t.equal(await image({ registry: 'example.com:5000/team', tag: 'x' }), 'example.com:5000/team/kro-graph:x');
  t.equal(await image({ registry: 'example.com', tag: 'x', digest }), `example.com/kro-graph@${digest}`, 'a digest wins');
});

test('names follow the release', async (t) => {
  const deployments = async (release: string, values = {}) =>
    (await render({ release, values })).filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
  t.strictSame(await deployments('prod'), ['prod-kro-graph-controller', 'prod-kro-graph-webhook']);
  t.strictSame(await deployments('my-kro-graph'), ['my-kro-graph-controller', 'my-kro-graph-webhook']);
  t.strictSame(await deployments('prod', { fullnameOverride: 'x' }), ['x-controller', 'x-webhook']);
  t.strictSame(await deployments('prod.eu'), ['prod-eu-kro-graph-controller', 'prod-eu-kro-graph-webhook'], 'a Service has no dots');
  t.strictSame(await deployments('1st'), ['kro-1st-kro-graph-controller', 'kro-1st-kro-graph-webhook'], 'and begins with a letter');
  t.strictSame(await deployments('prod', { fullnameOverride: `${'a'.repeat(42)}.b` }), [
    `${'a'.repeat(42)}-controller`,
    `${'a'.repeat(42)}-webhook`,
  ]);
  const longest = (await render({ release: `a${'b'.repeat(51)}c` })).map(({ metadata }) => metadata.name.length);
  t.ok(Math.max(...longest) <= 63, 'no name is too long for a Service');
});

test("labels and variables of one's own stand beside the chart's, and no key stands twice", async (t) => {
  const webhook = {
    podLabels: { team: 'pods', 'app.kubernetes.io/version': 'x' },
    extraEnv: [{ name: 'NODE_OPTIONS', value: '--trace-gc' }],
  };
  const text = await renderText({ values: { commonLabels: { team: 'all', 'app.kubernetes.io/part-of': 'platform' }, webhook } });
  t.strictSame(
    parseAllDocuments(text, { uniqueKeys: true }).flatMap(({ errors }) => errors.map(({ message }) => message)),
    [],
  );
  const { metadata, spec } = pick(manifestsOf(text), 'Deployment', 'kro-graph-webhook') as AnyObject;
  const labels = (found: AnyObject) => [found['team'], found['app.kubernetes.io/part-of'], found['app.kubernetes.io/version']];
  t.strictSame(labels(metadata.labels), ['all', 'platform', '0.1.0']);
  t.strictSame(labels(spec.template.metadata.labels), ['pods', 'platform', '0.1.0']);
  t.strictSame(spec.template.spec.containers[0].env, webhook.extraEnv);
});

test('an autoscaler decides the number of Pods alone', async (t) => {
  const values = { webhook: { replicas: 1, autoscaling: { enabled: true } } };
  const manifests = await render({ values });
  t.notOk('replicas' in pick(manifests, 'Deployment', 'kro-graph-webhook')['spec']);
  t.equal(pick(manifests, 'HorizontalPodAutoscaler', 'kro-graph-webhook')['spec'].minReplicas, 2);
  t.ok(pick(manifests, 'PodDisruptionBudget', 'kro-graph-webhook'));
  t.throws(() => pick(manifests, 'PodDisruptionBudget', 'kro-graph-controller'), 'one Pod needs none');
});

test('the controller impersonates where it is told, and edit is not given away by default', async (t) => {
  const rules = (manifests: readonly Record<string, unknown>[]) => JSON.stringify(manifests.filter(({ kind }) => kind === 'ClusterRole'));
  const usual = await render();
  t.match(rules(usual), /"impersonate"/);
  t.notMatch(rules(usual), /aggregate-to-edit/);
  const few = await render({ values: { rbac: { impersonateNamespaces: ['a', 'b'] } } });
  t.notMatch(rules(few), /"impersonate"/, 'not in the whole cluster');
  const roles = few.filter(({ kind, metadata }) => kind === 'Role' && metadata.name === 'kro-graph-controller-impersonate');
  t.strictSame(
    roles.map(({ metadata }) => metadata.namespace),
    ['a', 'b'],
  );
  const constrained = await render({ mode: 'constrained-values.yaml' });
  t.notMatch(JSON.stringify(constrained), /"impersonate"/, 'no unconstrained impersonation at all');
});

test('no process may read Secrets but the one of the selfSigned mode', async (t) => {
  for (const mode of MODES) {
    const manifests = await render({ mode });
    const roles = manifests.filter(({ kind, metadata }) => /Role$/.test(kind) && metadata.name === 'kro-graph-webhook');
    const secrets = roles.flatMap(({ rules }) => rules).filter(({ resources }) => resources.includes('secrets'));
    const isSelfSigned = JSON.stringify(manifests).includes('--tls-mode=selfSigned');
    const own = { apiGroups: [''], resources: ['secrets'], resourceNames: ['kro-graph-webhook-tls'], verbs: ['get', 'watch', 'update'] };
    t.strictSame(secrets, isSelfSigned ? [own] : [], mode);
  }
});

test('version and README agree with their sources', async (t) => {
  const about = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'));
  const manifest = JSON.parse(readFileSync(join(CHART, '../../package.json'), 'utf8'));
  t.equal(about.appVersion, manifest.version);
  t.equal(readFileSync(join(CHART, 'README.md'), 'utf8'), chartReadme(), 'run: node scripts/chart-readme.ts');
});
