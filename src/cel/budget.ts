import { EvaluationError } from './error.ts';

/** What one evaluation, or all evaluations of one reconcile, may spend. */
export interface BudgetLimits {
  /** Steps of comprehensions and work of functions, in units of about ten nanoseconds to a microsecond. */
  readonly steps: number;
  /** Units of produced values that are held: characters of strings, bytes, entries of lists and maps. */
  readonly size: number;
}

/** Enough for a loop over the longest list that `lists.range` makes; what is beyond ends within some ten milliseconds. */
export const EXPRESSION_LIMITS: BudgetLimits = { steps: 1_500_000, size: 2_500_000 };

/**
 * Counts what evaluation spends; running out is a `limit` error. One budget may have a parent (the reconcile's) that is charged when
 * `settle` is called, so that the inner counting stays two integers. Not shared between concurrent evaluations.
 */
export class Budget {
  #steps: number;
  #size: number;

  constructor(limits: BudgetLimits = EXPRESSION_LIMITS) {
    this.#steps = limits.steps;
    this.#size = limits.size;
  }

  /** Work was done or is about to be. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new EvaluationError('limit', 'the expression does more work than its budget allows');
  }

  /** A value of so many characters, bytes or entries was produced or is about to be. */
  grow(size: number): void {
    this.#size -= size;
    if (this.#size < 0) throw new EvaluationError('limit', 'the expression produces more data than its budget allows');
  }

  /** What is left, for a child budget: the smaller of this and the limits given. */
  child(limits: BudgetLimits = EXPRESSION_LIMITS): Budget {
    return new Budget({ steps: Math.min(limits.steps, this.#steps), size: Math.min(limits.size, this.#size) });
  }

  /** Charges what a child has spent of its allowance here, never below zero. */
  settle(child: Budget, limits: BudgetLimits = EXPRESSION_LIMITS): void {
    this.#steps = Math.max(0, this.#steps - (Math.min(limits.steps, this.#steps) - Math.max(0, child.#steps)));
    this.#size = Math.max(0, this.#size - (Math.min(limits.size, this.#size) - Math.max(0, child.#size)));
  }

  /** Whether nothing more can be spent. */
  get exhausted(): boolean {
    return this.#steps <= 0 || this.#size <= 0;
  }
}
