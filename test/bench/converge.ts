import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startCluster } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/free-ports.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TOOLS = join(import.meta.dirname, 'tools');

/** Each scenario in a run of its own; `KRO_GRAPH_BENCH_SCENARIOS` (comma-separated) chooses others. */
const SCENARIOS = ['100x10', '1000x5', '1x500:collection', '1x50:chain', '50x7:nested', '20x5:patch', '20x5:webapp'];
const REST_SECONDS = process.env['KRO_GRAPH_BENCH_REST'] ?? '20';

/**
 * Reconciles fleets of Graphs on a real API server, with a meter that counts requests in its audit log and compares objects per second
 * with raw server-side apply (`ssaload`), taken before and after each scenario in the same run. Prints the meter's table.
 */
export async function run(): Promise<void> {
  const chosen = process.env['KRO_GRAPH_BENCH_SCENARIOS']?.split(',') ?? SCENARIOS;
  // A webapp is ready when the Deployment controller has seen its Deployment; in all others that controller would only be in the way.
  const isWebapp = (scenario: string): boolean => scenario.endsWith(':webapp');
  await measure(
    chosen.filter((scenario) => !isWebapp(scenario)),
    false,
  );
  await measure(chosen.filter(isWebapp), true);
}

async function measure(scenarios: readonly string[], controllerManager: boolean): Promise<void> {
  if (scenarios.length === 0) return;
  const cluster = await startCluster({ auditPolicy: readFileSync(join(TOOLS, 'audit-policy.yaml'), 'utf8'), controllerManager });
  try {
    const anchor = join(cluster.folder, 'ssaload');
    execFileSync('go', ['build', '-o', anchor, '.'], { cwd: join(TOOLS, 'ssaload'), stdio: 'inherit' });
    const pids = join(cluster.folder, 'pids');
    mkdirSync(pids);
    for (const [name, pid] of Object.entries(cluster.pids())) writeFileSync(join(pids, `${name}.pid`), String(pid));
    const [port0] = await freePorts(1);
    for (const scenario of scenarios) {
      await meter([
        ...['--kubeconfig', cluster.kubeconfig, '--audit-log', cluster.auditLog, '--pids-dir', pids],
        ...['--crds', join(ROOT, 'charts/kro-graph/files/crds'), '--anchor', anchor, '--port0', String(port0)],
        ...[
          '--controller-cmd',
          `${join(ROOT, 'bin/kro-graph')} controller --no-leader-elect --kubeconfig {kubeconfig} --probe-port {port0} --metrics-port {port1}`,
        ],
        ...['--scenario', scenario, '--rest', REST_SECONDS, '--restart', '--label', `kro-graph ${scenario}`],
        ...['--controller-log', join(cluster.folder, 'controller.log')],
      ]);
    }
  } finally {
    await cluster.stop();
  }
}

function meter(args: readonly string[]): Promise<void> {
  const child = spawn('python3', [join(TOOLS, 'converge.py'), ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => (code === 0 ? done() : fail(new Error(`converge.py ended with exit code ${code}`))));
  });
}
