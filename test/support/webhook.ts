import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { accessObjects, CRD_FOLDER, webhookConfiguration } from '../../scripts/demo/installation.ts';
import type { JsonObject } from '../../src/api/object.ts';
import { freePorts } from '../cluster/free-ports.ts';
import { makeCertificates, type TestCertificates } from './certs.ts';
import type { ClusterUse } from './cluster.ts';
import { spawnWebhook, type WebhookProcess } from './webhook-process.ts';

/** Where the webhook's own ServiceAccount is, with the rights of the chart and no others. */
export const RELEASE = { namespace: 'kro-system', webhookAccount: 'kro-graph-webhook', controllerAccount: 'kro-graph-controller' };

const HOSTS = ['127.0.0.1'];

/** How a test's webhook differs from the usual one. */
export interface WebhookOptions {
  /** More flags, such as `--policy-permissions deny`. */
  readonly args?: readonly string[];
  /** Members that the registration's webhook gets instead of the usual ones. */
  readonly registration?: JsonObject;
  /** Environment variables besides those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A webhook that runs as a process of its own and is asked about the Graphs of one test's namespace. */
export interface TestWebhook extends WebhookProcess {
  /** `https://127.0.0.1:PORT/validate`. */
  readonly url: string;
  readonly port: number;
  readonly probes: string;
  readonly metrics: string;
  /** `tls.crt` and `tls.key` are in it; what is written there is served. */
  readonly certDir: string;
  readonly certificates: TestCertificates;
  /** The registration's name; it stays until the test ends, also after `stop`. */
  readonly configuration: string;
  /** The flags that it was started with. */
  readonly args: readonly string[];
}

/** Installs CRD and rights, starts `bin/kro-graph webhook` and registers it for the test's namespace alone; all of it ends with the test. */
export async function startWebhook(t: Pick<Test, 'teardown'>, use: ClusterUse, options: WebhookOptions = {}): Promise<TestWebhook> {
  await installGraphs(use);
  const certDir = mkdtempSync(join(tmpdir(), 'kro-graph-webhook-'));
  t.teardown(() => rmSync(certDir, { recursive: true, force: true }));
  const certificates = await makeCertificates({ hosts: HOSTS });
  writePair(certDir, certificates);
  const [port = 0, probePort = 0, metricsPort = 0] = await freePorts(3);
  const args = await flags(use, { certDir, port, probePort, metricsPort, options });
  const probes = `http://127.0.0.1:${probePort}`;
  const started = spawnWebhook(t, { args, folder: certDir, environment: options.environment });
  await started.untilReady(probes);
  const url = `https://127.0.0.1:${port}/validate`;
  const configuration = await register(t, use, { url, certificates, options });
  return {
    url,
    port,
    probes,
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
    certDir,
    certificates,
    configuration,
    args,
    ...started,
  };
}

/** Writes a pair where a webhook looks for it. */
export function writePair(certDir: string, { certificate, key }: Pick<TestCertificates, 'certificate' | 'key'>): void {
  writeFileSync(join(certDir, 'tls.key'), key, { mode: 0o600 });
  writeFileSync(join(certDir, 'tls.crt'), certificate);
}

/** The Graph API, and the accounts of the release with the chart's rights; as often as you like. */
export async function installGraphs({ kubectl }: Pick<ClusterUse, 'kubectl'>): Promise<void> {
  await kubectl(['apply', '--server-side', '--force-conflicts', '-f', CRD_FOLDER]);
  const items = accessObjects(RELEASE);
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-', '--namespace', ''], { input });
  await kubectl(['wait', '--for=condition=Established', 'crd/graphs.kro.run']);
}

/** What the chart allows a webhook that is told `--webhook-configuration`: to read that one, and to write its caBundle. */
export async function allowConfiguration(t: Pick<Test, 'teardown'>, use: ClusterUse, configuration: string): Promise<void> {
  const { namespace, webhookAccount } = RELEASE;
  const resource = 'validatingwebhookconfigurations.admissionregistration.k8s.io';
  await use.kubectl([
    'create',
    'clusterrole',
    configuration,
    '--verb=get,watch,patch',
    `--resource=${resource}`,
    `--resource-name=${configuration}`,
  ]);
  t.teardown(() => use.tryKubectl(['delete', 'clusterrole', configuration]));
  const subject = `--serviceaccount=${namespace}:${webhookAccount}`;
  await use.kubectl(['create', 'clusterrolebinding', configuration, `--clusterrole=${configuration}`, subject]);
  t.teardown(() => use.tryKubectl(['delete', 'clusterrolebinding', configuration]));
}

interface FlagNeeds {
  readonly certDir: string;
  readonly port: number;
  readonly probePort: number;
  readonly metricsPort: number;
  readonly options: WebhookOptions;
}

async function flags(use: ClusterUse, { certDir, port, probePort, metricsPort, options }: FlagNeeds): Promise<string[]> {
  const { namespace, webhookAccount, controllerAccount } = RELEASE;
  return [
    ...['--kubeconfig', await use.kubeconfigFor({ namespace, name: webhookAccount })],
    ...['--host', '127.0.0.1', '--port', String(port)],
    ...['--probe-port', String(probePort), '--metrics-port', String(metricsPort)],
    ...['--cert-dir', certDir, '--shutdown-delay', '300ms'],
    ...['--controller-service-account', `${namespace}/${controllerAccount}`],
    ...(options.args ?? []),
  ];
}

interface Registration {
  readonly url: string;
  readonly certificates: TestCertificates;
  readonly options: WebhookOptions;
}

/** The chart's registration, narrowed to one namespace, since tests share a cluster. Returns its name. */
async function register(t: Pick<Test, 'teardown'>, use: ClusterUse, { url, certificates, options }: Registration): Promise<string> {
  const name = `kro-graph-${use.namespace}`;
  const usual = webhookConfiguration(url, certificates.certificateAuthority);
  const [webhook] = usual['webhooks'] as readonly JsonObject[];
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': use.namespace } };
  const manifest = { ...usual, metadata: { name }, webhooks: [{ ...webhook, namespaceSelector, ...options.registration }] };
  const input = JSON.stringify(manifest);
  await use.kubectl(['apply', '--server-side', '-f', '-'], { input });
  t.teardown(() => use.tryKubectl(['delete', 'validatingwebhookconfiguration', name, '--ignore-not-found']));
  await untilAsked(use);
  return name;
}

/** API servers learn of a registration with a delay: returns when a Graph without nodes that only we refuse is refused. */
async function untilAsked(use: ClusterUse): Promise<void> {
  const nodes = [{ id: 'probe', def: { a: '${nobody.knows.this}' } }];
  const probe = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name: 'webhook-probe' }, spec: { nodes } };
  const deadline = Date.now() + 90_000;
  for (;;) {
    const { code, stderr } = await use.tryKubectl(['create', '--dry-run=server', '-f', '-'], { input: JSON.stringify(probe) });
    if (code !== 0 && /nobody/.test(stderr)) return;
    if (Date.now() > deadline) throw new Error(`the API server does not ask the webhook: ${stderr || 'it admitted a wrong Graph'}`);
  }
}
