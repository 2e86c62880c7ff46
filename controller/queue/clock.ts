/** Time as a parameter, so that tests turn it by hand. */
export interface Clock {
  /** Milliseconds of a clock that never goes back, such as the day's time may: differences count, not the value. */
  now(): number;
  /** Runs `action` once after that long; the result takes it back. */
  after(milliseconds: number, action: () => void): () => void;
}

const LONGEST_TIMER = 2 ** 31 - 1;

/** The time of this machine; a pending timer keeps no process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, Math.min(Math.max(0, milliseconds), LONGEST_TIMER));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
