import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { ConfigError } from './config-error.ts';
import { RereadFile, readOrExplain } from './files.ts';
import { fromKubeconfig } from './kubeconfig.ts';

/** What a TLS connection to the API server is made with. */
export interface TlsMaterial {
  readonly ca?: string | Buffer | undefined;
  readonly cert?: string | Buffer | undefined;
  readonly key?: string | Buffer | undefined;
  readonly servername?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
}

/** Where the API server is and how this process proves who it is. Files are read again, since they are rotated. */
export interface ClusterAccess {
  readonly server: string;
  /** The namespace of the context or of the pod. */
  readonly namespace: string | undefined;
  /** The user that the kubeconfig says to impersonate. */
  readonly impersonate: string | undefined;
  /** For the next connection. */
  tls(): Promise<TlsMaterial>;
  /** The Authorization header of the next request; undefined when a client certificate does it. */
  authorization(): Promise<string | undefined>;
  /** The server refused the credentials: read or make them anew before the next request. */
  forgetCredentials(): void;
}

/** Where to look for credentials, in this order; environment and pod folder are parameters for tests. */
export interface ConfigSource {
  /** The value of `--kubeconfig`; wins over everything. */
  readonly kubeconfig?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly podFolder?: string | undefined;
}

const POD_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** `--kubeconfig`, then `KUBECONFIG`, then the pod's ServiceAccount (operations.md 7). */
export function loadConfig({ kubeconfig, environment, podFolder = POD_FOLDER }: ConfigSource): ClusterAccess {
  if (kubeconfig) return fromKubeconfig([kubeconfig], environment);
  const files = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (files.length > 0) return fromKubeconfig(files, environment);
  const host = environment['KUBERNETES_SERVICE_HOST'];
  const port = environment['KUBERNETES_SERVICE_PORT'];
  if (host && port) return fromPod({ host, port, folder: podFolder });
  throw new ConfigError('no API server: give --kubeconfig or KUBECONFIG, or run in a pod with a ServiceAccount');
}

function fromPod({ host, port, folder }: { host: string; port: string; folder: string }): ClusterAccess {
  const token = new RereadFile(`${folder}/token`);
  readOrExplain(() => token.read(), `the ServiceAccount's token ${folder}/token`);
  const namespace = readOrExplain(
    () => readFileSync(`${folder}/namespace`, 'utf8').trim(),
    `the ServiceAccount's namespace ${folder}/namespace`,
  );
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    namespace,
    impersonate: undefined,
    tls: async () => ({ ca: await readFile(`${folder}/ca.crt`) }),
    authorization: async () => `Bearer ${token.read()}`,
    forgetCredentials: () => token.forget(),
  };
}
