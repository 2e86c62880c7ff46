/** Ends a compilation that has spent its steps; caught by `compile` alone. */
export class StepsSpent extends Error {
  override readonly name = 'StepsSpent';
}

/** Counts the work of one compilation in units that depend on the Graph alone, so that every machine gives the same answer (graph.md 14.6). */
export class Steps {
  #left: number;
  #suggestions: number;

  constructor(limit: number) {
    this.#left = limit;
    this.#suggestions = Math.floor(limit / 100);
  }

  /** Work of so many units is about to be done. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new StepsSpent();
  }

  /** What is left. */
  get left(): number {
    return this.#left;
  }

  /** Whether near names may be looked for among so many candidates; a Graph full of mistakes gets its later messages without. */
  maySuggest(candidates: number): boolean {
    this.#suggestions -= candidates;
    return this.#suggestions >= 0;
  }
}
