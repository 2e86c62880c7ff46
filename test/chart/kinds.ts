import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AnyObject } from '../cluster/admin.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { toolShare } from '../cluster/ensure-tool.ts';

const run = promisify(execFile);
const MONITORING = 'github.com/prometheus-operator/prometheus-operator';

/** Serves cert-manager's kinds, as its own release defines them. */
export async function installCertManagerKinds(cluster: Cluster): Promise<void> {
  await cluster.kubectl(['apply', '--server-side', '--filename', await toolShare('cert-manager')]);
  for (const kind of ['issuers', 'certificates', 'certificaterequests']) await untilServed(cluster, `${kind}.cert-manager.io`);
}

/** Serves the kinds of the Prometheus Operator that the chart can make, as its own release defines them. */
export async function installMonitoringKinds(cluster: Cluster): Promise<void> {
  const { stdout } = await run('go', ['mod', 'download', '-json', MONITORING], {
    cwd: join(import.meta.dirname, 'crds'),
    env: { ...process.env, GOWORK: 'off' },
  });
  const folder = join(JSON.parse(stdout).Dir, 'example/prometheus-operator-crd');
  for (const kind of ['podmonitors', 'servicemonitors', 'prometheusrules']) {
    await cluster.kubectl(['apply', '--server-side', '--filename', join(folder, `monitoring.coreos.com_${kind}.yaml`)]);
    await untilServed(cluster, `${kind}.monitoring.coreos.com`);
  }
}

async function untilServed({ admin }: Cluster, name: string): Promise<void> {
  const conditions = (crd: AnyObject | undefined): AnyObject[] => crd?.['status']?.conditions ?? [];
  await admin.waitFor(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`, (crd) =>
    conditions(crd).some(({ type, status }) => type === 'Established' && status === 'True'),
  );
}
