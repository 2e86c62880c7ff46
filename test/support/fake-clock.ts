import type { Clock } from '../../src/kube/clock.ts';

/** A clock that a test moves. Sleepers wake in the order of their times. */
export interface FakeClock extends Clock {
  /** Moves time on, waking every sleeper on the way and letting what it does run. */
  advance(milliseconds: number): Promise<void>;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Starts at a second past midnight of a fixed day. */
export function fakeClock(): FakeClock {
  const start = Date.parse('2026-01-01T00:00:00Z');
  const sleepers = new Set<Sleeper>();
  let now = 1000;
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    date: () => new Date(start + now),
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = (): void => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper: Sleeper = { at: now + milliseconds, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake);
      }),
    async advance(milliseconds) {
      const until = now + milliseconds;
      await settle();
      for (;;) {
        const [next] = [...sleepers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        now = Math.max(now, next.at);
        next.wake();
        await settle();
      }
      now = until;
      await settle();
    },
  };
}
