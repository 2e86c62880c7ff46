import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { useCluster } from '../support/cluster.ts';
import type { FaultProxy } from '../support/proxy.ts';
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
