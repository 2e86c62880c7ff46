import t from 'tap';
import { useCluster } from '../support/cluster.ts';
import { openLanes, share } from './lanes.ts';
import { MOVES } from './moves.ts';
import { SHAPES } from './shapes.ts';
import { sweep } from './sweep.ts';
import type { Death } from './trap.ts';

const LANES = 4;
const LEAST_WRITES = 10;
const FAILURES_SHOWN = 3;
const only = process.env['KRO_GRAPH_SHAPE'];
const isWhole = process.env['KRO_GRAPH_FAULTS'] === 'all';
const deaths: readonly Death[] = isWhole ? ['unanswered', 'overtaken', 'answered', 'late'] : ['unanswered', 'overtaken'];

t.test('a controller that is killed at any write loses nothing and orphans nothing (graph.md 12.7)', { timeout: 3_600_000 }, async (t) => {
  const known = only !== undefined || isWhole ? [...SHAPES, ...MOVES] : SHAPES;
  const shapes = known.filter(({ name }) => only === undefined || only.split(',').includes(name));
  const jobs = shapes.flatMap((shape) =>
    deaths.filter((death) => death !== 'overtaken' || shape.isSequential !== true).map((death) => ({ shape, death })),
  );
  const lanes = await openLanes(t, await useCluster(t), Math.min(LANES, jobs.length));
  const results = new Map<unknown, () => void>();
  let total = 0;
  await share(lanes, jobs, async (lane, job) => {
    const { shape, death } = job;
    const began = performance.now();
    const { writes, kills, failures } = await sweep({ lane, shape, death });
    total += kills;
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    results.set(job, () => {
      t.same(failures.slice(0, FAILURES_SHOWN), [], `${shape.name}, ${death}: killed at each of ${kills} writes (${seconds} s)`);
      t.ok(writes >= LEAST_WRITES && kills >= LEAST_WRITES, `${shape.name}, ${death}: ${writes} writes, ${kills} kills`);
    });
  });
  for (const job of jobs) results.get(job)?.();
  t.comment(`${total} kills`);
});
