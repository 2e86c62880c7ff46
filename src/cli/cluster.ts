import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { KubeClient } from '../kube/client.ts';
import { systemClock } from '../kube/clock.ts';
import { loadConfig } from '../kube/config.ts';
import { Http } from '../kube/http.ts';
import { createClient } from '../kube/json-client.ts';

/** The cluster of a kubeconfig, as its user sees it. */
export interface ClusterConnection {
  readonly client: KubeClient;
  /** The namespace of the kubeconfig's context. */
  readonly namespace: string;
}

/**
 * Connects for as long as `use` runs. Throws ConfigError for a kubeconfig that is none; without `kubeconfig`, as kubectl: KUBECONFIG, then
 * ~/.kube/config, then the pod's ServiceAccount.
 */
export async function withCluster<T>(kubeconfig: string | undefined, use: (cluster: ClusterConnection) => Promise<T>): Promise<T> {
  const access = loadConfig({ kubeconfig: kubeconfig ?? homeKubeconfig(), environment: process.env });
  const http = new Http({ access, clock: systemClock, random: Math.random, userAgent: 'kro-graph-cli' });
  try {
    return await use({ client: createClient(http), namespace: access.namespace ?? 'default' });
  } finally {
    await http.close();
  }
}

/** ~/.kube/config, where KUBECONFIG names no other and the file is there. */
export function homeKubeconfig(): string | undefined {
  if ((process.env['KUBECONFIG'] ?? '') !== '') return undefined;
  const file = join(homedir(), '.kube', 'config');
  return existsSync(file) ? file : undefined;
}
