import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { type Admin, connect } from '../cluster/admin.ts';
import { type Cluster, type ClusterOptions, startCluster } from '../cluster/cluster.ts';
import { type Access, readKubeconfig, writeKubeconfig } from '../cluster/kubeconfig.ts';
import { type KubectlOptions, type KubectlResult, kubectl, runKubectl } from '../cluster/kubectl.ts';
import { type Account, serviceAccountToken } from '../cluster/service-account.ts';

/** The run's shared cluster has every part, so that readiness, garbage collection and namespaces are the real ones. */
export const sharedClusterOptions: ClusterOptions = { controllerManager: true, scheduler: true, fakeNodes: 1 };

const crd = join(import.meta.dirname, '../../charts/kro-graph/files/crds/graphs.yaml');

/** Starts a cluster with every part, where the Graph kind is served. */
export async function startSharedCluster(): Promise<Cluster> {
  const cluster = await startCluster(sharedClusterOptions);
  await cluster.kubectl(['apply', '--server-side', '--filename', crd]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd/graphs.kro.run']);
  return cluster;
}

/** Names the environment variable by which the test runner hands its cluster to the test files. */
export const sharedKubeconfigVariable = 'KRO_GRAPH_TEST_KUBECONFIG';

/** One test's use of the run's cluster: a namespace of its own, and the admin's hands. */
export interface ClusterUse {
  /** Path of the admin's kubeconfig. */
  readonly kubeconfig: string;
  readonly access: Access;
  readonly admin: Admin;
  /** A namespace made for this test, with its `default` ServiceAccount; deleted with the test. */
  readonly namespace: string;
  /** kubectl as the admin, in the test's namespace unless `-n` says otherwise; an exit code other than 0 throws. */
  readonly kubectl: (args: readonly string[], options?: Pick<KubectlOptions, 'input'>) => Promise<string>;
  /** The same, where an exit code other than 0 is a result. */
  readonly tryKubectl: (args: readonly string[], options?: Pick<KubectlOptions, 'input'>) => Promise<KubectlResult>;
  /** A kubeconfig with a real token of a ServiceAccount, which is made if it is missing. */
  readonly kubeconfigFor: (account: Account) => Promise<string>;
}

let own: Promise<Cluster> | undefined;

/**
 * The cluster of this test run, where the Graph kind is served, with a namespace for this test. Under `npm test` all files share one cluster; a file that is run by
 * itself (`node FILE`) starts one, which ends with the process.
 */
export async function useCluster(t: Pick<Test, 'teardown'>): Promise<ClusterUse> {
  const kubeconfig = process.env[sharedKubeconfigVariable] ?? (await ownCluster()).kubeconfig;
  const access = readKubeconfig(kubeconfig);
  const admin = connect(access);
  const namespace = `test-${randomBytes(4).toString('hex')}`;
  await admin.create('/api/v1/namespaces', { metadata: { name: namespace } });
  t.teardown(() => admin.remove(`/api/v1/namespaces/${namespace}`));
  await admin.waitFor(`/api/v1/namespaces/${namespace}/serviceaccounts/default`, (account) => account !== undefined);
  const here = (args: readonly string[]): string[] => [`--namespace=${namespace}`, ...args];
  return {
    kubeconfig,
    access,
    admin,
    namespace,
    kubectl: (args, options) => kubectl(here(args), { kubeconfig, ...options }),
    tryKubectl: (args, options) => runKubectl(here(args), { kubeconfig, ...options }),
    kubeconfigFor: async (account) => {
      const token = await serviceAccountToken(admin, account);
      return writeKubeconfig(
        join(dirname(kubeconfig), `${account.namespace}.${account.name}.kubeconfig`),
        { ...access, token },
        account.namespace,
      );
    },
  };
}

function ownCluster(): Promise<Cluster> {
  own ??= startSharedCluster();
  return own;
}
