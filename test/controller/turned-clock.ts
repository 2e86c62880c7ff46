import type { Clock } from '../../controller/queue/clock.ts';

/** The queue's clock, turned by hand: what is due runs at once, in order. */
export interface TurnedClock extends Clock {
  advance(milliseconds: number): void;
}

export function turnedClock(): TurnedClock {
  const pending = new Set<{ readonly due: number; readonly action: () => void }>();
  let now = 0;
  return {
    now: () => now,
    after(milliseconds, action) {
      const entry = { due: now + milliseconds, action };
      pending.add(entry);
      return () => pending.delete(entry);
    },
    advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const [next] = [...pending].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
        if (next === undefined) break;
        pending.delete(next);
        now = next.due;
        next.action();
      }
      now = end;
    },
  };
}
