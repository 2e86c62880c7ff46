import { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { JsonObject } from '../../src/api/object.ts';
import { issueAuthority, issueLeaf } from '../../webhook/certificates/issue.ts';
import { makeCertificates } from '../support/certs.ts';
import { useCluster } from '../support/cluster.ts';
import { startController } from '../support/controller.ts';
import { allowConfiguration, startWebhook, writePair } from '../support/webhook.ts';
import { spawnWebhook } from '../support/webhook-process.ts';

const HOSTS = ['127.0.0.1'];
const use = await useCluster(t);
const { admin, namespace } = use;
await use.kubectl(['create', 'rolebinding', 'graphs-apply', '--clusterrole=admin', `--serviceaccount=${namespace}:default`]);

const pathOf = (name: string): string => `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs/${name}`;
const configMap = (name: string): string => `/api/v1/namespaces/${namespace}/configmaps/${name}`;
const graph = (name: string, data: JsonObject = { color: 'blue' }): { readonly input: string } => ({
  input: JSON.stringify({
    apiVersion: 'kro.run/v1alpha1',
    kind: 'Graph',
    metadata: { name },
    spec: { nodes: [{ id: 'page', template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data } }] },
  }),
});
const create = (name: string) => use.tryKubectl(['create', '-f', '-'], graph(name));
const isReady = (object: JsonObject | undefined): boolean => JSON.stringify(object?.['status'] ?? '').includes('"state":"ACTIVE"');

/** Asks again until it is answered so: API servers learn of a registration with a delay. */
async function untilCreateSays(wanted: RegExp): Promise<string> {
  const deadline = Date.now() + 180_000;
  for (let attempt = 0; ; attempt++) {
    const { stdout, stderr } = await use.tryKubectl(['create', '--dry-run=server', '-f', '-'], graph(`asked-${attempt}`));
    const said = stdout + stderr;
    if (wanted.test(said)) return said;
    if (Date.now() > deadline) throw new Error(`kubectl does not say ${wanted}, it says: ${said}`);
    await sleep(200);
  }
}

const trust = async (configuration: string, certificateAuthority: string | undefined): Promise<void> => {
  const value = certificateAuthority === undefined ? undefined : Buffer.from(certificateAuthority).toString('base64');
  const path = '/webhooks/0/clientConfig/caBundle';
  const change = value === undefined ? { op: 'remove', path } : { op: 'add', path, value };
  await use.kubectl(['patch', 'validatingwebhookconfiguration', configuration, '--type=json', '-p', JSON.stringify([change])]);
};

t.test('the webhook is down: the controller repairs drift and tears down', { timeout: 300_000 }, async (t) => {
  const webhook = await startWebhook(t, use);
  await startController(t, use);
  for (const name of ['stays', 'goes']) {
    await use.kubectl(['create', '-f', '-'], graph(name));
    await admin.waitFor(pathOf(name), isReady);
  }
  await webhook.stop();
  const refused = await create('new');
  t.equal(refused.code, 1);
  t.match(refused.stderr, /failed calling webhook "validate\.graphs\.kro\.run".*127\.0\.0\.1/);

  await use.kubectl(['patch', 'configmap', 'stays', '--type=merge', '-p', '{"data":{"color":"red"}}']);
  await admin.waitFor(configMap('stays'), (object) => object?.['data'].color === 'blue');
  await use.kubectl(['delete', 'configmap', 'stays']);
  await admin.waitFor(configMap('stays'), (object) => object !== undefined);
  await use.kubectl(['delete', 'graph', 'goes', '--timeout=180s']);
  t.equal(await admin.get(configMap('goes')), undefined);

  const again = spawnWebhook(t, { args: webhook.args, folder: webhook.certDir });
  await again.untilReady(webhook.probes);
  t.match(await untilCreateSays(/created/), /created/, 'and when it is back, creates pass');
  await use.kubectl(['delete', 'graph', 'stays', '--timeout=180s']);
  await again.stop();
});

t.test('a certificate that expires while it is served', { timeout: 300_000 }, async (t) => {
  const webhook = await startWebhook(t, use);
  const authority = await issueAuthority('kro-graph test CA of bad days', { now: new Date(), milliseconds: 3_600_000 });
  const short = await issueLeaf(authority, HOSTS, { now: new Date(), milliseconds: 20_000 });
  writePair(webhook.certDir, short);
  await untilServed(webhook.metrics, short.certificate);
  await sleep(Math.max(0, new X509Certificate(short.certificate).validToDate.getTime() - Date.now()));
  // The API server goes on with open connections; for another bundle it opens new ones.
  await trust(webhook.configuration, authority.certificate);
  const said = await untilCreateSays(/certificate has expired/);
  t.match(
    said,
    /failed calling webhook "validate\.graphs\.kro\.run": .*x509: certificate has expired or is not yet valid: current time \S+ is after/,
  );
  webhook.assertAlive();
  t.match(
    await (await fetch(webhook.metrics)).text(),
    /^kro_graph_certificate_expiry_timestamp_seconds \d/m,
    'the metric that warns ahead',
  );

  writePair(webhook.certDir, await issueLeaf(authority, HOSTS, { now: new Date(), milliseconds: 3_600_000 }));
  t.match(await untilCreateSays(/created/), /created/, 'a new one is served without a restart');
  await webhook.stop();
});

t.test('a certificate that has expired already is not served, and readiness says when it did', { timeout: 300_000 }, async (t) => {
  const webhook = await startWebhook(t, use);
  await webhook.stop();
  writePair(webhook.certDir, await makeCertificates({ hosts: HOSTS, now: new Date('2020-01-01T00:00:00Z') }));
  const again = spawnWebhook(t, { args: webhook.args, folder: webhook.certDir });
  await untilReadyzSays(webhook.probes, /\[-\]certificate failed: the certificate in tls\.crt expired at 2020-01-02T00:00:00\.000Z/);
  t.equal((await fetch(`${webhook.probes}/livez`)).status, 200);
  t.match(await untilCreateSays(/failed calling webhook/), /failed calling webhook "validate\.graphs\.kro\.run"/);
  writePair(webhook.certDir, webhook.certificates);
  await again.untilReady(webhook.probes);
  await again.stop();
});

t.test('an empty CA bundle, as between an install and its injection', { timeout: 300_000 }, async (t) => {
  const webhook = await startWebhook(t, use);
  await trust(webhook.configuration, undefined);
  const said = await untilCreateSays(/certificate signed by unknown authority/);
  t.match(said, /failed calling webhook "validate\.graphs\.kro\.run": .*x509: certificate signed by unknown authority/);
  await webhook.stop();
  await allowConfiguration(t, use, webhook.configuration);
  const args = [...webhook.args, '--webhook-configuration', webhook.configuration];
  const again = spawnWebhook(t, { args, folder: webhook.certDir });
  await untilReadyzSays(webhook.probes, /\[-\]ca-bundle failed: the caBundle of "\S+" does not verify the certificate that is served/);
  await trust(webhook.configuration, webhook.certificates.certificateAuthority);
  await again.untilReady(webhook.probes);
  t.match(await untilCreateSays(/created/), /created/, 'once it is there, creates pass');
  await again.stop();
});

async function untilServed(metrics: string, certificate: string): Promise<void> {
  const until = new X509Certificate(certificate).validToDate.getTime() / 1000;
  for (;;) {
    const text = await (await fetch(metrics)).text();
    if (Number(/^kro_graph_certificate_expiry_timestamp_seconds (\S+)/m.exec(text)?.[1]) === until) return;
    await sleep(50);
  }
}

async function untilReadyzSays(probes: string, wanted: RegExp): Promise<void> {
  for (;;) {
    const said = await fetch(`${probes}/readyz?verbose`).then(
      (answer) => answer.text(),
      () => '',
    );
    if (wanted.test(said)) return;
    await sleep(50);
  }
}
