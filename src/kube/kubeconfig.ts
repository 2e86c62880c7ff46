import { readFileSync } from 'node:fs';
import { delimiter, dirname, resolve } from 'node:path';
// This file of the package alone: its index loads a class for every built-in kind (0.7 s, 80 MiB).
import { type Cluster, newClusters, newContexts, newUsers, type User } from '@kubernetes/client-node/dist/config_types.js';
import { parse } from 'yaml';
import type { ClusterAccess, ConfigSource, TlsMaterial } from './config.ts';
import { ConfigError } from './config-error.ts';
import { credentials } from './credentials.ts';
import { fileOrData, readOrExplain } from './files.ts';

/** A user of a kubeconfig. */
export type KubeconfigUser = User & { readonly tokenFile?: string | undefined };

interface Kubeconfig {
  readonly cluster: Cluster;
  readonly user: KubeconfigUser;
  readonly namespace: string | undefined;
}

/** The cluster and the user of the current context; of several files, the first that names a thing wins, as in kubectl. */
export function fromKubeconfig(files: readonly string[], environment: ConfigSource['environment']): ClusterAccess {
  const { cluster, user, namespace } = readKubeconfig(files, environment);
  let server: URL;
  try {
    server = new URL(cluster.server);
  } catch {
    throw new ConfigError(`kubeconfig ${files.join(delimiter)}: server "${cluster.server}" of cluster "${cluster.name}" is no URL`);
  }
  if (cluster.proxyUrl)
    throw new ConfigError(`kubeconfig ${files.join(delimiter)}: proxy-url of cluster "${cluster.name}" is not supported`);
  const readTls = async (): Promise<TlsMaterial> => ({
    ca: await fileOrData(cluster.caFile, cluster.caData),
    cert: await fileOrData(user.certFile, user.certData),
    key: await fileOrData(user.keyFile, user.keyData),
    servername: cluster.tlsServerName,
    rejectUnauthorized: !cluster.skipTLSVerify,
  });
  for (const file of [cluster.caFile, user.certFile, user.keyFile]) {
    if (file) readOrExplain(() => readFileSync(file), `${file}, named by the kubeconfig`);
  }
  return { server: server.href.replace(/\/$/, ''), namespace, impersonate: user.impersonateUser, ...credentials(user, readTls) };
}

function readKubeconfig(files: readonly string[], environment: ConfigSource['environment']): Kubeconfig {
  const where = `kubeconfig ${files.join(delimiter)}`;
  const parts = files.map((file) => readPart(file, environment));
  const wanted = parts.find((part) => part.currentContext)?.currentContext;
  if (!wanted) throw new ConfigError(`${where}: it has no current-context`);
  const context = find(
    parts.flatMap((part) => part.contexts),
    wanted,
    `${where}: context`,
  );
  const cluster = find(
    parts.flatMap((part) => part.clusters),
    context.cluster,
    `${where}: cluster`,
  );
  const user = context.user
    ? find(
        parts.flatMap((part) => part.users),
        context.user,
        `${where}: user`,
      )
    : { name: '' };
  return { cluster, user, namespace: context.namespace };
}

function readPart(file: string, environment: ConfigSource['environment']) {
  const text = readOrExplain(() => readFileSync(file, 'utf8'), `kubeconfig ${file}`);
  try {
    const content: unknown = parse(text);
    if (typeof content !== 'object' || content === null) throw new Error('it is not a mapping');
    const { clusters, users, contexts, 'current-context': currentContext } = content as Record<string, unknown>;
    const at = (path: string | undefined): string | undefined => path && resolve(dirname(file), path);
    return {
      clusters: newClusters(clusters).map((cluster) => defined({ ...cluster, caFile: at(cluster.caFile) })),
      users: newUsers(users).map((user, index) =>
        defined({
          ...user,
          certFile: at(user.certFile),
          keyFile: at(user.keyFile),
          tokenFile: at(tokenFile(users, index)),
          exec: execOf(user, environment),
        }),
      ),
      contexts: newContexts(contexts),
      currentContext: typeof currentContext === 'string' ? currentContext : undefined,
    };
  } catch (error) {
    const [line] = String(error instanceof Error ? error.message : error).split('\n');
    throw new ConfigError(`kubeconfig ${file}: ${line}`, { cause: error });
  }
}

// The package does not read `tokenFile`, nor does it tell an exec plugin what it was started for.
function tokenFile(users: unknown, index: number): string | undefined {
  const entry: unknown = Array.isArray(users) ? users[index] : undefined;
  const user = (entry as { user?: Record<string, unknown> } | undefined)?.user;
  return typeof user?.['tokenFile'] === 'string' ? user['tokenFile'] : undefined;
}

function execOf(user: User, environment: ConfigSource['environment']): unknown {
  if (!user.exec) return undefined;
  const info = { apiVersion: user.exec.apiVersion, kind: 'ExecCredential', spec: { interactive: false } };
  const inherited = Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  return { ...user.exec, env: [...inherited, { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) }, ...(user.exec.env ?? [])] };
}

/** A copy without the members that are undefined or null: the package's types know no such values. */
function defined<T extends object>(value: { [key in keyof T]: T[key] | undefined | null }): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined && member !== null)) as T;
}

function find<T extends { readonly name: string }>(list: readonly T[], name: string, what: string): T {
  const found = list.find((entry) => entry.name === name);
  if (found === undefined) throw new ConfigError(`${what} "${name}" is not defined`);
  return found;
}
