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

/** For all expressions of one reconcile: a thousand-item collection with a dozen fields each fits; nobody stalls the process for others. */
export const RECONCILE_LIMITS: BudgetLimits = { steps: 60_000_000, size: 100_000_000 };

/**
 * Counts what evaluation spends; running out is a `limit` error. One evaluation spends from a `child` of its reconcile's budget, which is
 * charged with what was spent by `settle`. Not shared between concurrent evaluations.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #each: BudgetLimits;
  #steps: number;
  #size: number;

  /** `each`: what one evaluation may spend of it at most. */
  constructor(limits: BudgetLimits = EXPRESSION_LIMITS, each: BudgetLimits = EXPRESSION_LIMITS) {
    this.#limits = limits;
    this.#each = each;
    this.#steps = limits.steps;
    this.#size = limits.size;
  }

  /** Work was done or is about to be. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (!(this.#steps >= 0)) throw new EvaluationError('limit', 'the expression does more work than its budget allows');
  }

  /** A value of so many characters, bytes or entries was produced or is about to be. */
  grow(size: number): void {
    this.#size -= size;
    if (!(this.#size >= 0)) throw new EvaluationError('limit', 'the expression produces more data than its budget allows');
  }

  /** A budget for one evaluation, or for these limits; what is left here if that is less. */
  child(limits: BudgetLimits = this.#each): Budget {
    return new Budget({ steps: Math.min(limits.steps, this.#steps), size: Math.min(limits.size, this.#size) }, this.#each);
  }

  /** Charges here what a child has spent, down to nothing. */
  settle(child: Budget): void {
    this.#steps = Math.max(0, this.#steps - (child.#limits.steps - Math.max(0, child.#steps)));
    this.#size = Math.max(0, this.#size - (child.#limits.size - Math.max(0, child.#size)));
  }
}
