import t from 'tap';
import { useCluster } from '../support/cluster.ts';
import { openLanes, share } from './lanes.ts';
import { execute, FAULTS, type FaultName, type Plan, printPlan, randomFrom, type WatchFault } from './plan.ts';
import { type Lane, Run } from './run.ts';
import type { Shape } from './shape.ts';
import { SHAPES } from './shapes.ts';
import { conclude } from './sweep.ts';

const LANES = 4;
const isWhole = process.env['KRO_GRAPH_FAULTS'] === 'all';
const only = process.env['KRO_GRAPH_SHAPE'];
const SEED = Number(process.env['KRO_GRAPH_SEED'] ?? 1);
const SAMPLED = 10;
const STORMS_SAMPLED = 3;
const STORMS = 20;
/** Requests of a change, about; a plan for one that never comes is a run without a fault. */
const REQUESTS = 16;
const WATCHES: readonly WatchFault[] = ['healthy', 'cut', 'stale'];
const NAMES = Object.keys(FAULTS) as FaultName[];

t.test('requests that fail, come late or are carried out without an answer lose nothing', { timeout: 7_200_000 }, async (t) => {
  const shapes = SHAPES.filter(({ name }) => only === undefined || only.split(',').includes(name));
  t.comment(`seed ${SEED}`);
  const jobs = shapes.map((shape, at) => ({ shape, plans: isWhole ? allPlans(at) : somePlans(at) }));
  const lanes = await openLanes(t, await useCluster(t), Math.min(LANES, jobs.length));
  const failures = new Map<Shape, readonly string[]>();
  await share(lanes, jobs, async (lane, { shape, plans }) => {
    failures.set(shape, await runAll(lane, shape, plans));
  });
  for (const { shape, plans } of jobs) t.same(failures.get(shape)?.slice(0, 3), [], `${shape.name}: ${plans.length} runs with faults`);
});

/** Every fault at every request, the watches in turn; and storms. */
function allPlans(shape: number): Plan[] {
  const singles = NAMES.flatMap((fault, first) =>
    Array.from({ length: REQUESTS }, (_, at): Plan => ({ kind: 'single', fault, at: at + 1, watches: watchesAt(first + at + shape) })),
  );
  return [...singles, ...storms(STORMS, shape)];
}

function somePlans(shape: number): Plan[] {
  const random = randomFrom(SEED * 1000 + shape);
  const any = (size: number): number => Math.floor(random() * size);
  const singles = Array.from(
    { length: SAMPLED },
    (_, at): Plan => ({ kind: 'single', fault: NAMES[any(NAMES.length)] ?? 'cut', at: 1 + any(REQUESTS), watches: watchesAt(at + shape) }),
  );
  return [...singles, ...storms(STORMS_SAMPLED, shape)];
}

function storms(count: number, shape: number): Plan[] {
  return Array.from({ length: count }, (_, at): Plan => ({ kind: 'storm', seed: SEED * 1000 + shape * 50 + at, watches: watchesAt(at) }));
}

function watchesAt(at: number): WatchFault {
  return WATCHES[at % WATCHES.length] ?? 'healthy';
}

async function runAll(lane: Lane, shape: Shape, plans: readonly Plan[]): Promise<string[]> {
  const failures: string[] = [];
  const patients: { readonly run: Run; readonly plan: Plan }[] = [];
  for (const [at, plan] of plans.entries()) {
    const run = new Run(lane, shape, `${shape.name}-f${String(at).padStart(3, '0')}`);
    lane.controller.start();
    const wrong = await disturb(run, plan);
    // A controller whose watches break again and again is slow to open them: each run finds one that has seen nothing of the kind.
    if (plan.watches !== 'healthy') await lane.controller.kill();
    if (shape.isPatient === true && wrong.length === 0) patients.push({ run, plan });
    else failures.push(...wrong.map((one) => `${printPlan(plan)}: ${one}`));
  }
  lane.controller.start();
  for (const { run, plan } of patients) failures.push(...(await conclude(run, () => {})).map((one) => `${printPlan(plan)}: ${one}`));
  return failures;
}

/** One run with its faults; the patient are left to themselves. */
async function disturb(run: Run, plan: Plan): Promise<string[]> {
  const { change, afterwards } = run.scenario;
  await run.setUp();
  const execution = execute(run.lane.controller.proxy, plan);
  await run.become(change);
  const settled = run.untilSettled(change);
  settled.catch(() => {});
  if (afterwards !== undefined) {
    await Promise.race([execution.begun, settled]);
    await run.become(afterwards);
    await Promise.race([settled.catch(() => {}), new Promise((done) => setTimeout(done, PATIENCE))]);
    execution.end();
    return [];
  }
  return conclude(run, execution.end);
}

/** A patient run is disturbed for so long at most. */
const PATIENCE = 3000;
