import { join } from 'node:path';

/** Everything that the command lines of the control plane are made of. */
export interface Plan {
  readonly folder: string;
  readonly etcdPort: number;
  readonly etcdPeerPort: number;
  readonly apiPort: number;
  readonly serviceAccountAdmission: boolean;
  readonly auditPolicy?: string | undefined;
  readonly apiServerFlags: readonly string[];
}

/** Where a cluster keeps its files, by what they are. */
export function files(folder: string) {
  return {
    tokens: join(folder, 'tokens.csv'),
    serviceAccountKey: join(folder, 'service-account.key'),
    certificates: join(folder, 'certificates'),
    servingCertificate: join(folder, 'certificates', 'apiserver.crt'),
    auditPolicy: join(folder, 'audit-policy.yaml'),
    auditLog: join(folder, 'audit.log'),
    log: (component: string): string => join(folder, `${component}.log`),
    kubeconfig: (user: string): string => join(folder, `${user}.kubeconfig`),
  };
}

/** etcd for data that nobody misses: nothing waits for the disk. */
export function etcdFlags({ folder, etcdPort, etcdPeerPort }: Plan): string[] {
  const client = `http://127.0.0.1:${etcdPort}`;
  const peer = `http://127.0.0.1:${etcdPeerPort}`;
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
    '--quota-backend-bytes=4294967296',
  ];
}

/** kube-apiserver with RBAC, static tokens, ServiceAccount tokens, and a certificate that it signs itself. */
export function apiServerFlags(plan: Plan): string[] {
  const file = files(plan.folder);
  const audit = plan.auditPolicy
    ? [`--audit-policy-file=${plan.auditPolicy}`, `--audit-log-path=${file.auditLog}`, '--audit-log-mode=blocking']
    : [];
  return [
    `--etcd-servers=http://127.0.0.1:${plan.etcdPort}`,
    `--secure-port=${plan.apiPort}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.0.0.0/16',
    `--cert-dir=${file.certificates}`,
    `--token-auth-file=${file.tokens}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file.serviceAccountKey}`,
    `--service-account-signing-key-file=${file.serviceAccountKey}`,
    ...(plan.serviceAccountAdmission ? [] : ['--disable-admission-plugins=ServiceAccount']),
    '--allow-privileged=true',
    '--profiling=false',
    ...audit,
    ...plan.apiServerFlags,
  ];
}

/** All controllers: garbage collection, namespaces, workloads, node lifecycle. */
export function controllerManagerFlags(folder: string): string[] {
  const file = files(folder);
  return [
    `--kubeconfig=${file.kubeconfig('kube-controller-manager')}`,
    `--service-account-private-key-file=${file.serviceAccountKey}`,
    `--root-ca-file=${file.servingCertificate}`,
    '--use-service-account-credentials=true',
    '--leader-elect=false',
    '--secure-port=0',
    // The default of 20 a second makes its own start take 4 s longer.
    '--kube-api-qps=1000',
    '--kube-api-burst=1000',
  ];
}

/** The scheduler, alone. */
export function schedulerFlags(folder: string): string[] {
  return [`--kubeconfig=${files(folder).kubeconfig('kube-scheduler')}`, '--leader-elect=false', '--secure-port=0'];
}

/** kwok plays the kubelet of every Node; `stages` is the folder of its stage files. */
export function kwokFlags(folder: string, stages: string): string[] {
  const stage = (name: string): string => `--config=${join(stages, name)}`;
  return [
    `--kubeconfig=${files(folder).kubeconfig('kwok')}`,
    '--manage-all-nodes=true',
    '--node-lease-duration-seconds=40',
    stage('node/fast/node-initialize.yaml'),
    stage('node/heartbeat-with-lease/node-heartbeat-with-lease.yaml'),
    stage('pod/fast/pod-ready.yaml'),
    stage('pod/fast/pod-complete.yaml'),
    stage('pod/fast/pod-delete.yaml'),
  ];
}
