import { deepAdapterOf } from './adapt.ts';
import { add, comparisons, contains, divide, multiply, negate, not, remainder, subtract } from './arithmetic.ts';
import type { CallNode } from './ast.ts';
import type { Budget } from './budget.ts';
import { equalOperands, equals } from './equality.ts';
import { adapted, type Frame, located, type Step } from './step.ts';
import type { Stretch } from './stretch.ts';
import type { Type } from './type.ts';
import { Opaque, type Value } from './value.ts';

type Binary = (a: Value, b: Value, budget: Budget) => Value;

const BINARY = new Map<string, Binary>([
  ['_+_', add],
  ['_-_', subtract],
  ['_*_', multiply],
  ['_/_', divide],
  ['_%_', remainder],
  ['@in', contains],
  ['_==_', equalOperands],
  ['_!=_', (a, b, budget) => !equals(a, b, budget)],
  ...Object.entries(comparisons),
]);

const UNARY = new Map<string, (a: Value) => Value>([
  ['-_', negate],
  ['!_', not],
]);

/** An operand: its closure, its type, and its value if it is constant. */
export interface Operand {
  readonly step: Step;
  readonly type: Type;
  readonly constant: Value | undefined;
}

/** The closure of an operator; undefined if the call is none. */
export function planOperation(node: CallNode, operands: readonly Operand[]): Step | undefined {
  const [left, right] = operands;
  if (left === undefined) return undefined;
  if (right === undefined) {
    const unary = UNARY.get(node.name);
    return unary === undefined ? undefined : planUnary(unary, left.step, node.span);
  }
  const binary = BINARY.get(node.name);
  return binary === undefined ? undefined : planBinary(node, binary, left, right);
}

function planUnary(unary: (a: Value) => Value, step: Step, span: Stretch): Step {
  return (frame) => {
    const value = step(frame);
    if (unary === not && typeof value === 'boolean') return !value;
    try {
      return unary(value);
    } catch (error) {
      throw located(error, span);
    }
  };
}

function planBinary({ name, span }: CallNode, binary: Binary, left: Operand, right: Operand): Step {
  const isEquality = name === '_==_' || name === '_!=_' || name === '@in';
  const [l, r] = isEquality ? [complete(left), complete(right)] : [left.step, right.step];
  const slow = slowly(binary, span);
  return fastBinary(name, l, r, right, slow) ?? generally(l, r, slow);
}

/** Every case that a fast one does not decide. */
function slowly(binary: Binary, span: Stretch): Slow {
  return (a, b, frame) => {
    try {
      return binary(a, b, frame.budget);
    } catch (error) {
      throw located(error, span);
    }
  };
}

function generally(l: Step, r: Step, slow: Slow): Step {
  return (frame) => slow(l(frame), r(frame), frame);
}

/** Values that are compared must be what their types say, all through. */
function complete({ step, type }: Operand): Step {
  return adapted(step, deepAdapterOf(type));
}

type Slow = (a: Value, b: Value, frame: Frame) => Value;

/** The common cases without a detour: numbers that are safe integers, and strings. Everything else goes the slow way. */
function fastBinary(name: string, l: Step, r: Step, right: Operand, slow: Slow): Step | undefined {
  switch (name) {
    case '_==_':
      return right.constant === undefined ? planEquals(l, r, slow) : planEqualsConstant(l, right.constant, slow);
    case '_!=_':
      return planDiffers(l, r, slow);
    case '_+_':
      return planSum(l, r, slow);
    case '_<_':
      return compareFast(l, r, slow, (a, b) => a < b);
    case '_<=_':
      return compareFast(l, r, slow, (a, b) => a <= b);
    case '_>_':
      return compareFast(l, r, slow, (a, b) => a > b);
    case '_>=_':
      return compareFast(l, r, slow, (a, b) => a >= b);
    case '@in':
      return right.constant === undefined ? undefined : planInConstant(l, right.constant, slow);
    default:
      return undefined;
  }
}

function planEquals(l: Step, r: Step, slow: Slow): Step {
  return (frame) => {
    const a = l(frame);
    const b = r(frame);
    if (typeof a === 'string' && typeof b === 'string') return a === b;
    return slow(a, b, frame);
  };
}

function planDiffers(l: Step, r: Step, slow: Slow): Step {
  return (frame) => {
    const a = l(frame);
    const b = r(frame);
    if (typeof a === 'string' && typeof b === 'string') return a !== b;
    return slow(a, b, frame);
  };
}

function planSum(l: Step, r: Step, slow: Slow): Step {
  return (frame) => {
    const a = l(frame);
    const b = r(frame);
    if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a) && Number.isSafeInteger(b)) {
      const sum = a + b;
      if (Number.isSafeInteger(sum)) return sum;
    }
    return slow(a, b, frame);
  };
}

function planEqualsConstant(l: Step, constant: Value, slow: Slow): Step {
  if (typeof constant !== 'string' && typeof constant !== 'boolean' && constant !== null) {
    return (frame) => {
      const a = l(frame);
      return typeof a === 'number' && typeof constant === 'number' ? a === constant : slow(a, constant, frame);
    };
  }
  return (frame) => {
    const a = l(frame);
    // Some values refuse to be compared with text: those of opaque types, and omit().
    return a instanceof Opaque || typeof a === 'symbol' ? slow(a, constant, frame) : a === constant;
  };
}

function compareFast(l: Step, r: Step, slow: Slow, compare: (a: number, b: number) => boolean): Step {
  return (frame) => {
    const a = l(frame);
    const b = r(frame);
    return typeof a === 'number' && typeof b === 'number' ? compare(a, b) : slow(a, b, frame);
  };
}

/** Membership in a constant list of strings is one look-up. */
function planInConstant(l: Step, constant: Value, slow: Slow): Step | undefined {
  if (!Array.isArray(constant) || !constant.every((item) => typeof item === 'string')) return undefined;
  const members: ReadonlySet<unknown> = new Set(constant);
  return (frame) => {
    const a = l(frame);
    return typeof a === 'string' ? members.has(a) : slow(a, constant, frame);
  };
}

/** `a + b + c` of strings, in one go. */
export function planConcat(parts: readonly Step[], span: Stretch): Step {
  return (frame) => {
    let text = '';
    for (let at = 0; at < parts.length; at++) {
      const piece = (parts[at] as Step)(frame);
      // A value that breaks its schema: the ordinary way says what is wrong.
      if (typeof piece !== 'string') return at === 0 ? concatSlowly(parts, 1, piece, frame, span) : fails(text, piece, frame, span);
      text += piece;
    }
    frame.budget.grow(text.length);
    return text;
  };
}

function concatSlowly(parts: readonly Step[], from: number, first: Value, frame: Frame, span: Stretch): Value {
  return parts.slice(from).reduce((sum, part) => fails(sum, part(frame), frame, span), first);
}

function fails(a: Value, b: Value, frame: Frame, span: Stretch): Value {
  try {
    return add(a, b, frame.budget);
  } catch (error) {
    throw located(error, span);
  }
}
