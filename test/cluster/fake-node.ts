import type { Admin } from './admin.ts';

/** Makes a Node for kwok to keep alive, with room for every Pod of a test run. */
export async function makeFakeNode(admin: Admin, name: string): Promise<void> {
  const resources = { cpu: '64', memory: '512Gi', pods: '10000', 'ephemeral-storage': '1Ti' };
  await admin.create('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: { 'kwok.x-k8s.io/node': 'fake', 'node.alpha.kubernetes.io/ttl': '0' },
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64', type: 'kwok' },
    },
    status: { allocatable: resources, capacity: resources },
  });
}
