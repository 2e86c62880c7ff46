import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../cluster/cluster.ts';

/** Whose token, and where to. */
interface Account {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly account: string;
}

/** A kubeconfig with a real token of a ServiceAccount that exists, in its own namespace: what a Pod's token folder says, in one file. */
export async function writeKubeconfigOf({ file, ...whose }: Account & { readonly file: string }): Promise<void> {
  const { server, certificateAuthority } = whose.cluster.access;
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'pod',
    clusters: [{ name: 'pod', cluster: { server, 'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64') } }],
    users: [{ name: 'pod', user: { token: await tokenOf(whose) } }],
    contexts: [{ name: 'pod', context: { cluster: 'pod', user: 'pod', namespace: whose.namespace } }],
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
}

/** The folder that kubelet mounts into a Pod: token, CA and namespace. */
export async function writeAccountFolder({ folder, ...whose }: Account & { readonly folder: string }): Promise<void> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'token'), await tokenOf(whose), { mode: 0o600 });
  writeFileSync(join(folder, 'ca.crt'), whose.cluster.access.certificateAuthority);
  writeFileSync(join(folder, 'namespace'), whose.namespace);
}

async function tokenOf({ cluster, namespace, account }: Account): Promise<string> {
  const answer = await cluster.admin.create(`/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 86_400 },
  });
  return answer['status'].token;
}
