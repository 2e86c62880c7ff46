import type { Clock } from './clock.ts';

/** One time of holding the Lease. Every write belongs to a tenure, and none starts when it may be over. */
export interface Tenure {
  /** Whether it surely holds at this instant; asked before each write (graph.md 8.5). */
  isHeld(): boolean;
  /** Aborted when it is lost, given up, or could not be renewed until the deadline. */
  readonly signal: AbortSignal;
}

/** A tenure that lasts until its deadline, which renewals move on. */
export class RunningTenure implements Tenure {
  readonly #clock: Clock;
  readonly #over = new AbortController();
  readonly #onOver: () => void;
  #deadline: number;

  constructor(clock: Clock, deadline: number, onOver: () => void) {
    this.#clock = clock;
    this.#deadline = deadline;
    this.#onOver = onOver;
    this.#guard();
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  // Judged by the clock and not by the timer: after a stall of this process the timer may be late.
  isHeld(): boolean {
    return !this.#over.signal.aborted && this.#clock.now() < this.#deadline;
  }

  extend(deadline: number): void {
    this.#deadline = Math.max(this.#deadline, deadline);
  }

  end(): void {
    this.#over.abort(new Error('the lease is lost or given up'));
  }

  async #guard(): Promise<void> {
    while (this.isHeld()) await this.#clock.sleep(this.#deadline - this.#clock.now() + 1, this.#over.signal);
    if (!this.#over.signal.aborted) this.#onOver();
  }
}
