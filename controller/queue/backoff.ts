/** How long to wait after failures in a row: doubling from `min` to `max` (graph.md 8.6). */
export interface BackoffLimits {
  /** Milliseconds after the first failure. */
  readonly min: number;
  readonly max: number;
}

/** 1 s to 5 min. */
export const DEFAULT_BACKOFF: BackoffLimits = { min: 1000, max: 300_000 };

/** Counts failures in a row, each key for itself. */
export class Backoff {
  readonly #limits: BackoffLimits;
  readonly #failures = new Map<string, number>();

  constructor(limits: BackoffLimits = DEFAULT_BACKOFF) {
    this.#limits = limits;
  }

  /** Counts one more failure and tells how many milliseconds to wait after it. */
  next(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.min(this.#limits.max, this.#limits.min * 2 ** Math.min(failures, 30));
  }

  /** All is well again: the next failure waits `min`. */
  forget(key: string): void {
    this.#failures.delete(key);
  }
}
