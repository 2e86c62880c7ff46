import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { freePorts } from '../cluster/free-ports.ts';
import type { ClusterUse } from './cluster.ts';
import { installGraphs, RELEASE } from './webhook.ts';

const COMMAND = resolve(import.meta.dirname, '../../bin/kro-graph');
const GRACE_MILLISECONDS = 15_000;
const READY_MILLISECONDS = 60_000;

/** `bin/kro-graph controller` as a process of its own, with the chart's rights. */
export interface TestController {
  readonly logFile: string;
  readonly probes: string;
  /** SIGTERM, later SIGKILL; returns the exit code when it has ended. */
  readonly stop: () => Promise<number>;
}

/** What differs from the usual controller. */
export interface ControllerOptions {
  readonly args?: readonly string[];
}

/** Installs CRD and rights and starts a controller of the Graphs of this test's namespace alone; it ends with the test at the latest. */
export async function startController(
  t: Pick<Test, 'teardown'>,
  use: ClusterUse,
  options: ControllerOptions = {},
): Promise<TestController> {
  await installGraphs(use);
  const { namespace, controllerAccount } = RELEASE;
  const folder = mkdtempSync(join(tmpdir(), 'kro-graph-controller-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const [probePort = 0] = await freePorts(1);
  const args = [
    ...['controller', '--kubeconfig', await use.kubeconfigFor({ namespace, name: controllerAccount })],
    ...['--host', '127.0.0.1', '--probe-port', String(probePort), '--metrics-port', '0'],
    ...['--no-leader-elect', '--watch-namespaces', use.namespace],
    ...(options.args ?? []),
  ];
  const logFile = join(folder, 'controller.log');
  const log = openSync(logFile, 'a');
  const child = spawn(COMMAND, args, { stdio: ['ignore', log, log] });
  closeSync(log);
  const { promise: exited, resolve: end } = Promise.withResolvers<number>();
  child.once('error', () => end(1));
  child.once('exit', (code) => end(code ?? 1));
  const stop = async (): Promise<number> => {
    child.kill('SIGTERM');
    const last = setTimeout(() => child.kill('SIGKILL'), GRACE_MILLISECONDS);
    const code = await exited;
    clearTimeout(last);
    return code;
  };
  t.teardown(stop);
  const probes = `http://127.0.0.1:${probePort}`;
  await untilReady(probes, () => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the controller has ended:\n${readFileSync(logFile, 'utf8').split('\n').slice(-10).join('\n')}`);
  });
  return { logFile, probes, stop };
}

async function untilReady(probes: string, assertAlive: () => void): Promise<void> {
  const deadline = Date.now() + READY_MILLISECONDS;
  for (;;) {
    assertAlive();
    const said = await fetch(`${probes}/readyz?verbose`).then(
      async (answer) => (answer.ok ? undefined : answer.text()),
      (error: Error) => error.message,
    );
    if (said === undefined) return;
    if (Date.now() > deadline) throw new Error(`the controller is not ready: ${said}`);
    await sleep(50);
  }
}
