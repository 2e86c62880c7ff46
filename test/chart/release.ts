import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import type { AnyObject } from '../cluster/admin.ts';
import { type Cluster, type ClusterOptions, startCluster } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/free-ports.ts';
import { CHART, helm } from './helm.ts';
import { type PodRequest, type RunningPod, runPod } from './run-pod.ts';

/** Who asked for what, and how it was answered: it tells what was refused for want of rights. */
const AUDIT_POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: Metadata}]
`;

/** A cluster with all controllers, whose audit log is kept, and the chart's hands in it. */
export interface Release {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** Values that put the webhook on this machine: its URL, and ports that are free. */
  readonly local: AnyObject;
  /** install, upgrade, rollback, uninstall, status …, with the release's namespace. */
  readonly helm: (args: readonly string[], values?: AnyObject) => Promise<string>;
  readonly pod: (request: Pick<PodRequest, 'name' | 'index'>) => Promise<RunningPod>;
}

/** Starts a cluster for this test alone: the chart has cluster-wide objects, and its webhook judges every namespace. */
export async function startRelease(t: Pick<Test, 'teardown'>, options: ClusterOptions = {}): Promise<Release> {
  const cluster = await startCluster({ controllerManager: true, auditPolicy: AUDIT_POLICY, ...options });
  t.teardown(cluster.stop);
  const namespace = `kro-${randomBytes(3).toString('hex')}`;
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await cluster.admin.create('/api/v1/namespaces', { metadata: { name: namespace, labels } });
  const [containerPort = 0, webhookMetrics = 0, controllerMetrics = 0] = await freePorts(3);
  return {
    cluster,
    namespace,
    local: {
      webhook: {
        containerPort,
        url: `https://127.0.0.1:${containerPort}`,
        extraArgs: [`--metrics-port=${webhookMetrics}`, '--shutdown-delay=500ms'],
      },
      controller: { extraArgs: [`--metrics-port=${controllerMetrics}`] },
    },
    helm: (args, values) => {
      const input = values === undefined ? {} : { input: JSON.stringify(values) };
      const file = values === undefined ? [] : ['--values', '-'];
      return helm([...args, '--namespace', namespace, ...file], { kubeconfig: cluster.kubeconfig, ...input });
    },
    pod: (request) => runPod(t, { cluster, namespace, ...request }),
  };
}

/** Arguments of `helm install` and `helm upgrade` for this chart. */
export function withChart(command: 'install' | 'upgrade', release: string, ...flags: readonly string[]): string[] {
  return [command, release, CHART, ...flags];
}

/** Both maps in one; of two maps under one key their members, of all else the second. */
export function merge(first: AnyObject, second: AnyObject): AnyObject {
  const isMap = (value: unknown): value is AnyObject => typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged: AnyObject = { ...first };
  for (const [key, value] of Object.entries(second)) merged[key] = isMap(value) && isMap(first[key]) ? merge(first[key], value) : value;
  return merged;
}
