import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import type { Admin, AnyObject } from '../cluster/admin.ts';
import { type Guardian, startGuardian } from '../cluster/guardian.ts';
import { writeKubeconfig } from '../cluster/kubeconfig.ts';
import { serviceAccountToken } from '../cluster/service-account.ts';
import type { ClusterUse } from '../support/cluster.ts';
import { type FaultProxy, type SeenRequest, startFaultProxy } from '../support/proxy.ts';
import { installGraphs, RELEASE } from '../support/webhook.ts';

const COMMAND = resolve(import.meta.dirname, '../../bin/kro-graph');

/** Where lanes are opened: one cluster, one folder, one watchdog. */
export interface Ground {
  readonly use: ClusterUse;
  readonly folder: string;
  readonly guardian: Guardian;
  /** The API server as the release's controller. */
  readonly token: string;
}

/** Installs the Graph API and the controller's rights; everything ends with the test. */
export async function prepareGround(t: Pick<Test, 'teardown'>, use: ClusterUse): Promise<Ground> {
  await installGraphs(use);
  const folder = mkdtempSync(join(tmpdir(), 'kro-graph-faults-'));
  const guardian = startGuardian(mkdtempSync(join(tmpdir(), 'kro-graph-faults-guard-')));
  t.teardown(async () => {
    await guardian.end();
    rmSync(folder, { recursive: true, force: true });
  });
  // Compiled code is kept when a process ends by itself, which those of these tests never do.
  await promisify(execFile)(COMMAND, ['controller', '--help'], { env: environmentIn(folder) });
  const { namespace, controllerAccount } = RELEASE;
  return { use, folder, guardian, token: await serviceAccountToken(use.admin, { namespace, name: controllerAccount }) };
}

/** A controller process behind a proxy of its own. */
export class Process {
  readonly proxy: FaultProxy;
  readonly #ground: Ground;
  readonly #name: string;
  readonly #args: readonly string[];
  readonly #kubeconfig: string;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #starts = 0;

  private constructor(ground: Ground, options: { readonly proxy: FaultProxy; readonly name: string; readonly args: readonly string[] }) {
    this.#ground = ground;
    this.proxy = options.proxy;
    this.#name = options.name;
    this.#args = options.args;
    const file = join(ground.folder, `${options.name}.kubeconfig`);
    // Its namespace is that of the Lease.
    this.#kubeconfig = writeKubeconfig(file, options.proxy.access, RELEASE.namespace);
  }

  /** A process that is not started yet. */
  static async prepare(t: Pick<Test, 'teardown'>, ground: Ground, options: { name: string; args: readonly string[] }): Promise<Process> {
    const proxy = await startFaultProxy({ ...ground.use.access, token: ground.token });
    const process = new Process(ground, { ...options, proxy });
    t.teardown(async () => {
      await process.kill();
      await proxy.close();
    });
    return process;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What the present process has logged, or the last one if none runs. */
  get log(): readonly AnyObject[] {
    if (this.#starts === 0) return [];
    const lines = readFileSync(this.#logFile, 'utf8').split('\n');
    return lines.flatMap((line): AnyObject[] => {
      try {
        return [JSON.parse(line)];
      } catch {
        return line === '' ? [] : [{ msg: line }];
      }
    });
  }

  start(): void {
    if (this.isRunning) return;
    this.#starts += 1;
    const log = openSync(this.#logFile, 'a');
    const args = ['controller', '--kubeconfig', this.#kubeconfig, '--probe-port', '0', '--metrics-port', '0', ...this.#args];
    const child = spawn(COMMAND, args, { stdio: ['ignore', log, log], env: environmentIn(this.#ground.folder) });
    closeSync(log);
    this.#ground.guardian.watch(child.pid ?? 0);
    this.#child = child;
    this.#exited = new Promise((done) => {
      child.once('error', () => done());
      child.once('exit', () => {
        this.#ground.guardian.forget(child.pid ?? 0);
        done();
      });
    });
  }

  /** The process stands still while the action goes on: what happens meanwhile comes to it all at once. */
  async whileAsleep(action: () => Promise<void>): Promise<void> {
    this.#child?.kill('SIGSTOP');
    await action();
    this.#child?.kill('SIGCONT');
  }

  /** SIGKILL; returns when there is no such process any more. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#exited;
  }

  /** SIGTERM; returns the exit code when the process has ended by itself. */
  async end(): Promise<number | null> {
    this.#child?.kill('SIGTERM');
    await this.#exited;
    return this.#child?.exitCode ?? null;
  }

  get #logFile(): string {
    return join(this.#ground.folder, `${this.#name}-${this.#starts}.log`);
  }
}

/** Compiled once for all the processes: half of a start's cost. */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') };
}

/** Another account beside `default` that Graphs may act as. */
export const OTHER_ACCOUNT = 'other';

/** A namespace where an applier may do anything. */
export async function openNamespace(t: Pick<Test, 'teardown'>, { use }: Ground, name: string): Promise<void> {
  const { admin } = use;
  await admin.create('/api/v1/namespaces', { metadata: { name } });
  t.teardown(() => admin.remove(`/api/v1/namespaces/${name}`));
  await admin.create(`/apis/rbac.authorization.k8s.io/v1/namespaces/${name}/rolebindings`, {
    metadata: { name: 'appliers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: ['default', OTHER_ACCOUNT].map((account) => ({ kind: 'ServiceAccount', namespace: name, name: account })),
  });
  await admin.create(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: OTHER_ACCOUNT } });
  await admin.waitFor(`/api/v1/namespaces/${name}/serviceaccounts/default`, (account) => account !== undefined);
}

/** Server-side apply, by whoever is named. */
export async function applyAs(admin: Admin, manager: string, path: string, object: AnyObject): Promise<AnyObject> {
  const answer = await admin.request({
    method: 'PATCH',
    path: `${path}?fieldManager=${manager}&force=true`,
    contentType: 'application/apply-patch+yaml',
    body: object,
  });
  if (answer.status >= 300) throw new Error(`apply of ${path}: ${answer.status} ${answer.body['message']}`);
  return answer.body;
}

/** Whether a request changes the cluster by a Graph's will or tells its state: no Event, no Lease, no question. */
export function isWrite({ method, path }: Pick<SeenRequest, 'method' | 'path'>): boolean {
  return method !== 'GET' && !/\/(events|leases|selfsubject[a-z]+|subjectaccessreviews|localsubjectaccessreviews)(\/|\?|$)/.test(path);
}

/** The name of the object that a request is about. */
export function nameIn(path: string): string {
  const [place = ''] = path.split('?');
  const parts = place.split('/').filter((part) => part !== 'status');
  return decodeURIComponent(parts.at(-1) ?? '');
}
