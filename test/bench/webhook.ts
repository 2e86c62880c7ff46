import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import type { JsonObject } from '../../src/api/object.ts';
import { startCluster } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/free-ports.ts';
import { runKubectl } from '../cluster/kubectl.ts';
import { makeGraph, makeReview } from '../support/admission.ts';
import type { ClusterUse } from '../support/cluster.ts';
import { startWebhook, type TestWebhook } from '../support/webhook.ts';

const CONCURRENCIES = [1, 16, 64] as const;
const ROUND_MILLISECONDS = Number(process.env['BENCH_MILLISECONDS'] ?? 3000);
/** `BENCH_REQUESTS=100000` for the long run. */
const MEMORY_REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 10_000);
const MEBIBYTE = 1024 * 1024;
/** The chart's limit (`webhook.resources.limits.memory`) and its share of the main thread (`webhook.nodeOptions`), told to a process without container. */
const LIMIT_MEBIBYTES = 512;
const ENVIRONMENT = {
  NODE_OPTIONS: `--max-old-space-size=${LIMIT_MEBIBYTES / 4} --import=${join(import.meta.dirname, 'tools/limited.mjs')}`,
  KRO_GRAPH_BENCH_LIMIT: String(LIMIT_MEBIBYTES * MEBIBYTE),
};

/** What is asked about: a Graph of so many nodes. */
const GRAPHS: Readonly<Record<string, JsonObject>> = {
  'small (2 nodes)': graphOf(1),
  'typical (12 nodes)': graphOf(6),
  'large (1,000 nodes)': graphOf(500),
};

interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of CPU that a request costs the process. */
  readonly cpu: number;
  /** Answers that say that the Graph was not checked in time. */
  readonly late: number;
}

/**
 * Admissions a second and their latency, for Graphs of three sizes on 1, 16 and 64 connections, beside a bare Fastify TLS server that gets
 * the same bodies in the same run; and what many requests leave in memory. The load comes from this process, on the same machine.
 */
export async function run(): Promise<void> {
  const ends: (() => unknown)[] = [];
  const teardown = (end: () => unknown): void => void ends.unshift(end);
  const cluster = await startCluster();
  teardown(() => cluster.stop());
  try {
    const use: ClusterUse = {
      ...cluster,
      namespace: 'default',
      tryKubectl: (args, options) => runKubectl(args, { kubeconfig: cluster.kubeconfig, ...options }),
    };
    await use.kubectl(['create', 'serviceaccount', 'default', '--namespace', 'default']);
    await use.kubectl(['create', 'clusterrolebinding', 'applier', '--clusterrole=cluster-admin', '--serviceaccount=default:default']);
    const webhook = await startWebhook({ teardown }, use, { args: ['--log-level', 'error'], environment: ENVIRONMENT });
    const dispatcher = new Agent({ connect: { ca: webhook.certificates.certificateAuthority }, connections: 64, pipelining: 1 });
    teardown(() => dispatcher.close());
    const echo = await startEcho(webhook.certDir);
    teardown(() => echo.child.kill());
    await printSpeed({ webhook, echo: echo.url, dispatcher });
    await printMemory(webhook, dispatcher);
  } finally {
    for (const end of ends) await end();
  }
}

interface Sides {
  readonly webhook: TestWebhook;
  readonly echo: string;
  readonly dispatcher: Agent;
}

async function printSpeed({ webhook, echo, dispatcher }: Sides): Promise<void> {
  print('| Graph | KiB | connections | requests/s | p50 ms | p99 ms | CPU ms a request | late | of the echo’s rate | times its p50 |');
  print('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const [name, graph] of Object.entries(GRAPHS)) {
    const body = JSON.stringify(makeReview({ namespace: 'default', object: graph }));
    await assertAllowed(webhook.url, body, dispatcher);
    for (const connections of CONCURRENCIES) {
      const floor = await measure({ url: echo, body, connections, dispatcher });
      const found = await measure({ url: webhook.url, body, connections, dispatcher, pid: webhook.pid });
      const numbers = [
        (body.length / 1024).toFixed(1),
        connections,
        Math.round(found.perSecond),
        found.p50.toFixed(2),
        found.p99.toFixed(2),
        found.cpu.toFixed(2),
        found.late,
        (found.perSecond / floor.perSecond).toFixed(3),
        (found.p50 / floor.p50).toFixed(1),
      ];
      print(`| ${[name, ...numbers].join(' | ')} |`);
    }
  }
}

async function printMemory(webhook: TestWebhook, dispatcher: Agent): Promise<void> {
  const body = JSON.stringify(makeReview({ namespace: 'default', object: GRAPHS['typical (12 nodes)'] ?? {} }));
  print(`\n| requests | resident MiB |\n| ---: | ---: |\n| before | ${resident(webhook.pid, 'VmRSS')} |`);
  const parts = 5;
  for (let part = 1; part <= parts; part++) {
    await drive({ url: webhook.url, body, connections: 16, dispatcher }, (sent) => sent < MEMORY_REQUESTS / parts);
    print(`| ${Math.round((MEMORY_REQUESTS * part) / parts)} | ${resident(webhook.pid, 'VmRSS')} |`);
  }
  print(`| the highest of the whole run | ${resident(webhook.pid, 'VmHWM')} |`);
}

interface Load {
  readonly url: string;
  readonly body: string;
  readonly connections: number;
  readonly dispatcher: Agent;
  readonly pid?: number;
}

async function measure(load: Load): Promise<Figures> {
  const warmUp = performance.now() + ROUND_MILLISECONDS / 4;
  await drive(load, () => performance.now() < warmUp);
  const used = (): number => (load.pid === undefined ? 0 : cpuMilliseconds(load.pid));
  const before = used();
  const started = performance.now();
  const { times, late } = await drive(load, () => performance.now() < started + ROUND_MILLISECONDS);
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  const perSecond = (times.length / (performance.now() - started)) * 1000;
  return { perSecond, p50: at(0.5), p99: at(0.99), cpu: (used() - before) / times.length, late };
}

interface Driven {
  /** The milliseconds of each request. */
  readonly times: number[];
  readonly late: number;
}

/** One request after the other on each connection while it may go on. */
async function drive({ url, body, connections, dispatcher }: Load, mayGoOn: (sent: number) => boolean): Promise<Driven> {
  const times: number[] = [];
  let late = 0;
  let sent = 0;
  const lane = async (): Promise<void> => {
    while (mayGoOn(sent)) {
      sent++;
      const started = performance.now();
      const answer = await request(url, { dispatcher, method: 'POST', headers: { 'content-type': 'application/json' }, body });
      if ((await answer.body.text()).includes('"reason":"Timeout"')) late += 1;
      if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return { times, late };
}

async function assertAllowed(url: string, body: string, dispatcher: Agent): Promise<void> {
  const answer = await request(url, { dispatcher, method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const text = await answer.body.text();
  if (JSON.parse(text).response.allowed !== true) throw new Error(`the benchmark's Graph is refused: ${text}`);
}

/** MiB, as Linux counts them. */
function resident(pid: number, field: 'VmRSS' | 'VmHWM'): string {
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kibibytes) / 1024).toFixed(0);
}

/** CPU milliseconds that a process has used, with its threads; Linux counts in hundredths of a second. */
function cpuMilliseconds(pid: number): number {
  const [, text = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = text.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function startEcho(folder: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const [port = 0] = await freePorts(1);
  const program = join(import.meta.dirname, 'tools/tls-echo.ts');
  const child = spawn(process.execPath, [program, String(port), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return { url: `https://127.0.0.1:${port}/validate`, child };
}

/** So many pairs of a ConfigMap and a Deployment that reads it. */
function graphOf(pairs: number): JsonObject {
  const nodes = Array.from({ length: pairs }, (_, index): JsonObject[] => [
    {
      id: `config${index}`,
      template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `config-${index}` }, data: { title: `page ${index}` } },
    },
    {
      id: `web${index}`,
      template: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: `\${config${index}.metadata.name + '-web'}`, labels: { app: `web-${index}` } },
        spec: {
          replicas: 2,
          selector: { matchLabels: { app: `web-${index}` } },
          template: {
            metadata: { labels: { app: `web-${index}` } },
            spec: { containers: [{ name: 'web', image: 'nginx', env: [{ name: 'TITLE', value: `\${config${index}.data.title}` }] }] },
          },
        },
      },
      readyWhen: [`\${web${index}.status.?availableReplicas.orValue(0) > 0}`],
    },
  ]).flat();
  return makeGraph({ spec: { nodes }, metadata: { namespace: 'default' } });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
