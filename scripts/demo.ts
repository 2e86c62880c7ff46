import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { styleText } from 'node:util';
import { type Cluster, startCluster } from '../test/cluster/cluster.ts';
import { freePorts } from '../test/cluster/free-ports.ts';
import { makeCertificates } from '../test/support/certs.ts';
import { type Door, openDoor } from './demo/doors.ts';
import { accessObjects, CRD_FOLDER, type Release, webhookConfiguration } from './demo/installation.ts';
import { DemoFailed, type Stage, setStage } from './demo/stage.ts';
import { applySample, deleteSample, refuseMistakes, repairDrift } from './demo/story.ts';

const NAMESPACE = 'demo';
const RELEASE: Release = { namespace: 'kro-system', webhookAccount: 'kro-graph-webhook', controllerAccount: 'kro-graph-controller' };

const once = process.argv.includes('--once');
const folder = mkdtempSync(join(tmpdir(), 'kro-graph-demo-'));
const interrupted = new Promise<void>((resolve) => {
  // Also more than one of them: a terminal that is closed sends SIGHUP, and then the parent is gone (SIGTERM).
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
});

let cluster: Cluster | undefined;
const doors: Door[] = [];
try {
  await Promise.race([play(), interrupted.then(() => Promise.reject(new DemoFailed('interrupted')))]);
  if (!once) await leaveRunning();
} catch (error) {
  if (!(error instanceof DemoFailed)) throw error;
  process.stderr.write(`\n${styleText('red', `The demo failed: ${error.message}`)}\n`);
  for (const door of doors) process.stderr.write(`A server's log: ${door.logFile}\n`);
  process.exitCode = 1;
} finally {
  await Promise.all(doors.map((door) => door.stop()));
  await cluster?.stop();
  if (process.exitCode !== 1) rmSync(folder, { recursive: true, force: true });
}

async function play(): Promise<void> {
  process.stdout.write(styleText('bold', 'kro-graph: a Graph from kubectl apply to live objects\n'));
  process.stdout.write('\nStarting etcd, kube-apiserver, kube-controller-manager, kube-scheduler and a fake node …\n');
  cluster = await startCluster({ controllerManager: true, scheduler: true, fakeNodes: 1 });
  const stage = setStage(cluster.kubeconfig, NAMESPACE);
  await install(cluster, stage);
  await applySample(stage, { kubeconfig: cluster.kubeconfig, namespace: NAMESPACE });
  await refuseMistakes(stage);
  await repairDrift(stage);
  await deleteSample(stage);
  for (const door of doors) door.assertAlive();
  process.stdout.write(styleText('green', '\nEvery step did what it should.\n'));
}

async function install(cluster: Cluster, stage: Stage): Promise<void> {
  stage.step('Install: the Graph API, rights, the two servers and the webhook');
  await stage.kubectl('apply', '--server-side', '-f', relative('.', CRD_FOLDER));
  await stage.kubectl('wait', '--for=condition=Established', 'crd/graphs.kro.run');
  await stage.apply({ apiVersion: 'v1', kind: 'List', items: accessObjects(RELEASE) });
  const [port, webhookProbes, controllerProbes] = await freePorts(3);
  if (port === undefined || webhookProbes === undefined || controllerProbes === undefined) throw new DemoFailed('no free ports');

  const certificates = await makeCertificates({ hosts: ['127.0.0.1'] });
  writeFileSync(join(folder, 'tls.crt'), certificates.certificate);
  writeFileSync(join(folder, 'tls.key'), certificates.key, { mode: 0o600 });
  const { namespace, webhookAccount, controllerAccount } = RELEASE;
  const kubeconfigFor = (name: string): Promise<string> => cluster.kubeconfigFor({ namespace, name });
  const own = ['--controller-service-account', `${namespace}/${controllerAccount}`];
  doors.push(
    ...(await Promise.all([
      openDoor({
        name: 'webhook',
        folder,
        probePort: webhookProbes,
        args: [
          '--kubeconfig',
          await kubeconfigFor(webhookAccount),
          '--host',
          '127.0.0.1',
          '--port',
          String(port),
          '--cert-dir',
          folder,
          '--metrics-port',
          '0',
          ...own,
        ],
      }),
      openDoor({
        name: 'controller',
        folder,
        probePort: controllerProbes,
        args: ['--kubeconfig', await kubeconfigFor(controllerAccount), '--host', '127.0.0.1', '--metrics-port', '0'],
      }),
    ])),
  );
  stage.say('Both servers run on this machine as the ServiceAccounts of the chart, with its rights and no others.');
  const registration = webhookConfiguration(`https://127.0.0.1:${port}/validate`, certificates.certificateAuthority);
  await stage.apply(registration);
  await stage.kubectl('get', 'validatingwebhookconfigurations');
  await stage.kubectl('create', 'namespace', NAMESPACE);
  stage.say("A Graph acts as a ServiceAccount of its namespace, so that account's rights decide what it may do:");
  await stage.kubectl('create', 'rolebinding', 'graphs-may-edit', '--clusterrole=edit', `--serviceaccount=${NAMESPACE}:default`);
}

async function leaveRunning(): Promise<void> {
  const command = resolve(import.meta.dirname, '../bin/kro-graph');
  process.stdout.write(`
The cluster and both servers stay up. In another terminal:

    export KUBECONFIG=${cluster?.kubeconfig}
    kubectl apply -n ${NAMESPACE} -f examples/guestbook.yaml
    ${relative('.', command)} tree guestbook -n ${NAMESPACE}

Ctrl-C ends all of it.
`);
  await interrupted;
}
