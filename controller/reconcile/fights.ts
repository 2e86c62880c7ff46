/** Who rewrites what we write. */
export interface Rival {
  readonly field: string;
  readonly manager: string;
}

/** So many reconciles that wrote to one object within the window are a fight (graph.md 8.6). */
const WRITES = 5;
const WINDOW = 60_000;
const SHORTEST = 1000;
const LONGEST = 300_000;

/** A fight over one object. */
export interface Fight {
  readonly object: string;
  readonly rival: Rival | undefined;
}

/** Tells when a Graph keeps writing to the same object because somebody keeps changing it, and how long its reconciles then wait. */
export class Fights {
  /** The times of the reconciles that wrote to an object, latest last. */
  readonly #writes = new Map<string, number[]>();
  readonly #rivals = new Map<string, Rival>();
  #pause = 0;

  /** A reconcile that began at `now` wrote to an object that it had written before, because of `rival` where that is known. */
  wrote(object: string, now: number, rival: Rival | undefined): void {
    const times = (this.#writes.get(object) ?? []).filter((time) => now - time < WINDOW || this.#pause > 0);
    if (times.at(-1) !== now) times.push(now);
    this.#writes.set(object, times.slice(-WRITES));
    if (rival !== undefined) this.#rivals.set(object, rival);
  }

  /** The fights at the end of a reconcile that began at `now`, and how long to hold the Graph; a quiet reconcile ends them. */
  judge(now: number): { readonly fights: readonly Fight[]; readonly hold: number } {
    const window = Math.max(WINDOW, 2 * this.#pause * WRITES);
    const fights: Fight[] = [];
    for (const [object, times] of this.#writes) {
      const recent = times.filter((time) => now - time < window);
      if (recent.length === 0) {
        this.#writes.delete(object);
        this.#rivals.delete(object);
      } else if (recent.length >= WRITES) fights.push({ object, rival: this.#rivals.get(object) });
    }
    const isFresh = fights.some(({ object }) => this.#writes.get(object)?.at(-1) === now);
    if (fights.length === 0) this.#pause = 0;
    else if (isFresh) this.#pause = Math.min(LONGEST, this.#pause === 0 ? SHORTEST : this.#pause * 2);
    return { fights, hold: isFresh ? this.#pause : 0 };
  }
}
