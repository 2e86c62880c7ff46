import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { parse } from 'yaml';
import {
  ANNOTATION_APPLY_ORDER,
  ANNOTATION_NODE_PATH,
  GRAPH_FINALIZER,
  LABEL_NODE_ID,
  nodeIdLabel,
  printNodePath,
  templateManager,
} from '../../src/api/names.ts';
import type { AnyObject } from '../cluster/admin.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { isReady, makeTenant, pathOf, untilJudged } from './graphs.ts';
import { CHART } from './helm.ts';
import { merge, startRelease, withChart } from './release.ts';

const TENANT = 'tenant';
const GRAPH = pathOf(TENANT, 'shop');
const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/graphs.kro.run';
const CONFIG_MAPS = `/api/v1/namespaces/${TENANT}/configmaps`;

/** Three objects, each of which reads the one before. */
const NAMES = ['base', 'middle', 'top'] as const;
const NODES: AnyObject[] = NAMES.map((id, index) => ({
  id,
  template: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: id },
    data: index === 0 ? { color: 'blue' } : { color: `\${${NAMES[index - 1]}.data.color}` },
  },
}));

test('another implementation hands its Graphs over, and gets them back: nothing is made anew', async (t) => {
  const { cluster, helm, local, pod } = await startRelease(t);
  const { admin } = cluster;
  const values = merge(local, { webhook: { tls: { mode: 'selfSigned' } } });
  await makeTenant(cluster, TENANT);
  const crdBefore = await asAnotherImplementation(cluster);
  const before = await childrenOf(cluster);
  const graph = await admin.get(GRAPH);

  // First it judges alone, as docs/install.md says.
  const trial = { crds: { enabled: false }, controller: { replicas: 0 }, webhook: { failurePolicy: 'Ignore' } };
  await helm(withChart('install', 'kro-graph'), merge(values, trial));
  const webhook = await pod({ name: 'kro-graph-webhook' });
  await webhook.untilReady();
  await untilJudged(cluster, TENANT);
  t.strictSame(await childrenOf(cluster), before, 'on trial nothing is touched');
  t.equal((await admin.get(GRAPH))?.['metadata'].resourceVersion, graph?.['metadata'].resourceVersion);

  await helm(withChart('upgrade', 'kro-graph', '--take-ownership', '--force-conflicts'), values);
  t.ok(columnsOf(await admin.get(CRD)).includes('wave'), "the CRD is now this chart's");
  const controller = await pod({ name: 'kro-graph-controller' });
  await controller.untilReady();
  const after = await admin.waitFor(GRAPH, (found) => isReady(found) && found?.['status'].managedResources[0].wave === 1);
  t.equal(after?.['metadata'].uid, graph?.['metadata'].uid);
  t.strictSame(after?.['metadata'].finalizers, [GRAPH_FINALIZER]);
  const uids = (children: readonly AnyObject[]): string[] => children.map(({ metadata }) => metadata.uid);
  t.strictSame(uids(await childrenOf(cluster)), uids(before), 'every object is the same');
  t.strictSame(
    (await childrenOf(cluster)).map(managersOf),
    NAMES.map(() => [templateManager(graph?.['metadata'].uid)]),
    'the fields have one manager: nobody else is left, nobody came',
  );
  t.strictSame(
    after?.['status'].managedResources.map(({ name, wave, uid }: AnyObject) => [name, wave, uid]),
    before.map(({ metadata }, index) => [metadata.name, index + 1, metadata.uid]),
  );
  await admin.patch(`${CONFIG_MAPS}/middle`, { data: { color: 'red' } });
  await admin.waitFor(`${CONFIG_MAPS}/middle`, (found) => found?.['data'].color === 'blue');

  // And back.
  await helm(
    withChart('upgrade', 'kro-graph'),
    merge(values, { crds: { enabled: false }, controller: { replicas: 0 }, webhook: { enabled: false } }),
  );
  t.equal(await controller.stop(), 0, controller.lastWords());
  t.equal(await webhook.stop(), 0, webhook.lastWords());
  t.ok(await admin.get(CRD), 'a chart without the CRD leaves it');
  await replaceCrd(cluster, crdBefore);
  t.strictSame(uids(await childrenOf(cluster)), uids(before));
  const returned = await admin.patch(`${GRAPH}/status`, { status: { observedGeneration: graph?.['metadata'].generation } });
  t.strictSame(
    returned['status'].managedResources.map((entry: AnyObject) => Object.keys(entry).sort()),
    NAMES.map(() => ['apiVersion', 'kind', 'name', 'namespace', 'nodeID', 'uid']),
    'the other implementation finds an inventory as it writes it',
  );
  t.strictSame(
    (await childrenOf(cluster)).map(({ metadata }) => [metadata.labels[LABEL_NODE_ID], metadata.annotations[ANNOTATION_APPLY_ORDER]]),
    NAMES.map((name, index) => [name, String(index + 1)]),
    'and objects that bear its marks',
  );
  await helm(['uninstall', 'kro-graph']);
  t.ok(await admin.get(GRAPH), 'uninstalling leaves the Graphs to it');
  t.strictSame(uids(await childrenOf(cluster)), uids(before));

  // Should it not have come back: what its CRD has dropped is read from the objects, and teardown keeps the order.
  await helm(withChart('install', 'kro-graph'), merge(values, { crds: { enabled: false }, webhook: { enabled: false } }));
  const again = await pod({ name: 'kro-graph-controller' });
  await again.untilReady();
  const gone = watchDeletions(t, cluster);
  await admin.remove(GRAPH);
  await admin.waitFor(GRAPH, (found) => found === undefined);
  t.strictSame(await gone, [...NAMES].reverse(), 'in the reverse order of applying');
});

/** What another controller of this API leaves: its CRD, without fields of our own, and a Graph that it has applied. */
async function asAnotherImplementation(cluster: Cluster): Promise<AnyObject> {
  const { admin } = cluster;
  const crd: AnyObject = parse(readFileSync(join(CHART, 'files/crds/graphs.yaml'), 'utf8'));
  delete statusOf(crd)['managedResources'].items.properties.wave;
  await admin.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
  await admin.waitFor(CRD, (found) =>
    (found?.['status']?.conditions ?? []).some(({ type, status }: AnyObject) => type === 'Established' && status === 'True'),
  );
  const manifest = {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'Graph',
    metadata: { name: 'shop', finalizers: [GRAPH_FINALIZER] },
    spec: { serviceAccountName: 'greeter', nodes: NODES },
  };
  const { metadata } = await untilCreated(cluster, manifest);
  const children: AnyObject[] = [];
  for (const [index, name] of NAMES.entries()) children.push(await applyChild(cluster, { uid: metadata.uid, name, wave: index + 1 }));
  const condition = (type: string, reason: string) => ({
    ...{ type, status: 'True', reason, message: '', observedGeneration: metadata.generation },
    lastTransitionTime: new Date().toISOString(),
  });
  await admin.patch(`${GRAPH}/status`, {
    status: {
      observedGeneration: metadata.generation,
      appliedServiceAccount: `system:serviceaccount:${TENANT}:greeter`,
      conditions: [condition('Accepted', 'Compiled'), condition('ResourcesConverged', 'Applied'), condition('Ready', 'Applied')],
      managedResources: children.map((child) => ({
        ...{ apiVersion: 'v1', kind: 'ConfigMap', namespace: TENANT, name: child['metadata'].name },
        ...{ uid: child['metadata'].uid, nodeID: child['metadata'].name },
      })),
    },
  });
  return crd;
}

/** A CRD is served a moment after it is established. */
async function untilCreated({ admin }: Cluster, manifest: AnyObject): Promise<AnyObject> {
  const path = `/apis/kro.run/v1alpha1/namespaces/${TENANT}/graphs`;
  for (;;) {
    const { status, body } = await admin.request({ method: 'POST', path, body: manifest });
    if (status === 201) return body;
    if (status !== 404) throw new Error(`${status} ${body['message']}`);
  }
}

/** One object as the API's wire contract has it (graph.md 1). */
async function applyChild({ admin }: Cluster, { uid, name, wave }: { uid: string; name: string; wave: number }): Promise<AnyObject> {
  const path = [name];
  const { status, body } = await admin.request({
    method: 'PATCH',
    path: `${CONFIG_MAPS}/${name}?force=true&fieldManager=${templateManager(uid)}`,
    contentType: 'application/apply-patch+yaml',
    body: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name,
        labels: { [LABEL_NODE_ID]: nodeIdLabel(path) },
        annotations: { [ANNOTATION_NODE_PATH]: printNodePath(path), [ANNOTATION_APPLY_ORDER]: String(wave) },
      },
      data: { color: 'blue' },
    },
  });
  if (status >= 300) throw new Error(`${status} ${body['message']}`);
  return body;
}

/** The Graph's objects as they are, in apply order. */
async function childrenOf({ admin }: Cluster): Promise<AnyObject[]> {
  return Promise.all(NAMES.map(async (name) => (await admin.get(`${CONFIG_MAPS}/${name}`)) ?? { metadata: {} }));
}

function managersOf({ metadata }: AnyObject): string[] {
  return (metadata.managedFields ?? []).map(({ manager }: AnyObject) => manager);
}

function statusOf(crd: AnyObject | undefined): AnyObject {
  return crd?.['spec'].versions[0].schema.openAPIV3Schema.properties.status.properties;
}

/** The fields of an entry of the inventory, by a CRD. */
function columnsOf(crd: AnyObject | undefined): string[] {
  return Object.keys(statusOf(crd)['managedResources'].items.properties);
}

async function replaceCrd({ admin }: Cluster, crd: AnyObject): Promise<void> {
  const live = await admin.get(CRD);
  const { status, body } = await admin.request({
    method: 'PUT',
    path: CRD,
    body: { ...crd, metadata: { name: crd['metadata'].name, resourceVersion: live?.['metadata'].resourceVersion } },
  });
  if (status >= 300) throw new Error(`${status} ${body['message']}`);
  await untilDropped(admin);
}

/** API servers go by a new schema a moment later. */
async function untilDropped(admin: Cluster['admin']): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const { status } = (await admin.patch(`${GRAPH}/status`, { status: { observedGeneration: attempt } })) as AnyObject;
    if (status.managedResources.every((entry: AnyObject) => !('wave' in entry))) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the old schema is not in force');
}

/** The names of the ConfigMaps in the order in which they went; resolves when all are gone. */
async function watchDeletions(t: Test, { admin }: Cluster): Promise<string[]> {
  const order: string[] = [];
  await Promise.all(
    NAMES.map(async (name) => {
      await admin.waitFor(`${CONFIG_MAPS}/${name}`, (found) => found === undefined);
      order.push(name);
    }),
  );
  t.comment(order.join(' '));
  return order;
}
