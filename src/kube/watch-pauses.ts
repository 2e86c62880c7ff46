import { ApiError, ConnectionError } from './error.ts';

/** Milliseconds. */
export interface WatchPauseLimits {
  /** The first pause after a failure; doubles up to the longest of its kind. */
  readonly firstPause: number;
  /** The longest pause while the API server cannot be reached: to ask costs it nothing, and what it has to tell waits for us. */
  readonly lostPause: number;
  /** The longest pause after answers of a server that is busy, starts, or ends watches at once. */
  readonly longestPause: number;
  /** The longest pause after refusals. The first are as short as others: an API server that starts refuses until it has read its rules. */
  readonly refusedPause: number;
}

/** What a client-go reflector does, but for `lostPause`. */
export const WATCH_PAUSES: WatchPauseLimits = { firstPause: 800, lostPause: 5000, longestPause: 30_000, refusedPause: 120_000 };

/**
 * How long a reflector waits before it lists or watches again. Each kind of failure is counted for itself: an outage, however long, says
 * nothing of how busy the server is that comes back.
 */
export class WatchPauses {
  readonly #limits: WatchPauseLimits;
  readonly #random: () => number;
  readonly #counts = { lost: 0, answered: 0, refused: 0 };

  constructor(limits: WatchPauseLimits, random: () => number) {
    this.#limits = limits;
    this.#random = random;
  }

  /** A watch lived for a while: the next failure is a first one. */
  forget(): void {
    Object.assign(this.#counts, { lost: 0, answered: 0, refused: 0 });
  }

  /** Milliseconds to wait after a watch that the server ended at once. */
  afterEnd(): number {
    return this.#next('answered', this.#limits.longestPause);
  }

  /** Milliseconds to wait after an error; a server that says how long is not asked before. */
  afterError(error: unknown, isRefusal: boolean): number {
    const { lostPause, longestPause, refusedPause } = this.#limits;
    if (error instanceof ConnectionError) return this.#next('lost', lostPause);
    const pause = isRefusal ? this.#next('refused', refusedPause) : this.#next('answered', longestPause);
    return Math.max(pause, (error instanceof ApiError && error.retryAfter) || 0);
  }

  #next(kind: 'lost' | 'answered' | 'refused', longest: number): number {
    const doubled = this.#limits.firstPause * 2 ** Math.min(this.#counts[kind]++, 16);
    return Math.min(longest, doubled) * (1 + this.#random());
  }
}
