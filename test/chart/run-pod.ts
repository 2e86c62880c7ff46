import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import type { AnyObject } from '../cluster/admin.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/free-ports.ts';
import { writeAccountFolder, writeKubeconfigOf } from './pod-account.ts';
import { mountVolumes } from './pod-volumes.ts';

const COMMAND = join(import.meta.dirname, '../../bin/kro-graph');
const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';
const GRACE_MILLISECONDS = 30_000;
const LAST_LINES = 20;
/** Far above what a busy machine takes: a Pod that does not get ready says itself what is missing. */
const READY_WITHIN_MILLISECONDS = 180_000;

/** A Pod of a Deployment, as a process on this machine. */
export interface RunningPod {
  readonly logFile: string;
  /** Where it listens for admissions; empty for a controller. */
  readonly port: string;
  /** `http://127.0.0.1:PORT`, where its probes and its metrics are. */
  readonly probes: string;
  readonly metrics: string;
  /** Returns when startup and readiness probe say yes; throws when the process ends first. */
  readonly untilReady: () => Promise<void>;
  /** SIGTERM, and SIGKILL after the Pod's own grace period; returns the exit code. */
  readonly stop: () => Promise<number>;
  /** The last lines of its log: they tell why it ended as it did. */
  readonly lastWords: () => string;
}

/** Which Pod. */
export interface PodRequest {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** The Deployment's name. */
  readonly name: string;
  /** 0 has the ports of the Deployment, as the only one that `webhook.url` reaches; others get free ones. */
  readonly index?: number;
}

/**
 * Starts one Pod of a live Deployment: its command, args and environment, its volumes from the live Secrets (kept up to date, as kubelet
 * does), a token of its ServiceAccount. What a machine without kubelet lacks is given instead: a kubeconfig for the Pod's token folder,
 * loopback for the Pod's address, a free port for its probes.
 */
export async function runPod(t: Pick<Test, 'teardown'>, { cluster, namespace, name, index = 0 }: PodRequest): Promise<RunningPod> {
  const deployment = await cluster.admin.get(`/apis/apps/v1/namespaces/${namespace}/deployments/${name}`);
  if (deployment === undefined) throw new Error(`there is no Deployment ${namespace}/${name}`);
  const { spec } = deployment['spec'].template;
  const [container] = spec.containers;
  const folder = join(cluster.folder, `pod-${name}-${index}-${Date.now()}`);
  mkdirSync(folder);
  const volumes = await mountVolumes({ cluster, namespace, spec, container, folder: join(folder, 'volumes') });
  t.teardown(volumes.end);
  const kubeconfig = join(folder, 'kubeconfig');
  await writeKubeconfigOf({ cluster, namespace, account: spec.serviceAccountName, file: kubeconfig });
  const [probePort = 0, ...spare] = await freePorts(3);
  const args = [
    ...container.args.map(volumes.localize),
    ...['--kubeconfig', kubeconfig, '--host', '127.0.0.1', '--probe-port', String(probePort)],
    ...(index === 0 ? [] : replicaPorts(container, spare)),
  ];
  const logFile = join(folder, 'log');
  const log = openSync(logFile, 'a');
  const child = spawn(COMMAND, args, { env: environmentOf(container, volumes.localize), stdio: ['ignore', log, log] });
  closeSync(log);
  const { promise: exited, resolve } = Promise.withResolvers<number>();
  let code: number | undefined;
  child.once('error', () => resolve(1));
  // A signal is told as shells do, so that SIGKILL (137) is not taken for an exit code of the program.
  child.once('exit', (status, signal) => resolve(status ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  void exited.then((status) => {
    code = status;
  });
  const lastWords = (): string => readFileSync(logFile, 'utf8').split('\n').slice(-LAST_LINES).join('\n');
  const assertAlive = (): void => {
    if (code !== undefined) throw new Error(`${name} ended with ${code}:\n${lastWords()}`);
  };
  const stop = async (): Promise<number> => {
    child.kill('SIGTERM');
    const last = setTimeout(() => child.kill('SIGKILL'), spec.terminationGracePeriodSeconds * 1000 || GRACE_MILLISECONDS);
    const status = await exited;
    clearTimeout(last);
    volumes.end();
    return status;
  };
  t.teardown(stop);
  const probes = `http://127.0.0.1:${probePort}`;
  return {
    logFile,
    port: lastPort(args, '--port'),
    probes,
    metrics: `http://127.0.0.1:${lastPort(args, '--metrics-port')}/metrics`,
    untilReady: async () => {
      await untilProbed(probes, container.startupProbe, assertAlive);
      await untilProbed(probes, container.readinessProbe, assertAlive);
    },
    stop,
    lastWords,
  };
}

/** Runs a Pod to its end (the one of `helm test`): its exit code and its output. */
export async function runOnce(cluster: Cluster, pod: AnyObject): Promise<{ readonly code: number; readonly output: string }> {
  const { namespace, name } = pod['metadata'];
  const [container] = pod['spec'].containers;
  const folder = join(cluster.folder, `pod-${name}-${Date.now()}`);
  await writeAccountFolder({ cluster, namespace, account: pod['spec'].serviceAccountName, folder });
  const localize = (text: string): string => text.replaceAll(ACCOUNT_FOLDER, folder);
  const { hostname, port } = new URL(cluster.server);
  const [program, ...command] = container.command as string[];
  const child = spawn(program ?? '', [...command, ...container.args], {
    env: { ...environmentOf(container, localize), KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  return { code, output };
}

function environmentOf(container: AnyObject, localize: (text: string) => string): NodeJS.ProcessEnv {
  const given = (container['env'] ?? []).map(({ name, value }: { name: string; value: string }) => [name, localize(value)]);
  // The image's PATH finds Node; nothing else of this process's environment is in a Pod.
  return { PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter), ...Object.fromEntries(given) };
}

function replicaPorts(container: AnyObject, [port = 0, metricsPort = 0]: readonly number[]): string[] {
  const serves = (container['args'] as string[]).some((arg) => arg.startsWith('--port='));
  return [...(serves ? ['--port', String(port)] : []), '--metrics-port', String(metricsPort)];
}

function lastPort(args: readonly string[], flag: string): string {
  const index = args.lastIndexOf(flag);
  return index === -1 ? (args.findLast((arg) => arg.startsWith(`${flag}=`))?.split('=')[1] ?? '') : (args[index + 1] ?? '');
}

async function untilProbed(probes: string, probe: AnyObject, assertAlive: () => void): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MILLISECONDS;
  for (;;) {
    assertAlive();
    const said = await fetch(`${probes}${probe['httpGet'].path}`, {
      signal: AbortSignal.timeout((probe['timeoutSeconds'] ?? 1) * 1000),
    }).then(
      async (answer) => (answer.ok ? undefined : answer.text()),
      (error: Error) => error.message,
    );
    if (said === undefined) return;
    if (Date.now() > deadline) throw new Error(`${probe['httpGet'].path} says: ${said}`);
    await sleep(100);
  }
}
