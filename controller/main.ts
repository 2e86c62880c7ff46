import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import manifest from '../package.json' with { type: 'json' };
import { nearest } from '../src/diagnostic/nearest.ts';
import { systemClock } from '../src/kube/clock.ts';
import { type ClusterAccess, loadConfig } from '../src/kube/config.ts';
import { ConfigError } from '../src/kube/config-error.ts';
import { Http } from '../src/kube/http.ts';
import { createClient } from '../src/kube/json-client.ts';
import { Election, giveBackWithin } from '../src/kube/lease.ts';
import { Lifecycle } from '../src/service/lifecycle.ts';
import { createLog, type Log } from '../src/service/log.ts';
import { createMetrics } from '../src/service/metrics.ts';
import type { ValuesOf } from '../src/service/option.ts';
import { CONTROLLER } from '../src/service/options.ts';
import { parseOptions } from '../src/service/parse-options.ts';
import { eventLoopCheck, startMetricsServer, startProbes } from '../src/service/probes.ts';
import { strayVariables, variablesOf } from '../src/service/stray-variables.ts';
import { Controller } from './controller.ts';
import { everlastingTenure, leadAgain } from './lead.ts';
import { leaseName } from './lease-name.ts';
import { faultOf, readUser } from './settings.ts';

type Settings = ValuesOf<typeof CONTROLLER>;

const PROGRAM = 'kro-graph controller';
const VERSION = manifest.version;
const END_MILLISECONDS = 25_000;
const DRAIN_MILLISECONDS = 15_000;

const parsed = parseOptions({
  program: PROGRAM,
  about: 'Reconciles Graphs: applies, prunes and deletes the objects that they describe.',
  options: CONTROLLER,
  args: process.argv.slice(2),
  environment: process.env,
});
if (parsed.word === 'exit') {
  (parsed.code === 0 ? process.stdout : process.stderr).write(parsed.output);
  process.exitCode = parsed.code;
} else {
  const fault = faultOf(parsed.values);
  if (fault === undefined) await start(parsed.values);
  else refuse(fault);
}

function refuse(fault: string): void {
  process.stderr.write(`${PROGRAM}: ${fault} (see ${PROGRAM} --help)\n`);
  process.exitCode = 2;
}

async function start(settings: Settings): Promise<void> {
  const log = createLog({
    name: 'controller',
    level: settings.logLevel,
    format: settings.logFormat,
    destination: process.stdout,
    isColoured: process.stdout.isTTY && process.env['NO_COLOR'] === undefined,
  });
  for (const variable of strayVariables(process.env))
    log.warn({ variable, nearest: nearest(variable, variablesOf(CONTROLLER)) }, 'this environment variable is unknown and has no effect');
  let access: ClusterAccess;
  try {
    access = loadConfig({ kubeconfig: settings.kubeconfig, environment: process.env });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    refuse(error.message);
    return;
  }
  const lifecycle = new Lifecycle({ process, log, serveOn: 0, deadline: END_MILLISECONDS });
  try {
    await compose({ settings, log, lifecycle, access });
  } catch (error) {
    log.fatal({ error }, 'not started');
    await lifecycle.end('not started', 1);
  }
}

interface Composition {
  readonly settings: Settings;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  readonly access: ClusterAccess;
}

async function compose({ settings, log, lifecycle, access }: Composition): Promise<void> {
  const clock = systemClock;
  const metrics = createMetrics(VERSION);
  const http = new Http({
    access,
    clock,
    random: Math.random,
    userAgent: `kro-graph-controller/${VERSION}`,
    observer: metrics.requests,
    rateLimit: { qps: settings.clientQps, burst: settings.clientBurst },
  });
  lifecycle.addReader('API client', () => http.close());
  const client = createClient(http);
  const namespace = access.namespace ?? 'default';
  const election = settings.noLeaderElect
    ? undefined
    : electionOf({ settings, log, client, namespace }, (isHeld) => own.leading(leaseName(settings), isHeld));
  const controller = new Controller({
    settings,
    client,
    clock,
    random: Math.random,
    log,
    registry: metrics.registry,
    otherUsers: [readUser(settings.webhookServiceAccount) ?? []].flat(),
    observeCompile: (seconds, isValid) => metrics.compileSeconds.observe({ result: isValid ? 'valid' : 'invalid' }, seconds),
    instance: hostname(),
    mayWrite: () => election === undefined || election.isHeld(),
  });
  const own = controller.metrics;
  if (election !== undefined) own.leading(leaseName(settings), false);
  const live = eventLoopCheck(() => performance.now());
  const { host } = settings;
  const ready = [
    { name: 'shutdown', fault: () => (lifecycle.signal.aborted ? 'the process is ending' : undefined) },
    { name: 'caches', fault: () => (election === undefined || election.isHeld() ? controller.fault() : undefined) },
  ];
  if (settings.probePort !== 0) {
    const probes = await startProbes({ host, port: settings.probePort, live: [live], ready, version: { version: VERSION } });
    lifecycle.addReader('probes', () => probes.close());
  }
  if (settings.metricsPort !== 0) {
    const scraped = await startMetricsServer({ host, port: settings.metricsPort, registry: metrics.registry });
    lifecycle.addReader('metrics', () => scraped.close());
  }
  controller.start();
  lifecycle.addReader('watches', () => controller.stop());
  const ended = new AbortController();
  const competing = election?.run(ended.signal);
  lifecycle.addReader(
    'lease',
    async () => {
      ended.abort();
      await competing;
    },
    giveBackWithin({ retryPeriod: settings.leaderElectionRetryPeriod }),
  );
  const working = new AbortController();
  const turns = new AbortController();
  const work = leadAgain(
    {
      tenure: (signal) => (election === undefined ? Promise.resolve(everlastingTenure()) : election.tenure(signal)),
      work: (end) => controller.work(end),
      clock,
      onError: (error) => log.error({ error }, 'work ended; it begins again'),
    },
    { stop: working.signal, abort: turns.signal },
  );
  lifecycle.add('workers', async () => {
    const ending = new Error('the process is ending');
    working.abort(ending);
    // Turns in flight come to their end; one that takes too long is left: the next leader takes it up.
    const timer = setTimeout(() => turns.abort(ending), DRAIN_MILLISECONDS);
    await work;
    clearTimeout(timer);
  });
  log.info({ version: VERSION, namespace, leaderElection: election !== undefined }, 'started');
}

interface ElectionNeeds {
  readonly settings: Settings;
  readonly log: Log;
  readonly client: ReturnType<typeof createClient>;
  readonly namespace: string;
}

function electionOf({ settings, log, client, namespace }: ElectionNeeds, onChange: (isHeld: boolean) => void): Election {
  return new Election({
    client,
    namespace,
    name: leaseName(settings),
    identity: `${hostname()}_${randomUUID()}`,
    timing: {
      leaseDuration: settings.leaderElectionLeaseDuration,
      renewDeadline: settings.leaderElectionRenewDeadline,
      retryPeriod: settings.leaderElectionRetryPeriod,
    },
    clock: systemClock,
    random: Math.random,
    onChange: (isHeld) => {
      log.info({ isHeld }, isHeld ? 'leading' : 'no longer leading');
      onChange(isHeld);
    },
    onError: (error) => log.warn({ error }, 'the Lease cannot be reached'),
  });
}
