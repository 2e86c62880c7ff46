import type { Budget } from '../cel/budget.ts';
import { EvaluationError } from '../cel/error.ts';
import type { Plan } from '../cel/plan.ts';
import type { Value } from '../cel/value.ts';
import type { Expression, Lookup } from './program.ts';

/** An expression without its place: equal for all expressions of one text whose names mean the same. */
export type Meaning = Omit<Expression, 'path' | 'text'>;

type Parts = Omit<Meaning, 'evaluate' | 'isConstant'> & { readonly plan: Plan };

/** What an expression means, with its plan; one that depends on nothing keeps its value, or its error, from the first evaluation on (graph.md 8.7). */
export function planExpression({ plan, ...parts }: Parts): Meaning {
  const isConstant = parts.references.length === 0 && parts.locals.length === 0;
  return { ...parts, isConstant, evaluate: isConstant ? once(plan) : plan };
}

function once(plan: Plan): Plan {
  let result: { readonly value: Value } | { readonly error: EvaluationError } | undefined;
  return (lookup: Lookup, budget: Budget) => {
    result ??= attempt(plan, lookup, budget);
    if ('error' in result) throw result.error;
    return result.value;
  };
}

/** What exceeds a budget is not kept: the next reconcile has a budget of its own. */
function attempt(plan: Plan, lookup: Lookup, budget: Budget): { readonly value: Value } | { readonly error: EvaluationError } {
  try {
    return { value: plan(lookup, budget) };
  } catch (error) {
    if (!(error instanceof EvaluationError) || error.code === 'limit') throw error;
    return { error };
  }
}
