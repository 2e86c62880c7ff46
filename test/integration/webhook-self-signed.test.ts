import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { webhookConfiguration } from '../../scripts/demo/installation.ts';
import type { KubeObject } from '../../src/api/object.ts';
import { nextStep } from '../../webhook/certificates/rotation.ts';
import { bundleOf, type CertificateState, readState, writeState } from '../../webhook/certificates/state.ts';
import { freePorts } from '../cluster/free-ports.ts';
import { makeGraph } from '../support/admission.ts';
import { type ClusterUse, useCluster } from '../support/cluster.ts';
import { useClient } from '../support/kube.ts';
import { type LoadResult, loadUntil } from '../support/load.ts';
import { createReviewClient } from '../support/review-client.ts';
import { servedBy } from '../support/tls.ts';
import { allowConfiguration, installGraphs, RELEASE } from '../support/webhook.ts';
import { spawnWebhook } from '../support/webhook-process.ts';

const use = await useCluster(t);
await installGraphs(use);
const client = useClient(t, use.kubeconfig);
const DAY = 24 * 60 * 60_000;
const PLAN = { hosts: ['127.0.0.1'], authorityMilliseconds: 3650 * DAY, leafMilliseconds: 90 * DAY };

t.test('three replicas that start on an empty Secret agree, and kubectl is answered', { timeout: 600_000 }, async (t) => {
  const { secret, configuration, url, ports, args } = await install(t, 3);
  const replicas = ports.map(({ port, probePort }) => {
    const own = ['--port', String(port), '--probe-port', String(probePort)];
    return { probes: `http://127.0.0.1:${probePort}`, process: spawnWebhook(t, { args: [...args, ...own], folder: folderFor(t) }) };
  });
  await Promise.all(replicas.map(({ process, probes }) => process.untilReady(probes)));
  const state = readState((await use.admin.get(secret)) as unknown as KubeObject);
  const live = (await use.admin.get(configuration))?.webhooks[0].clientConfig.caBundle;
  t.equal(Buffer.from(live, 'base64').toString(), state?.authority.certificate);
  for (const { port } of ports) {
    const one = createReviewClient({ url: url(port), certificateAuthority: state?.authority.certificate ?? '' });
    t.equal(
      (await one.review({ namespace: use.namespace, object: makeGraph() })).review?.response.allowed,
      true,
      'each serves what the bundle trusts',
    );
    await one.close();
  }
  const wrong = JSON.stringify({
    apiVersion: 'kro.run/v1alpha1',
    kind: 'Graph',
    metadata: { name: 'x' },
    spec: { nodes: [{ id: 'a', def: { b: '${c}' } }] },
  });
  let stderr = '';
  for (let attempt = 0; attempt < 500 && !/unknown name "c"/.test(stderr); attempt++) {
    stderr = (await use.tryKubectl(['create', '--dry-run=server', '-f', '-'], { input: wrong })).stderr;
  }
  t.match(stderr, /unknown name "c"/);
});

t.test('leaf and authority are renewed under load, and no request fails', { timeout: 600_000 }, async (t) => {
  const { secret, configuration, url, ports, args } = await install(t, 1);
  const read = async (): Promise<CertificateState | undefined> => readState((await use.admin.get(secret)) as unknown as KubeObject);
  const bundle = async (): Promise<string> =>
    Buffer.from((await use.admin.get(configuration))?.webhooks[0].clientConfig.caBundle, 'base64').toString();

  // An authority that is seven years old, as if the webhook had run since.
  const past = new Date(Date.now() - 2500 * DAY);
  const old = await nextStep({ state: undefined, now: past, isTrusted: () => false }, PLAN);
  const young = await nextStep({ state: old?.state, now: new Date(past.getTime() + 2433 * DAY), isTrusted: () => false }, PLAN);
  const before = young?.state;
  if (before === undefined) throw new Error('no certificates were made');
  await use.admin.patch(secret, { data: writeState({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } }, before)['data'] });

  const [{ port, probePort } = { port: 0, probePort: 0 }] = ports;
  const flags = [...args, '--port', String(port), '--probe-port', String(probePort)];
  const webhook = spawnWebhook(t, { args: flags, folder: folderFor(t) });
  await webhook.untilReady(`http://127.0.0.1:${probePort}`);
  const over = new AbortController();
  // As the API server: each new connection trusts what the live configuration says at that moment.
  const load = (async () => {
    const results: LoadResult[] = [];
    while (!over.signal.aborted) {
      const one = createReviewClient({ url: url(port), certificateAuthority: await bundle() });
      results.push(await loadUntil(one, 2, AbortSignal.any([over.signal, AbortSignal.timeout(100)])));
      await one.close();
    }
    return results;
  })();

  const renewed = async (state: CertificateState | undefined): Promise<boolean> =>
    state?.former !== undefined && (await bundle()) === bundleOf(state) && (await servedBy(port)) === serialOf(state);
  await until(async () => renewed(await read()));
  const after = await read();
  t.equal(after?.former?.certificate, before.authority.certificate);
  t.not(after?.authority.certificate, before.authority.certificate);
  t.ok(new X509Certificate(after?.leaf.certificate ?? '').verify(new X509Certificate(after?.authority.certificate ?? '').publicKey));

  // A day later.
  await use.admin.patch(secret, { data: { 'ca-former-until': Buffer.from(new Date(0).toISOString()).toString('base64') } });
  await until(async () => (await bundle()) === after?.authority.certificate);
  t.equal((await read())?.former, undefined);
  await sleep(300);
  over.abort();
  const results = await load;
  const failures = results.flatMap((result) => result.failures);
  t.strictSame(failures, []);
  t.ok(results.reduce((sum, { sent }) => sum + sent, 0) > 10, 'there was a load');
});

t.test('a rival’s write is not overwritten', async (t) => {
  const { secret } = await install(t, 1);
  const read = (await use.admin.get(secret)) as unknown as KubeObject;
  await use.admin.patch(secret, { metadata: { annotations: { touched: 'yes' } } });
  const made = writeState(read, { authority: pair('a'), leaf: pair('l'), next: undefined, former: undefined });
  const name = secret.split('/').at(-1) ?? '';
  const ref = { group: '', version: 'v1', plural: 'secrets', namespace: RELEASE.namespace, name };
  await t.rejects(client.replace(ref, made), { code: 409 });
});

function serialOf({ leaf }: CertificateState): string {
  return new X509Certificate(leaf.certificate).serialNumber;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 240_000; !(await holds()); await sleep(100)) {
    if (Date.now() > deadline) throw new Error(`not within 240 s: ${holds}`);
  }
}

function pair(name: string): { readonly certificate: string; readonly key: string } {
  return { certificate: `${name} certificate`, key: `${name} key` };
}

function folderFor(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'kro-graph-webhook-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What the chart makes in selfSigned mode: an empty Secret, a configuration without bundle, and the rights on both. */
async function install(t: Test, replicas: number) {
  const name = `self-signed-${Math.random().toString(36).slice(2, 10)}`;
  const { namespace, webhookAccount } = RELEASE;
  const numbers = await freePorts(replicas * 2);
  const ports = Array.from({ length: replicas }, (_, index) => ({ port: numbers[2 * index] ?? 0, probePort: numbers[2 * index + 1] ?? 0 }));
  const url = (port: number): string => `https://127.0.0.1:${port}/validate`;
  const inRelease = (...args: string[]): Promise<string> => use.kubectl(['-n', namespace, ...args]);
  await inRelease('create', 'secret', 'generic', name);
  t.teardown(() => inRelease('delete', 'secret', name));
  await inRelease('create', 'role', name, '--verb=get,watch,update', '--resource=secrets', `--resource-name=${name}`);
  await inRelease('create', 'role', `${name}-leases`, '--verb=get,create,update', '--resource=leases.coordination.k8s.io');
  for (const role of [name, `${name}-leases`]) {
    await inRelease('create', 'rolebinding', role, `--role=${role}`, `--serviceaccount=${namespace}:${webhookAccount}`);
    t.teardown(() => inRelease('delete', 'role,rolebinding', role));
  }
  await register(t, use, { name, url: url(ports[0]?.port ?? 0) });
  await allowConfiguration(t, use, name);
  const args = [
    ...['--kubeconfig', await use.kubeconfigFor({ namespace, name: webhookAccount }), '--host', '127.0.0.1', '--metrics-port', '0'],
    ...['--tls-mode', 'selfSigned', '--tls-secret-name', name, '--tls-dns-names', '127.0.0.1'],
    ...['--webhook-configuration', name, '--shutdown-delay', '100ms'],
  ];
  const secret = `/api/v1/namespaces/${namespace}/secrets/${name}`;
  const configuration = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${name}`;
  return { secret, configuration, url, ports, args };
}

async function register(t: Test, { kubectl, namespace }: ClusterUse, { name, url }: { name: string; url: string }): Promise<void> {
  const usual = webhookConfiguration(url, '');
  const [webhook] = usual['webhooks'] as readonly Record<string, unknown>[];
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  const input = JSON.stringify({ ...usual, metadata: { name }, webhooks: [{ ...webhook, namespaceSelector, clientConfig: { url } }] });
  await kubectl(['create', '-f', '-'], { input });
  t.teardown(() => kubectl(['delete', 'validatingwebhookconfiguration', name]));
}
