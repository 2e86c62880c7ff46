import type { Budget } from '../cel/budget.ts';
import { EvaluationError } from '../cel/error.ts';
import type { Value } from '../cel/value.ts';
import type { Expression } from '../compiler/program.ts';
import { printLine } from '../diagnostic/print.ts';
import type { Trouble } from './outcome.ts';
import type { Locals, Scope } from './scope.ts';

/** What an evaluation reads, and the budget of the reconcile that it is charged to. */
export interface EvaluationContext {
  readonly scope: Scope;
  readonly budget: Budget;
}

/**
 * Why a node could not be evaluated: `waiting` when the data is not there yet (soft), `failed` for what only a person can mend (hard). The
 * message names the place and the expression, and never quotes a value (graph.md 7).
 */
export interface EvaluationFailure {
  readonly word: 'waiting' | 'failed';
  readonly trouble: Trouble;
}

/** An evaluated value, or why there is none. */
export type Evaluation<T> = { readonly word: 'value'; readonly value: T } | EvaluationFailure;

/** Evaluates one expression against what has been published. */
export function evaluate(expression: Expression, locals: Locals, context: EvaluationContext): Evaluation<Value> {
  return attempt(expression, context, (budget) => expression.evaluate(context.scope.lookup(expression, locals), budget));
}

/**
 * Runs what may throw an EvaluationError on behalf of an expression, on a budget of its own that is charged to the reconcile's; every other
 * error is a bug and flies on.
 */
export function attempt<T>(expression: Expression, context: EvaluationContext, run: (budget: Budget) => T): Evaluation<T> {
  const allowance = context.budget.child();
  try {
    return { word: 'value', value: run(allowance) };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return failureOf(error, expression);
  } finally {
    context.budget.settle(allowance);
  }
}

/** The failure of an expression that gave a value which its place does not allow. */
export function misfit(expression: Expression, message: string): EvaluationFailure {
  return { word: 'failed', trouble: { reason: 'ApplyFailed', message: describe(expression, message) } };
}

function failureOf(error: EvaluationError, expression: Expression): EvaluationFailure {
  const isSoft = error.absent && expression.readsCluster;
  return {
    word: isSoft ? 'waiting' : 'failed',
    trouble: {
      reason: isSoft ? 'DataPending' : 'ApplyFailed',
      message: describe(expression, error.message, error.span),
    },
  };
}

function describe(expression: Expression, message: string, span?: { readonly start: number; readonly end: number }): string {
  const line = printLine({
    code: 'evaluation',
    severity: 'error',
    path: expression.path,
    expression: expression.text,
    ...(span === undefined ? {} : { span }),
    message,
  });
  return line.slice(0, -' [evaluation]'.length);
}
