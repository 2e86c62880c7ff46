import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Admin, AnyObject } from '../cluster/admin.ts';
import { useCluster } from '../support/cluster.ts';
import type { FaultProxy, SeenRequest } from '../support/proxy.ts';
import { isWrite, openNamespace, Process, prepareGround } from './lane.ts';
import { FLAGS } from './lanes.ts';
import { randomFrom } from './plan.ts';
import { type Lane, Run, settleNeighbour } from './run.ts';
import { SHAPES } from './shapes.ts';
import { conclude } from './sweep.ts';

const ROUNDS = process.env['KRO_GRAPH_FAULTS'] === 'all' ? 8 : 1;
const only = process.env['KRO_GRAPH_SHAPE'];
/** A request comes up to so many milliseconds late, so that each round is another order of events. */
const LATEST = 80;
const QUIET_MILLISECONDS = 500;

t.test('two controllers at once, neither of which knows of the other, lose nothing', { timeout: 3_600_000 }, async (t) => {
  const use = await useCluster(t);
  const ground = await prepareGround(t, use);
  const namespace = `${use.namespace}-two`;
  await openNamespace(t, ground, namespace);
  const args = [...FLAGS, '--watch-namespaces', namespace];
  const [controller, other] = await Promise.all(
    ['one', 'two'].map((name) => Process.prepare(t, ground, { name: `${namespace}-${name}`, args })),
  );
  if (controller === undefined || other === undefined) throw new Error('no processes');
  const lane: Lane = { admin: use.admin, namespace, controller, neighbours: new Map() };
  await settleNeighbour(lane);
  other.start();
  const proxies = [controller.proxy, other.proxy];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, shape] of SHAPES.entries()) {
      if (only !== undefined && !only.split(',').includes(shape.name)) continue;
      for (const [index, proxy] of proxies.entries()) delayAll(proxy, randomFrom(1000 * round + 10 * at + index));
      const run = new Run(lane, shape, `${shape.name}-o${round}`);
      await run.setUp();
      await run.become(run.scenario.change);
      if (run.scenario.afterwards !== undefined) await run.become(run.scenario.afterwards);
      await untilQuiet(proxies);
      t.same(await conclude(run, () => {}), [], `${shape.name}, round ${round}`);
    }
  }
});

/** What another controller does while a write of this one is under way. */
const MEANWHILE: readonly [title: string, act: (graph: string, admin: Admin) => Promise<void>][] = [
  [
    'pruned what this one makes',
    async (graph, admin) => {
      await admin.patch(graph, { spec: { nodes: [{ id: 'rest', template: configMap('rest') }] } });
      await admin.patch(`${graph}/status`, { status: { managedResources: null, contributions: null } });
    },
  ],
  [
    'tore the Graph down',
    async (graph, admin) => {
      await admin.remove(graph);
      await admin.patch(graph, { metadata: { finalizers: null } });
    },
  ],
];

t.test('what this one writes for a Graph that another has moved on is not lost', async (t) => {
  const use = await useCluster(t);
  const { admin } = use;
  const ground = await prepareGround(t, use);
  const namespace = `${use.namespace}-late`;
  await openNamespace(t, ground, namespace);
  const controller = await Process.prepare(t, ground, { name: namespace, args: [...FLAGS, '--watch-namespaces', namespace] });
  const folder = `/api/v1/namespaces/${namespace}/configmaps`;
  const graphs = `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs`;
  controller.start();
  for (const [title, act] of MEANWHILE) {
    await admin.create(folder, { metadata: { name: 'theirs' }, data: { theirs: 'yes' } });
    let reached: () => void = () => {};
    let release: () => void = () => {};
    const isReached = new Promise<void>((done) => {
      reached = done;
    });
    const isReleased = new Promise<void>((done) => {
      release = done;
    });
    // One write is held until the other controller has acted; the contribution has been made by then.
    controller.proxy.onRequest(({ method, path }) => {
      if (!isMade({ method, path })) return undefined;
      reached();
      return { kind: 'delay', until: isReleased };
    });
    const nodes = [
      { id: 'given', patch: { ...configMap('theirs'), data: { ours: 'given' } } },
      { id: 'made', template: configMap('made') },
    ];
    await admin.create(graphs, { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name: 'g' }, spec: { nodes } });
    await isReached;
    await admin.waitFor(`${folder}/theirs`, (object) => object?.['data'].ours === 'given');
    await act(`${graphs}/g`, admin);
    release();
    await untilAnswered(controller.proxy, isMade);
    await admin.waitFor(`${folder}/theirs`, (object) => object?.['data'].ours === undefined);
    await admin.waitFor(`${folder}/made`, (object) => object === undefined);
    controller.proxy.onRequest(() => undefined);
    await admin.remove(`${graphs}/g`);
    await admin.waitFor(`${graphs}/g`, (object) => object === undefined);
    t.same((await admin.get(`${folder}/theirs`))?.['data'], { theirs: 'yes' }, title);
    t.ok((await admin.get(`${folder}/made`)) === undefined, `${title}: nothing is left`);
    await admin.remove(`${folder}/theirs`);
  }
});

t.test('fields whose write got no answer are looked for, and released when they come after all', async (t) => {
  const use = await useCluster(t);
  const { admin } = use;
  const ground = await prepareGround(t, use);
  const namespace = `${use.namespace}-unanswered`;
  await openNamespace(t, ground, namespace);
  const controller = await Process.prepare(t, ground, { name: namespace, args: [...FLAGS, '--watch-namespaces', namespace] });
  const folder = `/api/v1/namespaces/${namespace}/configmaps`;
  const graphs = `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs`;
  const [theirs, graph] = [`${folder}/theirs`, `${graphs}/g`];
  await admin.create(folder, { metadata: { name: 'theirs' }, data: { theirs: 'yes' } });
  let sent: SeenRequest | undefined;
  controller.proxy.onRequest((request) => {
    if (request.method !== 'PATCH' || !request.path.includes('/configmaps/theirs')) return undefined;
    sent ??= request;
    return { kind: 'answer', forward: false, answer: { status: 504 } };
  });
  controller.start();
  const nodes = [{ id: 'given', patch: { ...configMap('theirs'), data: { ours: 'given' } } }];
  await admin.create(graphs, { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name: 'g' }, spec: { nodes } });
  while (sent === undefined) await sleep(20);
  await admin.remove(graph);
  await sleep(3000);
  t.ok(await admin.get(graph), 'the Graph waits, since its write may still be carried out');
  controller.proxy.onRequest(undefined);
  const { path, body } = sent;
  const late = await admin.request({ method: 'PATCH', path, body: JSON.parse(body), contentType: 'application/apply-patch+yaml' });
  t.equal(late.body['data']?.ours, 'given', 'now it is');
  await admin.waitFor(theirs, (object) => object?.['data'].ours === undefined);
  await admin.waitFor(graph, (object) => object === undefined);
  t.same((await admin.get(theirs))?.['data'], { theirs: 'yes' });
});

t.test('fields whose write was on its way when its controller was killed are looked for by the next one', async (t) => {
  const use = await useCluster(t);
  const { admin } = use;
  const ground = await prepareGround(t, use);
  const namespace = `${use.namespace}-killed`;
  await openNamespace(t, ground, namespace);
  const controller = await Process.prepare(t, ground, { name: namespace, args: [...FLAGS, '--watch-namespaces', namespace] });
  const folder = `/api/v1/namespaces/${namespace}/configmaps`;
  const graphs = `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs`;
  const [theirs, graph] = [`${folder}/theirs`, `${graphs}/g`];
  await admin.create(folder, { metadata: { name: 'theirs' }, data: { theirs: 'yes' } });
  const { promise: isSent, resolve: sent } = Promise.withResolvers<SeenRequest>();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  controller.proxy.onRequest((request) => {
    if (request.method !== 'PATCH' || !request.path.includes('/configmaps/theirs')) return undefined;
    sent(request);
    return { kind: 'delay', until: isReleased };
  });
  controller.start();
  const nodes = [{ id: 'given', patch: { ...configMap('theirs'), data: { ours: 'given' } } }];
  await admin.create(graphs, { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name: 'g' }, spec: { nodes } });
  const late = await isSent;
  await controller.kill();
  controller.proxy.onRequest(undefined);
  await admin.remove(graph);
  controller.start();
  await admin.waitFor(graph, (found) => found?.['status']?.state === 'DELETING');
  t.equal(late.status, undefined, 'the teardown waits, since the write may still be carried out');
  release();
  while (late.status === undefined) await sleep(20);
  t.equal(late.status, 200, 'now it is');
  await admin.waitFor(graph, (found) => found === undefined);
  t.same((await admin.get(theirs))?.['data'], { theirs: 'yes' });
});

function isMade({ method, path }: Pick<SeenRequest, 'method' | 'path'>): boolean {
  return method === 'PATCH' && path.includes('/configmaps/made');
}

async function untilAnswered({ seen }: FaultProxy, isIt: (request: SeenRequest) => boolean): Promise<void> {
  while (seen.findLast(isIt)?.status === undefined) await sleep(20);
}

function configMap(name: string): AnyObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
}

function delayAll(proxy: FaultProxy, random: () => number): void {
  proxy.onRequest((request) => (request.isWatch ? undefined : { kind: 'delay', until: Math.floor(random() * LATEST) }));
}

/** Returns when neither has written for a while. */
async function untilQuiet(proxies: readonly FaultProxy[]): Promise<void> {
  const count = (): number => proxies.reduce((sum, { seen }) => sum + seen.filter(isWrite).length, 0);
  for (let before = -1, now = count(); before !== now; now = count()) {
    before = now;
    await sleep(QUIET_MILLISECONDS);
  }
}
