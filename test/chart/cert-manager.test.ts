import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import type { AnyObject } from '../cluster/admin.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { ensureTool } from '../cluster/ensure-tool.ts';
import { requestsFrom } from './audit.ts';
import { applyGraph, greeting, makeTenant, untilJudged, wrongGreeting } from './graphs.ts';
import { installCertManagerKinds } from './kinds.ts';
import { startLoad } from './load.ts';
import { merge, startRelease, withChart } from './release.ts';
import { untilServed } from './served.ts';

const TENANT = 'tenant';
const REGISTRATION = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/kro-graph';

test('certManager: its own controllers issue and inject; leaf and CA are renewed under load, and no request is lost', async (t) => {
  const { cluster, namespace, local, helm, pod } = await startRelease(t);
  const { admin } = cluster;
  const port: number = local['webhook'].containerPort;
  await t.rejects(
    helm(withChart('install', 'kro-graph'), local),
    /this cluster has no cert-manager/,
    'without cert-manager it is refused in a sentence',
  );
  await installCertManagerKinds(cluster);
  await startCertManager(t, cluster);
  await makeTenant(cluster, TENANT);

  await helm(withChart('install', 'kro-graph'), local);
  await (await pod({ name: 'kro-graph-webhook' })).untilReady();
  await untilJudged(cluster, TENANT);
  t.match((await applyGraph(cluster, TENANT, wrongGreeting('wrong'))).said, /settigns/, 'a wrong Graph is refused');
  t.equal((await applyGraph(cluster, TENANT, greeting('right'))).code, 0, 'a right one admitted');

  const bundle = async (): Promise<string> => (await admin.get(REGISTRATION))?.['webhooks'][0].clientConfig.caBundle;
  const first = await bundle();
  const load = startLoad(t, cluster, { namespace: TENANT });
  const renewed = await renew(cluster, namespace, 'kro-graph-webhook', 'kro-graph-webhook-tls');
  await untilServed(port, renewed);
  t.equal(await bundle(), first, 'a new leaf leaves the bundle alone');
  await renew(cluster, namespace, 'kro-graph-webhook-ca', 'kro-graph-webhook-ca');
  await admin.waitFor(REGISTRATION, (found) => found?.['webhooks'][0].clientConfig.caBundle !== first);
  t.equal(pem(await bundle()).match(/BEGIN/g)?.length, 1, 'the injector has put a new CA in place of the old one');
  t.ok(new X509Certificate(pem(await bundle())).publicKey.equals(new X509Certificate(pem(first)).publicKey), 'a new CA keeps its key');
  const after = await renew(cluster, namespace, 'kro-graph-webhook', 'kro-graph-webhook-tls');
  await untilServed(port, after);
  const injected = await bundle();
  await helm(withChart('upgrade', 'kro-graph'), merge(local, { webhook: { replicas: 3 } }));
  t.equal(await bundle(), injected, 'an upgrade leaves the injected bundle alone');
  const { sent, failures } = await load.end();
  t.ok(sent > 50, `${sent} requests`);
  t.strictSame(failures, [], 'all of them were answered');
  t.strictSame(requestsFrom(cluster, namespace).forbidden, [], 'the rights of the chart suffice');
});

function pem(caBundle: string): string {
  return Buffer.from(caBundle, 'base64').toString();
}

/** Marks a Certificate as `cmctl renew` does, and returns the new certificate of its Secret. */
async function renew({ admin }: Cluster, namespace: string, certificate: string, secret: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/secrets/${secret}`;
  const leafOf = (found: AnyObject | undefined): string => Buffer.from(found?.['data']?.['tls.crt'] ?? '', 'base64').toString();
  const before = leafOf(await admin.get(path));
  const object = `/apis/cert-manager.io/v1/namespaces/${namespace}/certificates/${certificate}`;
  const live = await admin.get(object);
  const condition = {
    type: 'Issuing',
    status: 'True',
    reason: 'ManuallyTriggered',
    message: 'renewed by the test',
    lastTransitionTime: new Date().toISOString(),
    observedGeneration: live?.['metadata'].generation,
  };
  const others = (live?.['status']?.conditions ?? []).filter(({ type }: AnyObject) => type !== 'Issuing');
  await admin.patch(`${object}/status`, { status: { conditions: [...others, condition] } });
  return leafOf(await admin.waitFor(path, (found) => leafOf(found) !== before, 180_000));
}

async function startCertManager(t: Test, cluster: Cluster): Promise<void> {
  const file = join(cluster.folder, 'cert-manager.log');
  const log = openSync(file, 'a');
  const child = spawn(await ensureTool('cert-manager'), [`--kubeconfig=${cluster.kubeconfig}`], { stdio: ['ignore', log, log] });
  closeSync(log);
  let isEnding = false;
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      if (!isEnding) t.fail(`cert-manager ended:\n${readFileSync(file, 'utf8').slice(-2000)}`);
      resolve();
    });
  });
  t.teardown(async () => {
    isEnding = true;
    child.kill('SIGKILL');
    await ended;
  });
}
