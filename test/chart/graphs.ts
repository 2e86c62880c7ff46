import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyObject } from '../cluster/admin.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { runKubectl } from '../cluster/kubectl.ts';

/** A Graph of a ConfigMap with this text in it. */
export function greeting(name: string, expression = '${settings.greeting}'): AnyObject {
  const nodes = [
    { id: 'settings', def: { greeting: `hello from ${name}` } },
    { id: 'config', template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: expression } } },
  ];
  return { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name }, spec: { serviceAccountName: 'greeter', nodes } };
}

/** The same with a mistake that only a compiler sees. */
export function wrongGreeting(name: string): AnyObject {
  return greeting(name, '${settigns.greeting}');
}

/** A namespace whose ServiceAccount "greeter" may write ConfigMaps. */
export async function makeTenant({ admin }: Cluster, namespace: string): Promise<void> {
  await admin.create('/api/v1/namespaces', { metadata: { name: namespace } });
  await admin.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'greeter' } });
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const verbs = ['get', 'list', 'watch', 'create', 'patch', 'update', 'delete'];
  await admin.create(`${rbac}/roles`, { metadata: { name: 'greeter' }, rules: [{ apiGroups: [''], resources: ['configmaps'], verbs }] });
  await admin.create(`${rbac}/rolebindings`, {
    metadata: { name: 'greeter' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'greeter' },
    subjects: [{ kind: 'ServiceAccount', name: 'greeter', namespace }],
  });
}

/** `kubectl apply` of a Graph: its exit code and what a person reads. */
export async function applyGraph(
  cluster: Cluster,
  namespace: string,
  graph: AnyObject,
): Promise<{ readonly code: number; readonly said: string }> {
  const { code, stdout, stderr } = await runKubectl(['apply', '--namespace', namespace, '--filename', '-'], {
    kubeconfig: cluster.kubeconfig,
    input: JSON.stringify(graph),
  });
  return { code, said: `${stdout}${stderr}` };
}

/** Where a Graph is. */
export function pathOf(namespace: string, name: string): string {
  return `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs/${name}`;
}

/** Whether a Graph's condition Ready is True and about its present generation. */
export function isReady(graph: AnyObject | undefined): boolean {
  const conditions: AnyObject[] = graph?.['status']?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  return ready?.['status'] === 'True' && ready['observedGeneration'] === graph?.['metadata'].generation;
}

/** API servers learn of a registration with a delay: returns when a wrong Graph is refused by the webhook. */
export async function untilJudged({ admin }: Cluster, namespace: string): Promise<void> {
  const deadline = Date.now() + 180_000;
  for (;;) {
    const path = `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs?dryRun=All`;
    const { status, body } = await admin.request({ method: 'POST', path, body: wrongGreeting('probe') });
    if (status === 422) return;
    if (Date.now() > deadline) throw new Error(`a wrong Graph is not refused: ${status} ${body['message']}`);
    await sleep(100);
  }
}

/** A match condition that keeps one name from the webhook, so that it can be told when API servers go by the registration that has it. */
export function markOf(name: string): AnyObject {
  return { name, expression: `object.metadata.name != '${name}'` };
}

/** API servers learn of a change of a registration with a delay: returns when they go by the one with this mark. */
export async function untilMarkSeen({ admin }: Cluster, namespace: string, name: string): Promise<void> {
  const deadline = Date.now() + 180_000;
  for (;;) {
    const path = `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs?dryRun=All`;
    const { status, body } = await admin.request({ method: 'POST', path, body: wrongGreeting(name) });
    if (status === 201) return;
    if (Date.now() > deadline) throw new Error(`the webhook is asked in spite of the mark: ${status} ${body['message']}`);
    await sleep(100);
  }
}
