import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Admin, connect } from './admin.ts';
import { type Component, ComponentEnded, startComponent } from './component.ts';
import { ensureTool, ensureTools, toolShare } from './ensure-tool.ts';
import { makeFakeNode } from './fake-node.ts';
import { freePorts } from './free-ports.ts';
import { type Guardian, startGuardian } from './guardian.ts';
import { type Access, writeKubeconfig } from './kubeconfig.ts';
import { type KubectlOptions, kubectl } from './kubectl.ts';
import { apiServerFlags, controllerManagerFlags, etcdFlags, files, kwokFlags, type Plan, schedulerFlags } from './programs.ts';
import { type Account, serviceAccountToken } from './service-account.ts';
import type { ToolName } from './tools.ts';

/** What a cluster has beyond etcd and kube-apiserver; everything is off unless asked for. */
export interface ClusterOptions {
  /**
   * All of kube-controller-manager: garbage collection, namespace deletion, Deployments, `default` ServiceAccounts. Without it
   * aggregated ClusterRoles (view, edit, admin) have no rules.
   */
  readonly controllerManager?: boolean;
  readonly scheduler?: boolean;
  /** That many Nodes whose kubelet kwok plays: Pods scheduled there become Running and Ready at once. */
  readonly fakeNodes?: number;
  /** An audit policy (YAML text); requests are logged to `auditLog` of the cluster before they are answered. */
  readonly auditPolicy?: string;
  /** More flags for kube-apiserver. */
  readonly apiServerFlags?: readonly string[];
}

/** A running control plane on 127.0.0.1. It ends with the process that started it, however that ends. */
export interface Cluster {
  /** `https://127.0.0.1:PORT`. */
  readonly server: string;
  /** Path of a kubeconfig in the group system:masters. */
  readonly kubeconfig: string;
  /** The admin's address, CA (PEM) and token. */
  readonly access: Access;
  /** Temporary folder with logs and kubeconfigs, removed by `stop`. */
  readonly folder: string;
  /** Path of the audit log; it exists only with an audit policy. */
  readonly auditLog: string;
  readonly admin: Admin;
  /** Runs kubectl as the admin and returns its output; throws with its error text. */
  readonly kubectl: (args: readonly string[], options?: Pick<KubectlOptions, 'input'>) => Promise<string>;
  /** A kubeconfig with a real token (TokenRequest, one day) of a ServiceAccount, which is made if it is missing; returns its path. */
  readonly kubeconfigFor: (account: Account) => Promise<string>;
  /** Stops kube-apiserver alone; the data stays. For tests of an API server that goes away. */
  readonly stopApiServer: () => Promise<void>;
  /** Starts it again with the same address, certificate and data; returns when it is ready. */
  readonly startApiServer: () => Promise<void>;
  /** Process ids of `etcd` and `apiserver`, for meters. */
  readonly pids: () => Readonly<Record<'etcd' | 'apiserver', number>>;
  /** Ends every process (API server first) and removes the folder. */
  readonly stop: () => Promise<void>;
}

const users = ['admin', 'kube-controller-manager', 'kube-scheduler', 'kwok'] as const;
const graceMilliseconds = 1500;
const READY_WITHIN_MILLISECONDS = 180_000;

/** Builds what is missing, then starts a control plane; it is ready in about 3 s. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  await ensureTools(neededTools(options));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(options);
    } catch (error) {
      // Another process took a port between the choice and the bind.
      if (!(error instanceof ComponentEnded && error.portTaken && attempt < 5)) throw error;
    }
  }
}

/** The programs that a cluster with these options runs, and kubectl. */
export function neededTools(options: ClusterOptions): ToolName[] {
  return [
    'etcd',
    'kube-apiserver',
    'kubectl',
    ...(options.controllerManager ? (['kube-controller-manager'] as const) : []),
    ...(options.scheduler ? (['kube-scheduler'] as const) : []),
    ...(options.fakeNodes ? (['kwok'] as const) : []),
  ];
}

async function start(options: ClusterOptions): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'kro-graph-cluster-'));
  const guardian = startGuardian(folder);
  try {
    return await startIn(folder, guardian, options);
  } catch (error) {
    await guardian.end();
    throw error;
  }
}

async function startIn(folder: string, guardian: Guardian, options: ClusterOptions): Promise<Cluster> {
  const file = files(folder);
  const plan = await makePlan(folder, options);
  const tokens = writeTokens(file.tokens);
  writeServiceAccountKey(file.serviceAccountKey);
  const run = async (tool: ToolName, args: readonly string[]): Promise<Component> =>
    startComponent({
      program: await ensureTool(tool),
      args,
      logFile: file.log(tool),
      guardian,
      environment: { KWOK_WORKDIR: folder },
    });

  const etcd = await run('etcd', etcdFlags(plan));
  const server = `https://127.0.0.1:${plan.apiPort}`;
  let apiServer: Component | undefined;
  const startApiServer = async (): Promise<void> => {
    apiServer ??= await run('kube-apiserver', apiServerFlags(plan));
    const admin = { server, token: tokens.admin };
    await waitUntilReady({ components: [etcd, apiServer], certificate: file.servingCertificate, admin });
  };
  const stopApiServer = async (): Promise<void> => {
    await apiServer?.stop(graceMilliseconds);
    apiServer = undefined;
  };
  await startApiServer();

  const certificateAuthority = readFileSync(file.servingCertificate, 'utf8');
  const accessFor = (token: string): Access => ({ server, certificateAuthority, token });
  for (const user of users) writeKubeconfig(file.kubeconfig(user), accessFor(tokens[user]));
  const kubeconfig = file.kubeconfig('admin');
  const access = accessFor(tokens.admin);
  const admin = connect(access);

  const others: Component[] = [];
  if (options.controllerManager) others.push(await run('kube-controller-manager', controllerManagerFlags(folder)));
  if (options.scheduler) others.push(await run('kube-scheduler', schedulerFlags(folder)));
  if (options.fakeNodes) others.push(await run('kwok', kwokFlags(folder, await toolShare('kwok'))));
  for (let index = 0; index < (options.fakeNodes ?? 0); index += 1) await makeFakeNode(admin, `fake-${index}`);
  if (options.controllerManager) await waitForDefaultAccount(admin, others);

  return {
    server,
    kubeconfig,
    access,
    folder,
    auditLog: file.auditLog,
    admin,
    kubectl: (args, rest) => kubectl(args, { kubeconfig, ...rest }),
    kubeconfigFor: async (account) => {
      const token = await serviceAccountToken(admin, account);
      return writeKubeconfig(file.kubeconfig(`${account.namespace}.${account.name}`), accessFor(token), account.namespace);
    },
    stopApiServer,
    startApiServer,
    pids: () => ({ etcd: etcd.pid, apiserver: apiServer?.pid ?? 0 }),
    stop: async () => {
      await Promise.all(others.map((component) => component.stop(0)));
      await stopApiServer();
      await etcd.stop(graceMilliseconds);
      await guardian.end();
    },
  };
}

async function makePlan(folder: string, options: ClusterOptions): Promise<Plan> {
  const [etcdPort = 0, etcdPeerPort = 0, apiPort = 0] = await freePorts(3);
  const { auditPolicy } = files(folder);
  mkdirSync(files(folder).certificates);
  if (options.auditPolicy) writeFileSync(auditPolicy, options.auditPolicy);
  return {
    folder,
    etcdPort,
    etcdPeerPort,
    apiPort,
    serviceAccountAdmission: options.controllerManager ?? false,
    auditPolicy: options.auditPolicy ? auditPolicy : undefined,
    apiServerFlags: options.apiServerFlags ?? [],
  };
}

// The components are the users that the bootstrap RBAC policy knows.
function writeTokens(file: string): Record<(typeof users)[number], string> {
  const token = (): string => randomBytes(24).toString('hex');
  const tokens = { admin: token(), 'kube-controller-manager': token(), 'kube-scheduler': token(), kwok: token() };
  const lines = [
    `${tokens.admin},admin,admin,"system:masters"`,
    `${tokens['kube-controller-manager']},system:kube-controller-manager,kube-controller-manager`,
    `${tokens['kube-scheduler']},system:kube-scheduler,kube-scheduler`,
    `${tokens.kwok},kwok,kwok,"system:masters"`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return tokens;
}

function writeServiceAccountKey(file: string): void {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(file, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
}

interface Readiness {
  readonly components: readonly Component[];
  readonly certificate: string;
  readonly admin: { readonly server: string; readonly token: string };
}

async function waitUntilReady({ components, certificate, admin }: Readiness): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MILLISECONDS;
  while (Date.now() < deadline) {
    for (const component of components) component.assertAlive();
    if (existsSync(certificate) && (await isReady({ ...admin, certificateAuthority: readFileSync(certificate, 'utf8') }))) return;
    await sleep(50);
  }
  throw new Error('the API server is not ready in time');
}

async function isReady(access: Access): Promise<boolean> {
  try {
    return (await connect(access).request({ path: '/readyz' })).status === 200;
  } catch {
    // Nobody listens yet, or the certificate is half written.
    return false;
  }
}

// Pods are admitted, and controllers run, from here on.
async function waitForDefaultAccount(admin: Admin, components: readonly Component[]): Promise<void> {
  const path = '/api/v1/namespaces/default/serviceaccounts/default';
  try {
    await admin.waitFor(path, (account) => account !== undefined);
  } catch (error) {
    for (const component of components) component.assertAlive();
    throw error;
  }
}
