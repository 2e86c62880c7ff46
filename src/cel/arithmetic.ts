import type { Budget } from './budget.ts';
import { compare, equals } from './equality.ts';
import { fail } from './error.ts';
import { addInt, divideInt, type Integer, multiplyInt, negateInt, remainderInt, subtractInt, toUint64 } from './int64.ts';
import { mergeLists } from './list-merge.ts';
import { makeDuration, makeTimestamp } from './temporal.ts';
import { boxDouble, Duration, doubleOf, isInt, isList, isMap, mapGet, Timestamp, Uint, type Value } from './value.ts';

/** `+` of two values of fitting types. */
export function add(a: Value, b: Value, budget: Budget): Value {
  if (typeof a === 'string' && typeof b === 'string') {
    budget.grow(a.length + b.length);
    return a + b;
  }
  if (isInt(a) && isInt(b)) return addInt(a, b);
  if (isList(a) && isList(b)) {
    budget.grow(a.length + b.length);
    return mergeLists(a, b, budget);
  }
  const [x, y] = [doubleOf(a), doubleOf(b)];
  if (x !== undefined && y !== undefined) return boxDouble(x + y);
  if (a instanceof Uint && b instanceof Uint) return new Uint(toUint64(BigInt(a.value) + BigInt(b.value)));
  if (a instanceof Duration && b instanceof Duration) return makeDuration(a.nanos + b.nanos);
  if (a instanceof Timestamp && b instanceof Duration) return makeTimestamp(a.nanos + b.nanos, a.secondsEast);
  if (a instanceof Duration && b instanceof Timestamp) return makeTimestamp(a.nanos + b.nanos, b.secondsEast);
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    budget.grow(a.length + b.length);
    const joined = new Uint8Array(a.length + b.length);
    joined.set(a);
    joined.set(b, a.length);
    return joined;
  }
  throw mismatch('+');
}

/** `-` of two values of fitting types. */
export function subtract(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return subtractInt(a, b);
  const [x, y] = [doubleOf(a), doubleOf(b)];
  if (x !== undefined && y !== undefined) return boxDouble(x - y);
  if (a instanceof Uint && b instanceof Uint) return new Uint(toUint64(BigInt(a.value) - BigInt(b.value)));
  if (a instanceof Timestamp && b instanceof Timestamp) return makeDuration(a.nanos - b.nanos);
  if (a instanceof Timestamp && b instanceof Duration) return makeTimestamp(a.nanos + makeDuration(-b.nanos).nanos, a.secondsEast);
  if (a instanceof Duration && b instanceof Duration) return makeDuration(a.nanos - b.nanos);
  throw mismatch('-');
}

/** `*` of two values of fitting types. */
export function multiply(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return multiplyInt(a, b);
  const [x, y] = [doubleOf(a), doubleOf(b)];
  if (x !== undefined && y !== undefined) return boxDouble(x * y);
  if (a instanceof Uint && b instanceof Uint) return new Uint(toUint64(BigInt(a.value) * BigInt(b.value)));
  throw mismatch('*');
}

/** `/` of two values of fitting types. */
export function divide(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return divideInt(a, b);
  const [x, y] = [doubleOf(a), doubleOf(b)];
  if (x !== undefined && y !== undefined) return boxDouble(x / y);
  if (a instanceof Uint && b instanceof Uint) return new Uint(quotient(a.value, b.value));
  throw mismatch('/');
}

function quotient(a: Integer, b: Integer): Integer {
  if (b === 0) throw fail('divide', 'division by zero');
  return toUint64(BigInt(a) / BigInt(b));
}

/** `%` of two values of fitting types. */
export function remainder(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return remainderInt(a, b);
  if (a instanceof Uint && b instanceof Uint) {
    if (b.value === 0) throw fail('divide', 'modulus by zero');
    return new Uint(toUint64(BigInt(a.value) % BigInt(b.value)));
  }
  throw mismatch('%');
}

/** `-` of one value. */
export function negate(a: Value): Value {
  if (isInt(a)) return negateInt(a);
  const x = doubleOf(a);
  if (x !== undefined) return boxDouble(-x);
  throw mismatch('-');
}

/** `!` of a bool. */
export function not(a: Value): Value {
  if (typeof a !== 'boolean') throw mismatch('!');
  return !a;
}

/** The order of two values, or an `overload` error; NaN if one is NaN. */
function order(a: Value, b: Value, operator: string): number {
  const result = compare(a, b);
  if (result === undefined) throw mismatch(operator);
  return result;
}

/** The comparisons, by their CEL names. */
export const comparisons = {
  '_<_': (a: Value, b: Value): Value => order(a, b, '<') < 0,
  '_<=_': (a: Value, b: Value): Value => order(a, b, '<=') <= 0,
  '_>_': (a: Value, b: Value): Value => order(a, b, '>') > 0,
  '_>=_': (a: Value, b: Value): Value => order(a, b, '>=') >= 0,
};

/** `in`: an element of a list, a key of a map. */
export function contains(element: Value, container: Value, budget: Budget): Value {
  if (isList(container)) {
    budget.spend(container.length >> 2);
    for (const item of container) if (equals(element, item, budget)) return true;
    return false;
  }
  if (isMap(container)) return mapGet(container, element) !== undefined;
  throw mismatch('in');
}

function mismatch(operator: string): Error {
  return fail('overload', `"${operator}" does not take values of these types`);
}
