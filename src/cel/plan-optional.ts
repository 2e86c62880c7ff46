import type { Ast, CallNode } from './ast.ts';
import type { Planning } from './planning.ts';
import { errorAt, type MaybeStep, type Step } from './step.ts';
import type { Stretch } from './stretch.ts';
import type { Type } from './type.ts';
import { Optional } from './value.ts';

/** The methods of optionals: the alternative is evaluated only if it is needed. */
export function planOptionalMethod(planning: Planning, node: CallNode): Step | undefined {
  const { target } = node;
  const [alternative] = node.args;
  if (target === undefined) return undefined;
  switch (node.name) {
    case 'hasValue':
      return isThere(planning.planMaybe(target));
    case 'value':
      return mustBeThere(planning.planMaybe(target), node.nameSpan);
    case 'orValue':
      return alternative === undefined ? undefined : planOrValue(planning, target, alternative, planning.checked.valueTypeOf(node));
    case 'or':
      return wrap(planning.planMaybe(node));
    default:
      return undefined;
  }
}

function planOrValue(planning: Planning, target: Ast, alternative: Ast, type: Type): Step {
  return orElse(planning.planMaybeAs(target, type), planning.planAs(alternative, type));
}

/** `optional.optMap(x, …)` and `optFlatMap`. */
export function planOptionalMap(planning: Planning, node: Ast & { kind: 'optionalMap' }): MaybeStep {
  const target = planning.planMaybe(node.target);
  const body = node.flat ? planning.planMaybe(node.body) : planning.plan(node.body);
  const [slot = 0] = planning.checked.slotsOf(node);
  return mapMaybe(target, body, slot);
}

/** The first of two optionals that has a value. */
export function firstOf(first: MaybeStep, second: MaybeStep): MaybeStep {
  return (frame) => {
    const value = first(frame);
    return value === undefined ? second(frame) : value;
  };
}

/** Makes the Optional that a chain of optionals has been without. */
export function wrap(maybe: MaybeStep): Step {
  return (frame) => {
    const value = maybe(frame);
    return value === undefined ? Optional.NONE : Optional.of(value);
  };
}

function isThere(maybe: MaybeStep): Step {
  return (frame) => maybe(frame) !== undefined;
}

function mustBeThere(maybe: MaybeStep, span: Stretch): Step {
  return (frame) => {
    const value = maybe(frame);
    if (value === undefined) throw errorAt('optional', 'the optional has no value', span);
    return value;
  };
}

function orElse(maybe: MaybeStep, otherwise: Step): Step {
  return (frame) => {
    const value = maybe(frame);
    return value === undefined ? otherwise(frame) : value;
  };
}

function mapMaybe(target: MaybeStep, body: MaybeStep, slot: number): MaybeStep {
  return (frame) => {
    const value = target(frame);
    if (value === undefined) return undefined;
    frame.locals[slot] = value;
    return body(frame);
  };
}
