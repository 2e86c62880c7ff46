import type { Test } from 'tap';
import type { ClusterUse } from '../support/cluster.ts';
import { openNamespace, Process, prepareGround } from './lane.ts';
import { type Lane, settleNeighbour } from './run.ts';

/** Failures are seen soon, and tried again soon. */
export const FLAGS = ['--no-leader-elect', '--backoff-min', '100ms', '--backoff-max', '2s'];

/** Opens so many lanes, each with a namespace, a proxy and a controller of its own. */
export async function openLanes(t: Pick<Test, 'teardown'>, use: ClusterUse, count: number): Promise<Lane[]> {
  const ground = await prepareGround(t, use);
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const namespace = `${use.namespace}-${at}`;
      await openNamespace(t, ground, namespace);
      const controller = await Process.prepare(t, ground, { name: namespace, args: [...FLAGS, '--watch-namespaces', namespace] });
      const lane: Lane = { admin: use.admin, namespace, controller, neighbours: new Map() };
      await settleNeighbour(lane);
      return lane;
    }),
  );
}

/** Gives every job to the first lane that is free. */
export async function share<J>(lanes: readonly Lane[], jobs: readonly J[], work: (lane: Lane, job: J) => Promise<void>): Promise<void> {
  const left = [...jobs];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let job = left.shift(); job !== undefined; job = left.shift()) await work(lane, job);
    }),
  );
}
