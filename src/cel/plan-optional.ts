import type { Ast, CallNode } from './ast.ts';
import type { Planning } from './planning.ts';
import { errorAt, type MaybeStep, type Step } from './step.ts';
import { Optional } from './value.ts';

/** The methods of optionals: the alternative is evaluated only if it is needed. */
export function planOptionalMethod(planning: Planning, node: CallNode): Step | undefined {
  const { target } = node;
  const [alternative] = node.args;
  if (target === undefined) return undefined;
  switch (node.name) {
    case 'hasValue': {
      const maybe = planning.planMaybe(target);
      return (frame) => maybe(frame) !== undefined;
    }
    case 'value': {
      const maybe = planning.planMaybe(target);
      return (frame) => {
        const value = maybe(frame);
        if (value === undefined) throw errorAt('optional', 'the optional has no value', node.nameSpan);
        return value;
      };
    }
    case 'orValue': {
      if (alternative === undefined) return undefined;
      const maybe = planning.planMaybe(target);
      const otherwise = planning.planAs(alternative, planning.checked.typeOf(node));
      return (frame) => maybe(frame) ?? otherwise(frame);
    }
    case 'or':
      return wrap(planning.planMaybe(node));
    default:
      return undefined;
  }
}

/** `optional.optMap(x, …)` and `optFlatMap`. */
export function planOptionalMap(planning: Planning, node: Ast & { kind: 'optionalMap' }): MaybeStep {
  const target = planning.planMaybe(node.target);
  const body = node.flat ? planning.planMaybe(node.body) : planning.plan(node.body);
  const [slot = 0] = planning.checked.slotsOf(node);
  return (frame) => {
    const value = target(frame);
    if (value === undefined) return undefined;
    frame.locals[slot] = value;
    return body(frame);
  };
}

/** Makes the Optional that a chain of optionals has been without. */
export function wrap(maybe: MaybeStep): Step {
  return (frame) => {
    const value = maybe(frame);
    return value === undefined ? Optional.NONE : Optional.of(value);
  };
}
