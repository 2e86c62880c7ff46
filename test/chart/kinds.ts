import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Cluster } from '../cluster/cluster.ts';
import { toolShare } from '../cluster/ensure-tool.ts';

const run = promisify(execFile);

/** Serves cert-manager's kinds, as its own release defines them. */
export async function installCertManagerKinds({ kubectl }: Cluster): Promise<void> {
  await kubectl(['apply', '--server-side', '--filename', await toolShare('cert-manager')]);
  await kubectl(['wait', '--for=condition=Established', 'crd/issuers.cert-manager.io', 'crd/certificates.cert-manager.io']);
}

/** Serves the kinds of the Prometheus Operator that the chart can make, as its own release defines them. */
export async function installMonitoringKinds({ kubectl }: Cluster): Promise<void> {
  const module = 'github.com/prometheus-operator/prometheus-operator';
  const { stdout } = await run('go', ['mod', 'download', '-json', module], {
    cwd: join(import.meta.dirname, 'crds'),
    env: { ...process.env, GOWORK: 'off' },
  });
  const folder = join(JSON.parse(stdout).Dir, 'example/prometheus-operator-crd');
  for (const kind of ['podmonitors', 'servicemonitors', 'prometheusrules']) {
    await kubectl(['apply', '--server-side', '--filename', join(folder, `monitoring.coreos.com_${kind}.yaml`)]);
    await kubectl(['wait', '--for=condition=Established', `crd/${kind}.monitoring.coreos.com`]);
  }
}
