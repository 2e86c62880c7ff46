import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { AnyObject } from '../cluster/admin.ts';
import { openNamespace, Process, prepareGround } from '../faults/lane.ts';
import { FLAGS } from '../faults/lanes.ts';
import { configMap, patch, template } from '../faults/parts.ts';
import { useCluster } from '../support/cluster.ts';

/** So long the controller has to hear that the Graph is being deleted. */
const HEARD_MILLISECONDS = 1000;
/** Well below the 70 s that a write of unknown fate is looked for. */
const SOON = 20_000;

/** What follows the one object whose write is held back: another node, the other items of a collection, a contribution. */
const NODES: readonly AnyObject[] = [
  { id: 'many', forEach: [{ k: '${lists.range(40)}' }], template: configMap('many-${string(k)}', { v: '1' }) },
  template('after', configMap('after', { v: '${string(size(many))}' })),
  patch('given', configMap('theirs', { ours: '${after.data.v}' })),
];

t.test('a walk ends when its Graph is deleted, and nothing that it has made is left', { timeout: 180_000 }, async (t) => {
  const use = await useCluster(t);
  const { admin } = use;
  const ground = await prepareGround(t, use);
  const namespace = `${use.namespace}-walk`;
  await openNamespace(t, ground, namespace);
  const args = [...FLAGS, '--watch-namespaces', namespace, '--apply-concurrency', '4'];
  const controller = await Process.prepare(t, ground, { name: namespace, args });
  const { proxy } = controller;
  controller.start();
  const folder = `/api/v1/namespaces/${namespace}/configmaps`;
  const graph = `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs/g`;
  await admin.create(folder, configMap('theirs', { theirs: 'yes' }));
  const { promise: isReached, resolve: reached } = Promise.withResolvers<void>();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  proxy.onRequest(({ method, path }) => {
    if (method !== 'PATCH' || !path.includes('/configmaps/many-')) return undefined;
    reached();
    return { kind: 'delay', until: isReleased };
  });
  const written = (): string[] =>
    proxy.seen.filter(({ method, path }) => method === 'PATCH' && path.includes('/configmaps/')).map(({ path }) => path);
  await admin.create(graph.replace(/\/g$/, ''), {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'Graph',
    metadata: { name: 'g' },
    spec: { nodes: NODES },
  });
  await isReached;
  await sleep(HEARD_MILLISECONDS);
  const before = written().length;
  await admin.remove(graph);
  await sleep(HEARD_MILLISECONDS);
  release();
  await admin.waitFor(graph, (found) => found === undefined, SOON);
  t.equal(written().length, before, 'nothing was written after the deletion');
  const { items } = (await admin.get(folder)) as { items: readonly AnyObject[] };
  t.same(
    items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt'),
    ['theirs'],
  );
  t.same((await admin.get(`${folder}/theirs`))?.['data'], { theirs: 'yes' });
});
