import { setTimeout as sleep } from 'node:timers/promises';
import { type Lane, Run } from './run.ts';
import type { Shape } from './shape.ts';
import { type Death, setTrap } from './trap.ts';

/** What came of the deaths of one kind in one shape. */
export interface Swept {
  /** How many writes the shape costs when nobody dies. */
  readonly writes: number;
  /** How often a controller was killed. */
  readonly kills: number;
  /** By run: what was wrong, with the state of the cluster. */
  readonly failures: readonly string[];
}

/** What is swept. */
export interface SweepOptions {
  readonly lane: Lane;
  readonly shape: Shape;
  readonly death: Death;
  /** Which writes; undefined: every one, until there is none left. */
  readonly at?: readonly number[];
}

/** A shape with more writes than this does not end. */
const MOST_WRITES = 60;

/** Kills the controller at its n-th write of a shape, for every n, and looks each time at what its successor makes of it. */
export async function sweep(options: SweepOptions): Promise<Swept> {
  const { lane, shape } = options;
  const failures: string[] = [];
  const patients: Run[] = [];
  let kills = 0;
  let writes = 0;
  const places = options.at ?? Array.from({ length: MOST_WRITES }, (_, at) => at + 1);
  for (const at of places) {
    const run = new Run(lane, shape, `${shape.name}-${options.death.slice(0, 2)}${String(at).padStart(2, '0')}`);
    const died = await die(run, { death: options.death, at });
    if (died.isDead) kills += 1;
    writes = Math.max(writes, died.writes);
    if (shape.isPatient === true) patients.push(run);
    else failures.push(...(await conclude(run, died.release)));
    if (!died.isDead) break;
  }
  // Those that wait 70 s wait together.
  for (const run of patients) failures.push(...(await conclude(run, () => {})));
  lane.controller.proxy.onRequest(undefined);
  return { writes, kills, failures };
}

interface Died {
  /** False: there is no such write. */
  readonly isDead: boolean;
  readonly writes: number;
  readonly release: () => void;
}

/** So long after a Graph has settled nothing more is expected of its controller. */
const REST_MILLISECONDS = 250;
/** A write that is late comes when the next controller is at work. */
const LATE_MILLISECONDS = 1500;

async function die(run: Run, { death, at }: { death: Death; at: number }): Promise<Died> {
  const { controller } = run.lane;
  const { change, afterwards } = run.scenario;
  controller.start();
  await run.setUp();
  const trap = setTrap(controller, { death, at, prefix: run.id });
  await run.become(change);
  const settled = run.untilSettled(change).then(() => sleep(REST_MILLISECONDS));
  // The Graph may be deleted while that is waited for.
  settled.catch(() => {});
  await Promise.race([trap.killed, settled]);
  const isDead = trap.isSprung();
  if (isDead) await trap.killed;
  trap.disarm();
  if (afterwards !== undefined) await run.become(afterwards);
  controller.start();
  const timer = setTimeout(trap.release, LATE_MILLISECONDS);
  const release = (): void => {
    clearTimeout(timer);
    trap.release();
  };
  return { isDead, writes: trap.writes(), release };
}

/** Waits until a run has settled, and says what is wrong with it, then and when its Graph is gone. */
export async function conclude(run: Run, release: () => void): Promise<string[]> {
  const tell = async (wrong: readonly string[]): Promise<string[]> =>
    wrong.length === 0 ? [] : [`${run.id}:\n  ${wrong.join('\n  ')}\n${await run.dump()}`];
  try {
    await run.settle();
    release();
    const wrong = await tell(await run.judge());
    return [...wrong, ...(await tell(await run.tearDown()))];
  } catch (error) {
    return tell([String(error)]);
  } finally {
    release();
  }
}
