import { test } from 'tap';
import { EvaluationError } from '../../src/cel/error.ts';
import {
  addInt,
  divideInt,
  type Integer,
  intOfDouble,
  MAX_INT64,
  MIN_INT64,
  multiplyInt,
  negateInt,
  remainderInt,
  subtractInt,
  uintOfDouble,
} from '../../src/cel/int64.ts';

const safe = Number.MAX_SAFE_INTEGER;

const rows: readonly (readonly [title: string, run: () => Integer, expected: Integer | string])[] = [
  ['a sum stays a number while it is safe', () => addInt(safe - 1, 1), safe],
  ['a sum beyond is a bigint', () => addInt(safe, 1), 9007199254740992n],
  ['a difference of bigints comes back as a number', () => subtractInt(9007199254740993n, 9007199254740992n), 1],
  ['a sum out of int64 overflows', () => addInt(MAX_INT64, 1), 'overflow'],
  ['a product that a double cannot hold is exact', () => multiplyInt(3037000499, 3037000499), 9223372030926249001n],
  ['a product out of int64 overflows', () => multiplyInt(3037000500, 3037000500), 'overflow'],
  ['a product has no negative zero', () => multiplyInt(0, -1), 0],
  ['division cuts toward zero', () => divideInt(-7, 2), -3],
  ['a quotient has no negative zero', () => divideInt(0, -5), 0],
  ['the least int by -1 overflows', () => divideInt(MIN_INT64, -1), 'overflow'],
  ['division by zero', () => divideInt(1, 0), 'divide'],
  ['the remainder has the sign of the dividend', () => remainderInt(-7, 3), -1],
  ['a remainder of zero has no sign', () => remainderInt(-6, 3), 0],
  ['modulus by zero', () => remainderInt(1, 0), 'divide'],
  ['the negative of the least int overflows', () => negateInt(MIN_INT64), 'overflow'],
  ['the negative of zero is zero', () => negateInt(0), 0],
  ['a double is cut toward zero', () => intOfDouble(-1.9), -1],
  ['a double beyond 2^53 is exact', () => intOfDouble(2 ** 60), 1152921504606846976n],
  ['2^63 is out of range', () => intOfDouble(2 ** 63), 'overflow'],
  ['NaN is out of range', () => intOfDouble(Number.NaN), 'overflow'],
  ['a negative double is no uint', () => uintOfDouble(-0.5), 'overflow'],
  ['a large double is a uint', () => uintOfDouble(2 ** 63), 9223372036854775808n],
];

for (const [title, run, expected] of rows) {
  test(title, async (t) => {
    let found: Integer | string;
    try {
      found = run();
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      found = error.code;
    }
    t.ok(Object.is(found, expected), `${found} is ${expected}`);
  });
}
