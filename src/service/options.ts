import { choice, duration, flag, int, labelSelector, list, text } from './option.ts';

const PORT = { min: 0, max: 65_535 };
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CENTURY = 36_500 * DAY;
/** Shorter, a certificate would end while it is being renewed. */
const CERTIFICATE = { min: MINUTE, max: CENTURY };
const BACKOFF = { min: 10, max: DAY };
const ELECTION = { min: 100, max: DAY };
const POLICIES = ['off', 'warn', 'deny'] as const;

/** What both processes are told (operations.md 5). */
export const COMMON = {
  kubeconfig: text({
    help: 'kubeconfig of the API server; without it KUBECONFIG, then the ServiceAccount of the Pod',
    fallback: '',
    shape: 'file',
  }),
  // Not 0.0.0.0: in a cluster of IPv6 Pods nobody could reach it.
  host: text({ help: 'address to listen on; empty = all IPv4 and IPv6 addresses', fallback: '', shape: 'address' }),
  probePort: int({ help: 'port of /livez, /readyz and /version; 0 = off', fallback: 8081, ...PORT }),
  metricsPort: int({ help: 'port of /metrics; 0 = off', fallback: 8080, ...PORT }),
  logLevel: choice({
    help: 'least severe level that is logged',
    fallback: 'info',
    of: ['trace', 'debug', 'info', 'warn', 'error', 'fatal'],
    chart: 'log.level',
  }),
  logFormat: choice({
    help: 'one JSON object per line, or lines for reading in a terminal',
    fallback: 'json',
    of: ['json', 'pretty'],
    chart: 'log.format',
  }),
  limitsCollectionSize: int({
    help: 'maximum number of items of a forEach node',
    fallback: 1000,
    min: 1,
    max: 100_000,
    chart: 'limits.collectionSize',
  }),
  limitsCompileSteps: int({
    help: 'maximum number of steps to compile one Graph',
    fallback: 50_000_000,
    min: 1000,
    max: 1e12,
    chart: 'limits.compileSteps',
  }),
  limitsExpressionSteps: int({
    help: 'maximum number of steps of one expression',
    fallback: 1_500_000,
    min: 100,
    max: 1e12,
    chart: 'limits.expressionSteps',
  }),
  limitsReconcileSteps: int({
    help: 'maximum number of steps of all expressions of one reconcile',
    fallback: 10_000_000,
    min: 1000,
    max: 1e12,
    chart: 'limits.reconcileSteps',
  }),
};

/** What the webhook is told. */
export const WEBHOOK = {
  ...COMMON,
  port: int({ help: 'port of the HTTPS admission server', fallback: 10_250, ...PORT }),
  certDir: text({ help: 'directory with tls.crt and tls.key', fallback: '', shape: 'folder' }),
  tlsMode: choice({
    help: 'where the certificate comes from',
    fallback: 'secret',
    of: ['certManager', 'selfSigned', 'secret'],
    chart: 'webhook.tls.mode',
  }),
  tlsSecretName: text({
    help: 'Secret for the certificates of mode selfSigned, in the namespace of the process',
    fallback: '',
    shape: 'name',
  }),
  tlsDnsNames: list({ help: 'DNS names in a selfSigned certificate', fallback: [] }),
  tlsSelfSignedCaDuration: duration({
    help: 'lifetime of a selfSigned CA',
    fallback: 315_360_000_000,
    ...CERTIFICATE,
    chart: 'webhook.tls.selfSigned.caDuration',
  }),
  tlsSelfSignedDuration: duration({
    help: 'lifetime of a selfSigned certificate',
    fallback: 7_776_000_000,
    ...CERTIFICATE,
    chart: 'webhook.tls.selfSigned.duration',
  }),
  webhookConfiguration: text({
    help: 'ValidatingWebhookConfiguration whose caBundle must verify the certificate that is served',
    fallback: '',
    shape: 'name',
  }),
  controllerServiceAccount: text({
    help: 'ServiceAccount of the controller, which no Graph may act as',
    fallback: '',
    shape: 'namespace/name',
  }),
  policyUnknownKinds: choice({
    help: 'what to do about a kind that is not served',
    fallback: 'warn',
    of: POLICIES,
    chart: 'webhook.policy.unknownKinds',
  }),
  policyMissingServiceAccount: choice({
    help: 'what to do about a ServiceAccount that does not exist',
    fallback: 'warn',
    of: POLICIES,
    chart: 'webhook.policy.missingServiceAccount',
  }),
  policyPermissions: choice({
    help: 'what to do about permissions that the ServiceAccount lacks',
    fallback: 'warn',
    of: POLICIES,
    chart: 'webhook.policy.permissions',
  }),
  policyCrossNamespace: choice({
    help: 'what to do about an object in another namespace',
    fallback: 'warn',
    of: POLICIES,
    chart: 'webhook.policy.crossNamespace',
  }),
  serviceAccountCheck: choice({
    help: 'what to do about a requester who may not impersonate the ServiceAccount',
    fallback: 'off',
    of: POLICIES,
    chart: 'webhook.serviceAccountCheck',
  }),
  shutdownDelay: duration({ help: 'how long it keeps serving after it has become unready on shutdown', fallback: 5000, max: 20 * SECOND }),
  onDeadline: choice({
    help: 'what to do if a Graph is not checked in time',
    fallback: 'deny',
    of: ['deny', 'warn'],
    chart: 'webhook.onDeadline',
  }),
  deadline: duration({ help: 'time limit for one admission', fallback: 5000, min: 100, max: 30 * SECOND, chart: 'webhook.deadline' }),
  maxBodyBytes: int({
    help: 'maximum size of an admission request in bytes',
    fallback: 3_145_728,
    min: 65_536,
    max: 268_435_456,
    chart: 'webhook.maxBodyBytes',
  }),
};

const NAMESPACE = { what: 'the name of a namespace', pattern: /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/ };

/** What the controller is told. */
export const CONTROLLER = {
  ...COMMON,
  watchNamespaces: list({
    help: 'namespaces whose Graphs are reconciled; empty = all',
    fallback: [],
    item: NAMESPACE,
    chart: 'controller.watchNamespaces',
  }),
  shardSelector: labelSelector({
    help: 'label selector of the Graphs that this shard reconciles',
    fallback: '',
    chart: 'controller.shard.selector',
  }),
  webhookServiceAccount: text({
    help: 'ServiceAccount of the webhook, which no Graph may act as',
    fallback: '',
    shape: 'namespace/name',
  }),
  concurrency: int({
    help: 'number of Graphs reconciled at the same time',
    fallback: 4,
    min: 1,
    max: 1000,
    chart: 'controller.concurrency',
  }),
  applyConcurrency: int({
    help: 'number of objects of one Graph written at the same time',
    fallback: 20,
    min: 1,
    max: 1000,
    chart: 'controller.applyConcurrency',
  }),
  clientQps: int({
    help: 'maximum requests per second to the API server; 0 = no client-side limit',
    fallback: 0,
    min: 0,
    max: 100_000,
    chart: 'controller.client.qps',
  }),
  clientBurst: int({
    help: 'size of the burst of requests that --client-qps allows',
    fallback: 0,
    min: 0,
    max: 100_000,
    chart: 'controller.client.burst',
  }),
  backoffMin: duration({ help: 'first delay after a failure', fallback: 1000, ...BACKOFF, chart: 'controller.backoff.min' }),
  backoffMax: duration({ help: 'longest delay after repeated failures', fallback: 300_000, ...BACKOFF, chart: 'controller.backoff.max' }),
  noLeaderElect: flag({ help: 'reconcile without holding the Lease; never use this with two processes', fallback: false }),
  leaderElectionLeaseDuration: duration({
    help: 'duration of the Lease',
    fallback: 15_000,
    ...ELECTION,
    chart: 'controller.leaderElection.leaseDuration',
  }),
  leaderElectionRenewDeadline: duration({
    help: 'how long after the last renewal the controller stops writing',
    fallback: 10_000,
    ...ELECTION,
    chart: 'controller.leaderElection.renewDeadline',
  }),
  leaderElectionRetryPeriod: duration({
    help: 'time between attempts to acquire or renew the Lease',
    fallback: 2000,
    ...ELECTION,
    chart: 'controller.leaderElection.retryPeriod',
  }),
};

/** The processes and their options, for the manual. */
export const PROCESSES = { webhook: WEBHOOK, controller: CONTROLLER };
