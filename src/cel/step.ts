import type { Adapter } from './adapt.ts';
import type { Budget } from './budget.ts';
import { EvaluationError } from './error.ts';
import { type Stretch, spanOf } from './stretch.ts';
import type { Value } from './value.ts';

/** Gives the values of variables by name; undefined for what is not there yet. */
export type Bindings = (name: string) => Value | undefined;

/** What one evaluation has: nothing of it is shared, so that a plan may run many times at once. */
export interface Frame {
  readonly bindings: Bindings;
  readonly budget: Budget;
  /** The local names of loops and binds, by slot. */
  readonly locals: Value[];
}

/** One node of a planned expression. */
export type Step = (frame: Frame) => Value;

/** One node that may have no value: undefined stands for an absent optional, so that a chain makes no objects. */
export type MaybeStep = (frame: Frame) => Value | undefined;

/** A step whose value is adapted, if there is anything to adapt. */
export function adapted(step: Step, adapt: Adapter | undefined): Step {
  return adapt === undefined ? step : (frame) => adapt(step(frame), frame.budget);
}

/** The same for a step that may have no value. */
export function maybeAdapted(step: MaybeStep, adapt: Adapter | undefined): MaybeStep {
  if (adapt === undefined) return step;
  return (frame) => {
    const value = step(frame);
    return value === undefined ? undefined : adapt(value, frame.budget);
  };
}

/** An error at a place of the expression. */
export function errorAt(code: EvaluationError['code'], message: string, span: Stretch): EvaluationError {
  return new EvaluationError(code, message, spanOf(span));
}

/** The error with the place where it was thrown, if it has none yet. */
export function located(error: unknown, span: Stretch): unknown {
  if (error instanceof EvaluationError && error.span === undefined) error.span = spanOf(span);
  return error;
}

/** Running out of budget ends an evaluation; no `||` or `exists` may swallow it. */
export function isFinal(error: unknown): boolean {
  return !(error instanceof EvaluationError) || error.code === 'limit';
}

/** Steps that an error costs which is caught and does not count: it is far dearer than a value. */
export const COST_OF_FAILURE = 300;
