import type { Clock } from './clock.ts';

/** How many requests a second, and how many at once after a rest; 0 is no limit. */
export interface RateLimit {
  readonly qps: number;
  readonly burst: number;
}

/** A token bucket. Whoever asks gets a turn in the order of asking. */
export class RateLimiter {
  readonly #interval: number;
  readonly #depth: number;
  readonly #clock: Clock;
  /** When the bucket will be full again; a turn moves it on by one interval. */
  #fullAt = Number.NEGATIVE_INFINITY;

  constructor({ qps, burst }: RateLimit, clock: Clock) {
    this.#interval = qps > 0 ? 1000 / qps : 0;
    this.#depth = Math.max(1, burst) * this.#interval;
    this.#clock = clock;
  }

  /** Resolves when the caller may send, or when its signal is aborted. */
  async turn(signal: AbortSignal | undefined): Promise<void> {
    if (this.#interval === 0) return;
    const now = this.#clock.now();
    this.#fullAt = Math.max(this.#fullAt, now) + this.#interval;
    const wait = this.#fullAt - this.#depth - now;
    if (wait > 0) await this.#clock.sleep(wait, signal);
  }
}
