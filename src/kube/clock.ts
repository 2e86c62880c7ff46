import { setTimeout as sleepFor } from 'node:timers/promises';

/** Time, as the rooms that wait see it; tests bring their own. */
export interface Clock {
  /** Milliseconds of a clock that never goes back; differences count, not the value. */
  now(): number;
  /** The time of day, for what others read. */
  date(): Date;
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  async sleep(milliseconds, signal) {
    try {
      await sleepFor(milliseconds, undefined, signal && { signal });
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};
