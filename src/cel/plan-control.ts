import { missingVariable } from './access.ts';
import type { Adapter } from './adapt.ts';
import { COST_OF_FAILURE, errorAt, isFinal, type MaybeStep, type Step } from './step.ts';
import type { Stretch } from './stretch.ts';
import { Optional, type Value } from './value.ts';

/** A bound value that could not be computed: an error only where it is used. */
class Failure {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** One value for all evaluations. */
export function yielding(value: Value): Step {
  return () => value;
}

/** A name that a loop or a bind gives. */
export function stepOfLocal(slot: number): Step {
  return (frame) => {
    const value: unknown = frame.locals[slot];
    if (value instanceof Failure) throw value.error;
    return value as Value;
  };
}

/** A variable, made what its type says. */
export function stepOfVariable(name: string, span: Stretch, adapt: Adapter | undefined): Step {
  return (frame) => {
    const value = frame.bindings(name);
    if (value === undefined) throw missingVariable(name, span);
    return adapt === undefined ? value : adapt(value, frame.budget);
  };
}

/** What is in an optional that is there as a value. */
export function presentValue(step: Step, span: Stretch): MaybeStep {
  return (frame) => {
    const value = step(frame);
    if (!(value instanceof Optional)) throw errorAt('overload', 'expected an optional value', span);
    return value.value;
  };
}

/** `cel.bind`. */
export function stepOfBind(value: Step, body: Step, slot: number): Step {
  return (frame) => {
    let bound: unknown;
    try {
      bound = value(frame);
    } catch (error) {
      if (isFinal(error)) throw error;
      frame.budget.spend(COST_OF_FAILURE);
      bound = new Failure(error);
    }
    frame.locals[slot] = bound as Value;
    return body(frame);
  };
}

/** A term of `&&` or `||`, and where it stands. */
interface Term {
  readonly step: Step;
  readonly span: Stretch;
}

/** `a && b && c` or `a || b || c`: the first term that decides does, whatever is wrong with others. */
export function stepOfLogic(operator: '&&' | '||', terms: readonly Term[]): Step {
  const deciding = operator === '||';
  return (frame) => {
    let failure: unknown;
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] as Term;
      try {
        const value = term.step(frame);
        if (value === deciding) return deciding;
        if (typeof value !== 'boolean') failure ??= errorAt('overload', `"${operator}" needs bool`, term.span);
      } catch (error) {
        if (isFinal(error)) throw error;
        failure ??= error;
        frame.budget.spend(COST_OF_FAILURE);
      }
    }
    if (failure !== undefined) throw failure;
    return !deciding;
  };
}

/** The parts of `condition ? whenTrue : whenFalse`, and where the condition stands. */
interface Conditional {
  readonly condition: Step;
  readonly span: Stretch;
  readonly whenTrue: Step;
  readonly whenFalse: Step;
}

/** `condition ? whenTrue : whenFalse`. */
export function stepOfConditional({ condition, span, whenTrue, whenFalse }: Conditional): Step {
  return (frame) => {
    const value = condition(frame);
    if (value === true) return whenTrue(frame);
    if (value === false) return whenFalse(frame);
    throw errorAt('overload', 'the condition of "?" is no bool', span);
  };
}
