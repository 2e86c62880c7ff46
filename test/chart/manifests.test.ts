import { test } from 'tap';
import type { AnyObject } from '../cluster/admin.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { installCertManagerKinds, installMonitoringKinds } from './kinds.ts';
import { MODES, render } from './render.ts';

const NAMESPACE = 'kro-system';

test('the API server takes every manifest of every mode as it is', async (t) => {
  const cluster = await startCluster({ controllerManager: true });
  t.teardown(cluster.stop);
  await Promise.all([installCertManagerKinds(cluster), installMonitoringKinds(cluster)]);
  // Pods that are not restricted would be refused.
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await cluster.admin.create('/api/v1/namespaces', { metadata: { name: NAMESPACE, labels } });
  for (const mode of MODES) {
    const manifests = await render({ mode, namespace: NAMESPACE });
    for (const manifest of manifests) {
      const { kind, metadata } = manifest;
      t.equal(await dryRun(cluster, kind === 'Pod' ? ofDefaultAccount(manifest) : manifest), '', `${mode}: ${kind} ${metadata.name}`);
    }
    for (const { kind, metadata, spec } of manifests.filter((manifest) => manifest['kind'] === 'Deployment')) {
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...spec.template.metadata, name: metadata.name }, spec: spec.template.spec };
      t.equal(await dryRun(cluster, ofDefaultAccount(pod)), '', `${mode}: a Pod of ${kind} ${metadata.name}`);
    }
  }
});

/** In a dry run the Pod's account is not there; all else of the Pod is judged. */
function ofDefaultAccount(pod: AnyObject): AnyObject {
  return { ...pod, spec: { ...pod['spec'], serviceAccountName: 'default' } };
}

/** What the API server says against a manifest, empty when it takes it. Strict: a field that it does not know is an error. */
async function dryRun({ admin }: Cluster, manifest: AnyObject): Promise<string> {
  const { apiVersion, kind, metadata } = manifest;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const served: AnyObject[] = (await admin.get(root))?.['resources'] ?? [];
  const resource = served.find(({ kind: other, name }) => other === kind && !name.includes('/'));
  if (resource === undefined) return `${apiVersion} ${kind} is not served`;
  const place = resource['namespaced'] ? `/namespaces/${metadata.namespace ?? NAMESPACE}` : '';
  const query = 'dryRun=All&fieldManager=test&fieldValidation=Strict';
  const path = `${root}${place}/${resource['name']}/${metadata.name}?${query}`;
  const { status, body } = await admin.request({ method: 'PATCH', path, body: manifest, contentType: 'application/apply-patch+yaml' });
  return status < 300 ? '' : `${status} ${body['message']}`;
}
