import { availableParallelism, totalmem } from 'node:os';
import manifest from '../package.json' with { type: 'json' };
import { DEFAULT_LIMITS } from '../src/compiler/limits.ts';
import { nearest } from '../src/diagnostic/nearest.ts';
import { AccessReviews } from '../src/kube/access.ts';
import { systemClock } from '../src/kube/clock.ts';
import { type ClusterAccess, loadConfig } from '../src/kube/config.ts';
import { ConfigError } from '../src/kube/config-error.ts';
import { Http } from '../src/kube/http.ts';
import { createClient } from '../src/kube/json-client.ts';
import { SchemaWatch } from '../src/kube/schema-watch.ts';
import { SchemaCatalog } from '../src/kube/schemas.ts';
import { Lifecycle } from '../src/service/lifecycle.ts';
import { createLog, type Log } from '../src/service/log.ts';
import { createMetrics, WebhookMetrics } from '../src/service/metrics.ts';
import type { ValuesOf } from '../src/service/option.ts';
import { WEBHOOK } from '../src/service/options.ts';
import { parseOptions } from '../src/service/parse-options.ts';
import { eventLoopCheck, startMetricsServer, startProbes } from '../src/service/probes.ts';
import { strayVariables, variablesOf } from '../src/service/stray-variables.ts';
import { type AdmitContext, admit, type ReleaseAccount } from './admit.ts';
import { createSchemas } from './catalog-schemas.ts';
import { keepCertificates } from './certificates/keep.ts';
import { Trust } from './certificates/trust.ts';
import { createClusterView } from './cluster-view.ts';
import { CompilePool } from './compile-pool.ts';
import { planMemory } from './memory-plan.ts';
import { createObserver } from './observe.ts';
import { ownAccount, readAccount } from './own-account.ts';
import { pairFiles } from './pair-files.ts';
import { untilDone } from './retry.ts';
import { createServer, drain } from './server.ts';
import { CertificateReloader } from './tls.ts';

type Settings = ValuesOf<typeof WEBHOOK>;

const PROGRAM = 'kro-graph webhook';
const VERSION = manifest.version;
const RELOAD_MILLISECONDS = 1000;
const END_MILLISECONDS = 25_000;
/** Of the deadline, so much may be spent waiting for what the API server is about to publish. */
const SCHEMAS_SHARE = 0.4;
/** Of the deadline, so much may go by until the Graph is compiled; the rest is for the checks. */
const COMPILE_SHARE = 0.8;

const parsed = parseOptions({
  program: PROGRAM,
  about: 'Validates Graphs when they are written (a validating admission webhook).',
  options: WEBHOOK,
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

/** What is wrong with the options together. */
function faultOf(settings: Settings): string | undefined {
  const { tlsMode, certDir, tlsSecretName, tlsDnsNames, webhookConfiguration, controllerServiceAccount } = settings;
  if (controllerServiceAccount !== '' && readAccount(controllerServiceAccount) === undefined) {
    return `--controller-service-account: expected NAMESPACE/NAME, found "${controllerServiceAccount}"`;
  }
  if (tlsMode !== 'selfSigned') return certDir === '' ? '--cert-dir: needed, the folder with tls.crt and tls.key' : undefined;
  if (tlsSecretName === '') return '--tls-secret-name: needed with --tls-mode selfSigned';
  if (tlsDnsNames.length === 0) return '--tls-dns-names: needed with --tls-mode selfSigned';
  return webhookConfiguration === '' ? '--webhook-configuration: needed with --tls-mode selfSigned' : undefined;
}

function refuse(fault: string): void {
  process.stderr.write(`${PROGRAM}: ${fault} (see ${PROGRAM} --help)\n`);
  process.exitCode = 2;
}

async function start(settings: Settings): Promise<void> {
  const log = createLog({
    name: 'webhook',
    level: settings.logLevel,
    format: settings.logFormat,
    destination: process.stdout,
    isColoured: process.stdout.isTTY && process.env['NO_COLOR'] === undefined,
  });
  for (const variable of strayVariables(process.env))
    log.warn({ variable, nearest: nearest(variable, variablesOf(WEBHOOK)) }, 'this environment variable is unknown and has no effect');
  let access: ClusterAccess;
  try {
    access = loadConfig({ kubeconfig: settings.kubeconfig, environment: process.env });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    refuse(error.message);
    return;
  }
  const lifecycle = new Lifecycle({ process, log, serveOn: settings.shutdownDelay, deadline: END_MILLISECONDS });
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
  const { host, port, deadline, maxBodyBytes, webhookConfiguration } = settings;
  const { signal } = lifecycle;
  const clock = systemClock;
  const metrics = createMetrics(VERSION);
  const webhookMetrics = new WebhookMetrics(metrics.registry, '/validate');
  const stopped = new AbortController();
  const http = new Http({ access, clock, random: Math.random, userAgent: `kro-graph-webhook/${VERSION}`, observer: metrics.requests });
  lifecycle.addReader('API client', () => http.close());
  lifecycle.add('background work', () => stopped.abort());
  const client = createClient(http);
  const retried = (what: string) => ({
    clock,
    signal: stopped.signal,
    onError: (error: unknown) => log.error({ error, what }, 'will be tried again'),
  });

  const catalog = new SchemaCatalog({ client, clock });
  let schemasFault: string | undefined = 'the schemas of the cluster have not been read yet';
  const schemaWatch = new SchemaWatch({
    client,
    catalog,
    clock,
    random: Math.random,
    onError: (error) => log.warn({ error }, 'changes of schemas are not seen at this moment'),
  });
  lifecycle.addReader('watch of schemas', () => schemaWatch.stop());
  const schemas = createSchemas({
    catalog,
    clock,
    isSettling: (group) => schemaWatch.isSettling(group),
    patience: deadline * SCHEMAS_SHARE,
  });
  const own: ReleaseAccount[] = [readAccount(settings.controllerServiceAccount) ?? []].flat();
  let accountFault: string | undefined = 'the API server has not yet said who this process is';

  const plan = planMemory({ limitBytes: process.constrainedMemory(), machineBytes: totalmem(), cores: availableParallelism() });
  const pool = new CompilePool({
    threads: plan.threads,
    limits: { ...DEFAULT_LIMITS, collectionSize: settings.limitsCollectionSize, steps: settings.limitsCompileSteps },
    planSteps: { expression: settings.limitsExpressionSteps, reconcile: settings.limitsReconcileSteps },
    mostMilliseconds: deadline * COMPILE_SHARE,
    heap: plan,
    onFault: (error) => log.error({ error }, 'a compiler thread ended; another one takes its place'),
    observe: (seconds, isValid) => metrics.compileSeconds.observe({ result: isValid ? 'valid' : 'invalid' }, seconds),
  });
  lifecycle.addReader('compiler threads', () => pool.close());
  let compilerFault: string | undefined = 'the compiler is being loaded';

  const context: AdmitContext = {
    schemas,
    compiler: pool,
    cluster: createClusterView(client, new AccessReviews(client, clock)),
    policies: {
      unknownKinds: settings.policyUnknownKinds,
      missingServiceAccount: settings.policyMissingServiceAccount,
      permissions: settings.policyPermissions,
      crossNamespace: settings.policyCrossNamespace,
      serviceAccountCheck: settings.serviceAccountCheck,
    },
    onDeadline: settings.onDeadline,
    releaseAccounts: own,
    unservedCodes: new Set(['kind/not-served']),
    onTrouble: (error) => log.warn({ error }, 'in the way of a verdict'),
  };
  const server = createServer({
    admit: (request, review, due) => {
      const compileSignal = AbortSignal.any([due, AbortSignal.timeout(deadline * COMPILE_SHARE)]);
      return admit({ request, review, signal: due, compileSignal }, context);
    },
    maxBodyBytes,
    mostBytesInside: plan.bodyBytes,
    deadline,
    observer: createObserver(log, webhookMetrics),
    isEnding: () => signal.aborted,
  });

  const certificates = settings.tlsMode === 'selfSigned' ? keepCertificates({ settings, log, lifecycle, client }) : undefined;
  const source = certificates?.source ?? pairFiles(settings.certDir);
  const certificate = new CertificateReloader({
    source,
    swap: (pair) => server.tls.setSecureContext(pair),
    events: {
      served: (leaf) => {
        webhookMetrics.certificateExpires(leaf.validToDate);
        log.info({ subject: leaf.subject, hosts: leaf.subjectAltName, until: leaf.validToDate }, 'certificate served');
      },
      refused: (why) => log.warn({ why, serves: certificate.leaf?.subject ?? 'none' }, 'certificate not served'),
    },
  });
  const trust = new Trust({
    client,
    clock,
    configuration: webhookConfiguration,
    leaf: () => certificate.leaf,
    onError: (error) => log.warn({ error, webhookConfiguration }, 'the caBundle cannot be read'),
  });

  const live = eventLoopCheck(() => performance.now());
  const ready = [
    { name: 'shutdown', fault: () => (signal.aborted ? 'the process is ending' : undefined) },
    { name: 'certificate', fault: () => (certificate.leaf === undefined ? certificate.trouble : undefined) },
    { name: 'schemas', fault: () => schemasFault },
    { name: 'identity', fault: () => accountFault },
    { name: 'compiler', fault: () => compilerFault },
    ...(webhookConfiguration === '' ? [] : [{ name: 'ca-bundle', fault: () => trust.trouble }]),
  ];
  if (settings.probePort !== 0) {
    const probes = await startProbes({ host, port: settings.probePort, live: [live], ready, version: { version: VERSION } });
    lifecycle.addReader('probes', () => probes.close());
  }
  if (settings.metricsPort !== 0) {
    const scraped = await startMetricsServer({ host, port: settings.metricsPort, registry: metrics.registry });
    lifecycle.addReader('metrics', () => scraped.close());
  }
  lifecycle.add('admission server', async (late) => {
    const connections = await drain(server, late);
    if (connections > 0) log.warn({ connections }, 'cut: they brought no whole request');
  });
  await server.fastify.listen({ host, port });
  log.info({ version: VERSION, host, port, memory: plan }, 'listening');

  schemaWatch.start();
  void certificate.watch(RELOAD_MILLISECONDS, stopped.signal);
  if (webhookConfiguration !== '') void trust.run(stopped.signal);
  void pool.ready.then(() => {
    compilerFault = undefined;
  });
  void untilDone(async () => {
    await catalog.load([], { freshness: 'current' });
    schemasFault = undefined;
    log.info({}, 'schemas read');
  }, retried('reading the schemas of the cluster'));
  void untilDone(async () => {
    const account = await ownAccount(client, stopped.signal);
    if (account !== undefined) own.push(account);
    accountFault = undefined;
    certificates?.start(account?.namespace ?? access.namespace ?? 'default');
  }, retried('asking who this process is'));
}
