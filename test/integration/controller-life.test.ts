import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import t from 'tap';
import { startCluster } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/free-ports.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CRD = join(ROOT, 'charts/kro-graph/files/crds/graphs.yaml');
const GRAPH = (name: string, value: string): string =>
  JSON.stringify({
    apiVersion: 'kro.run/v1alpha1',
    kind: 'Graph',
    metadata: { name, namespace: 'default' },
    spec: {
      nodes: [{ id: 'note', template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `note-${name}` }, data: { k: value } } }],
    },
  });

interface Running {
  readonly process: ChildProcess;
  readonly probes: string;
  /** A metric's lines. */
  metric(name: string): Promise<readonly string[]>;
  log(): string;
}

async function startController(kubeconfig: string, ...more: readonly string[]): Promise<Running> {
  const [port = 0, metricsPort = 0] = await freePorts(2);
  const ports = ['--probe-port', String(port), '--metrics-port', String(metricsPort)];
  const flags = ['--kubeconfig', kubeconfig, '--host', '127.0.0.1', ...ports, ...more];
  const process = spawn(join(ROOT, 'bin/kro-graph'), ['controller', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [process.stdout, process.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  const metric = async (name: string): Promise<readonly string[]> => {
    const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return page.split('\n').filter((line) => line.startsWith(name));
  };
  return { process, probes: `http://127.0.0.1:${port}`, metric, log: () => text };
}

async function stop({ process }: Running, signal: NodeJS.Signals): Promise<number | null> {
  if (process.exitCode !== null) return process.exitCode;
  const ended = once(process, 'exit');
  process.kill(signal);
  await ended;
  return process.exitCode;
}

/** Waits until it is so; the probes of a process that has just begun refuse connections. */
async function until(what: string, isSo: () => Promise<boolean>, limit = 30_000): Promise<void> {
  const end = Date.now() + limit;
  while (Date.now() < end) {
    if (await isSo().catch(() => false)) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`not within ${limit} ms: ${what}`);
}

async function readiness({ probes }: Running): Promise<string> {
  return (await fetch(`${probes}/readyz?verbose`)).text();
}

t.test('a controller waits for the Graph CRD, hands its Lease over, and outlives the API server', { timeout: 240_000 }, async (t) => {
  const cluster = await startCluster();
  t.teardown(() => cluster.stop());
  await cluster.admin.request({
    method: 'POST',
    path: '/api/v1/namespaces/default/serviceaccounts',
    body: { metadata: { name: 'default' } },
  });
  await cluster.kubectl(['create', 'clusterrolebinding', 'all', '--clusterrole=cluster-admin', '--group=system:serviceaccounts']);
  const note = async (name: string): Promise<string | undefined> =>
    (await cluster.admin.get(`/api/v1/namespaces/default/configmaps/note-${name}`))?.['data']?.['k'];

  const reasons = async (name: string): Promise<string[]> => {
    const list = await cluster.admin.get('/apis/events.k8s.io/v1/namespaces/default/events');
    const about = (list?.['items'] ?? []).filter(
      (event: { readonly regarding: { readonly name: string } }) => event.regarding.name === name,
    );
    return about.map(({ reason }: { readonly reason: string }) => reason);
  };

  const first = await startController(cluster.kubeconfig);
  t.teardown(() => stop(first, 'SIGKILL'));
  await t.test('without the CRD it is live, says what is missing, and is ready once it is there', async (t) => {
    await until('it says what is missing', async () => (await readiness(first)).includes('the Graph CRD is not installed'));
    t.match(
      await first.metric('kro_graph_graphs{state="UNKNOWN"}'),
      ['kro_graph_graphs{state="UNKNOWN"} 0'],
      'no Graphs are not no controller',
    );
    t.match(first.log(), /the Graph CRD is not installed: waiting for it/);
    await cluster.kubectl(['apply', '--server-side', '--filename', CRD]);
    await until('ready', async () => (await readiness(first)).includes('readyz check passed'));
    await cluster.kubectl(['apply', '--server-side', '--filename', '-'], { input: GRAPH('a', '1') });
    await until('the Graph is real', async () => (await note('a')) === '1');
  });

  // Good news is bounded for the whole process, so that it is certain of its first Graph alone.
  await t.test('a Graph that converges at once tells that it was accepted, and that it is applied', async (t) => {
    const told = async (): Promise<string[]> => (await reasons('a')).sort();
    await until('it is applied', async () => (await told()).includes('Applied'));
    t.same(await told(), ['Accepted', 'Applied']);
  });

  await t.test('what it applies and prunes is counted by result', async (t) => {
    await cluster.kubectl(['apply', '--server-side', '--filename', '-'], { input: GRAPH('a', '1').replace('note-a', 'other-a') });
    await until('the former object is gone', async () => (await note('a')) === undefined);
    await until('the deletion is counted', async () =>
      (await first.metric('kro_graph_prunes_total')).includes('kro_graph_prunes_total{result="deleted"} 1'),
    );
    t.ok((await first.metric('kro_graph_applies_total')).includes('kro_graph_applies_total{result="applied"} 2'));
  });

  const second = await startController(cluster.kubeconfig);
  t.teardown(() => stop(second, 'SIGKILL'));
  await t.test('a second one waits for the Lease, ready, and takes over at once when the first ends', async (t) => {
    await until('the second is ready', async () => (await readiness(second)).includes('readyz check passed'));
    t.notMatch(second.log(), /"leading"/);
    t.same(await first.metric('leader_election_master_status'), ['leader_election_master_status{name="kro-graph-controller"} 1']);
    t.same(await second.metric('leader_election_master_status'), ['leader_election_master_status{name="kro-graph-controller"} 0']);
    t.match(await first.metric('kro_graph_graphs{state="ACTIVE"}'), ['kro_graph_graphs{state="ACTIVE"} 1']);
    t.match(
      await second.metric('kro_graph_graphs{state="ACTIVE"}'),
      ['kro_graph_graphs{state="ACTIVE"} 0'],
      'the leader counts the Graphs',
    );
    t.match(await second.metric('workqueue_depth'), ['workqueue_depth{name="graph",controller="graph"} 0'], 'and has a backlog');
    t.equal(await stop(first, 'SIGTERM'), 0, 'an orderly end');
    await cluster.kubectl(['apply', '--server-side', '--filename', '-'], { input: GRAPH('a', '2') });
    await until('the second works', async () => (await note('a')) === '2', 10_000);
    t.match(second.log(), /"leading"/);
  });

  await t.test('it goes on when the API server is back', async () => {
    await cluster.stopApiServer();
    await new Promise((done) => setTimeout(done, 12_000));
    await cluster.startApiServer();
    await cluster.kubectl(['apply', '--server-side', '--filename', '-'], { input: GRAPH('b', '3') });
    await until('it works again', async () => (await note('b')) === '3', 60_000);
  });

  await t.test('a Graph is torn down by whoever leads', async () => {
    await cluster.kubectl(['delete', 'graphs', '--all', '--namespace', 'default', '--timeout=30s']);
    await until('the objects are gone', async () => (await note('a')) === undefined && (await note('b')) === undefined);
  });
});

const REFUSED: readonly [title: string, args: readonly string[], message: RegExp][] = [
  ['a kubeconfig that is not there', ['--kubeconfig', '/nowhere/config'], /cannot read kubeconfig \/nowhere\/config/],
  ['a flag that does not exist', ['--concurency', '3'], /unknown option '--concurency'/],
  ['a value that is none', ['--concurrency', 'many'], /--concurrency: /],
];
for (const [title, args, message] of REFUSED) {
  t.test(`${title} is told in one line, with exit code 2`, async (t) => {
    const process = spawn(join(ROOT, 'bin/kro-graph'), ['controller', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    process.stderr.on('data', (chunk) => (text += String(chunk)));
    const [code] = await once(process, 'exit');
    t.equal(code, 2);
    t.match(text, message);
    t.equal(text.trim().split('\n').length, 1);
  });
}
