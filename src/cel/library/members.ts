import type { Budget } from '../budget.ts';
import { equals } from '../equality.ts';
import { doubleOf, isInt, Uint, type Value } from '../value.ts';

/** The values of a list, each once, by CEL's `==`. Scalars are looked up; others are compared one by one, each comparison charged. */
export class Members {
  readonly #scalars = new Set<unknown>();
  readonly #others: Value[] = [];
  readonly #budget: Budget;

  constructor(budget: Budget, values: Iterable<Value> = []) {
    this.#budget = budget;
    for (const value of values) this.add(value);
  }

  /** Adds a value; false if an equal one is there already. NaN equals nothing. */
  add(value: Value): boolean {
    if (this.has(value)) return false;
    const identity = scalarIdentity(value);
    if (identity === undefined) this.#others.push(value);
    else this.#scalars.add(identity);
    return true;
  }

  has(value: Value): boolean {
    this.#budget.spend(1);
    const identity = scalarIdentity(value);
    if (identity !== undefined) return this.#scalars.has(identity);
    this.#budget.spend(this.#others.length);
    return this.#others.some((other) => equals(value, other, this.#budget));
  }
}

/** What equal scalars share: text, bool, null, and numbers of any type by amount. Undefined for all other values. */
function scalarIdentity(value: Value): string | boolean | null | number | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  const number = isInt(value) ? value : value instanceof Uint ? value.value : doubleOf(value);
  // Beyond 2^53, an int may equal a double without being the same amount.
  return typeof number === 'number' && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
}
