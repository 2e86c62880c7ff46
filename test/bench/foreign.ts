import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from '../cluster/admin.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** `KRO_GRAPH_BENCH_FOREIGN` chooses another number of Pods; the figure to beat is for 50,000 (RSS under 256 MiB). */
const PODS = Number(process.env['KRO_GRAPH_BENCH_FOREIGN'] ?? '50000');
const GRAPHS = 20;
/** Creates that are under way at once. */
const AT_ONCE = 48;
const SETTLE_SECONDS = 240;

/**
 * A cluster with many Pods that no Graph made: what the controller weighs beside them. First with Graphs that make and read Pods of their own
 * namespace; then with one more that selects among all Pods of the cluster, so that all of them are watched.
 */
export async function run(): Promise<void> {
  const cluster = await startCluster();
  try {
    await prepare(cluster);
    const rows = [['idle, nothing foreign', await weigh(cluster, async () => {})]];
    const took = await makeForeign(cluster.admin);
    process.stdout.write(`${PODS} foreign Pods made in ${took.toFixed(0)} s\n\n`);
    rows.push(['idle', await weigh(cluster, async () => {})]);
    rows.push([`${GRAPHS} Graphs with Pods of their own namespace`, await weigh(cluster, () => makeOwn(cluster.admin))]);
    rows.push(['and one that selects among all Pods', await weigh(cluster, () => makeSelecting(cluster.admin))]);
    process.stdout.write(`| beside ${PODS} foreign Pods | RSS MiB | highest MiB |\n| --- | --- | --- |\n`);
    for (const [title, weight] of rows) process.stdout.write(`| ${title} | ${weight} |\n`);
  } finally {
    await cluster.stop();
  }
}

async function prepare({ admin, kubectl }: Cluster): Promise<void> {
  await kubectl(['apply', '--server-side', '--filename', join(ROOT, 'charts/kro-graph/files/crds')]);
  await kubectl(['wait', '--for=condition=Established', 'crd/graphs.kro.run']);
  await kubectl(['create', 'clusterrolebinding', 'all', '--clusterrole=cluster-admin', '--group=system:serviceaccounts']);
  for (const name of ['foreign', 'own']) {
    await admin.create('/api/v1/namespaces', { metadata: { name } });
    await admin.create(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
  }
}

function pod(name: string): object {
  return {
    metadata: { name, labels: { app: 'foreign' } },
    spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'none' }] },
  };
}

/** Returns the seconds it took. */
async function makeForeign(admin: Admin): Promise<number> {
  const began = performance.now();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < PODS) {
      const name = `pod-${next++}`;
      await admin.create('/api/v1/namespaces/foreign/pods', pod(name));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return (performance.now() - began) / 1000;
}

async function makeOwn(admin: Admin): Promise<void> {
  for (let at = 0; at < GRAPHS; at++) {
    const name = `own-${at}`;
    const template = { apiVersion: 'v1', kind: 'Pod', ...pod(name) };
    const note = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { pod: '${pod.metadata.name}' } };
    await makeGraph(admin, name, [
      { id: 'pod', template },
      { id: 'note', template: note },
    ]);
  }
}

async function makeSelecting(admin: Admin): Promise<void> {
  const ref = { apiVersion: 'v1', kind: 'Pod', metadata: { selector: { matchLabels: { app: 'nothing-has-it' } } } };
  const note = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'count' }, data: { size: '${string(size(picked))}' } };
  await makeGraph(admin, 'selecting', [
    { id: 'picked', ref },
    { id: 'note', template: note },
  ]);
}

async function makeGraph(admin: Admin, name: string, nodes: readonly object[]): Promise<void> {
  const metadata = { name, namespace: 'own' };
  await admin.create('/apis/kro.run/v1alpha1/namespaces/own/graphs', {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'Graph',
    metadata,
    spec: { nodes },
  });
}

/** Starts a controller, does something, waits until every Graph is ready and returns what the controller weighs then, and weighed at most. */
async function weigh({ kubeconfig, admin }: Cluster, action: () => Promise<void>): Promise<string> {
  const args = ['controller', '--no-leader-elect', '--kubeconfig', kubeconfig, '--probe-port', '0', '--metrics-port', '0'];
  const controller = spawn(join(ROOT, 'bin/kro-graph'), args, { stdio: 'ignore' });
  try {
    await action();
    await settled(admin);
    await sleep(5000);
    return [memoryOf(controller, 'VmRSS'), memoryOf(controller, 'VmHWM')].map((bytes) => bytes.toFixed(0)).join(' | ');
  } finally {
    controller.kill('SIGTERM');
    await once(controller, 'exit');
  }
}

async function settled(admin: Admin): Promise<void> {
  const deadline = Date.now() + SETTLE_SECONDS * 1000;
  for (;;) {
    // A server that has just learnt of the kind may not list it yet.
    const { status: code, body } = await admin.request({ path: '/apis/kro.run/v1alpha1/graphs' });
    const graphs: readonly { readonly status?: { readonly state?: string } }[] = body['items'] ?? [];
    if (code === 200 && graphs.every(({ status }) => status?.state === 'ACTIVE')) return;
    if (Date.now() > deadline) throw new Error(`not every Graph is ready within ${SETTLE_SECONDS} s`);
    await sleep(500);
  }
}

/** MiB, as the kernel counts them. */
function memoryOf({ pid }: ChildProcess, field: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`^${field}:\\s+([0-9]+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1024;
}
