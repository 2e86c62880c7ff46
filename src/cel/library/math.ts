import { compare } from '../equality.ts';
import { fail } from '../error.ts';
import { type Integer, negateInt } from '../int64.ts';
import { boxDouble, isDouble, isInt, Uint, type Value } from '../value.ts';
import { define, type FunctionDeclaration, type Library, type Overload, overload } from './declare.ts';

const NUMBERS = ['double', 'int', 'uint'];

/** Arithmetic beyond the operators: cel-go's math extension, version 2. */
export const math: Library = {
  name: 'math',
  doc: 'Arithmetic beyond the operators: rounding, signs, bits and roots.',
  functions: [
    extreme('math.@max', 'math.greatest', 'The greatest of several numbers, or of a list.', -1, ['math.greatest(1, 3, 2)', '3']),
    extreme('math.@min', 'math.least', 'The least of several numbers, or of a list.', 1, ['math.least([2.5, 1.5])', '1.5']),
    rounding('math.ceil', 'The least whole number that is not less than the number.', Math.ceil, ['math.ceil(-1.2)', '-1.0']),
    rounding('math.floor', 'The greatest whole number that is not greater than the number.', Math.floor, ['math.floor(-1.2)', '-2.0']),
    rounding('math.round', 'The nearest whole number; halves are rounded away from zero.', round, ['math.round(-1.5)', '-2.0']),
    rounding('math.trunc', 'The number without its fraction.', Math.trunc, ['math.trunc(-1.9)', '-1.0']),
    predicate('math.isInf', 'Whether a double is infinite.', (x) => Math.abs(x) === Number.POSITIVE_INFINITY, [
      'math.isInf(1.0 / 0.0)',
      'true',
    ]),
    predicate('math.isNaN', 'Whether a double is NaN.', Number.isNaN, ['math.isNaN(0.0 / 0.0)', 'true']),
    predicate('math.isFinite', 'Whether a double is neither infinite nor NaN.', Number.isFinite, ['math.isFinite(1.5)', 'true']),
    define('math.abs', {
      doc: 'The absolute value of a number.',
      examples: [
        ['math.abs(-1.5)', '1.5'],
        ['math.abs(-9223372036854775808)', { error: 'overflow' }],
      ],
      overloads: [
        overload('math.abs(double) -> double', Math.abs),
        overload('math.abs(int) -> int', (n: Integer) => (n < 0 ? negateInt(n) : n)),
        overload('math.abs(uint) -> uint', (n: Integer) => n),
      ],
    }),
    define('math.sign', {
      doc: '-1, 0 or 1, the sign of a number.',
      examples: [['math.sign(-5)', '-1']],
      overloads: [
        overload('math.sign(double) -> double', (x: number) => (x > 0 ? 1 : x < 0 ? -1 : Number.isNaN(x) ? x : 0)),
        overload('math.sign(int) -> int', (n: Integer) => (n > 0 ? 1 : n < 0 ? -1 : 0)),
        overload('math.sign(uint) -> uint', (n: Integer) => (n > 0 ? 1 : 0)),
      ],
    }),
    bits('math.bitAnd', 'Bitwise AND.', (a, b) => a & b, ['math.bitAnd(6, 3)', '2']),
    bits('math.bitOr', 'Bitwise OR.', (a, b) => a | b, ['math.bitOr(6, 1)', '7']),
    bits('math.bitXor', 'Bitwise XOR.', (a, b) => a ^ b, ['math.bitXor(5, 1)', '4']),
    define('math.bitNot', {
      doc: 'Bitwise NOT.',
      examples: [['math.bitNot(0)', '-1']],
      overloads: [
        overload('math.bitNot(int) -> int', (n: Integer) => ~BigInt(n)),
        overload('math.bitNot(uint) -> uint', (n: Integer) => BigInt.asUintN(64, ~BigInt(n))),
      ],
    }),
    define('math.bitShiftLeft', {
      doc: 'Bitwise left shift by a number of places; bits that are shifted out are lost.',
      examples: [['math.bitShiftLeft(1, 4)', '16']],
      overloads: [
        overload('math.bitShiftLeft(int, int) -> int', (n: Integer, by: Integer) => BigInt.asIntN(64, BigInt(n) << places(by))),
        overload('math.bitShiftLeft(uint, int) -> uint', (n: Integer, by: Integer) => BigInt.asUintN(64, BigInt(n) << places(by))),
      ],
    }),
    define('math.bitShiftRight', {
      doc: 'Bitwise right shift by a number of places; zeros are shifted in, even for a negative int.',
      examples: [['math.bitShiftRight(8, 1)', '4']],
      overloads: [
        overload('math.bitShiftRight(int, int) -> int', (n: Integer, by: Integer) =>
          BigInt.asIntN(64, BigInt.asUintN(64, BigInt(n)) >> places(by)),
        ),
        overload('math.bitShiftRight(uint, int) -> uint', (n: Integer, by: Integer) => BigInt(n) >> places(by)),
      ],
    }),
    define('math.sqrt', {
      doc: 'The square root; NaN for a negative number.',
      examples: [['math.sqrt(9)', '3.0']],
      overloads: ['double', 'int', 'uint'].map((type) => overload(`math.sqrt(${type}) -> double`, (n: Integer) => Math.sqrt(Number(n)))),
    }),
  ],
};

type Example = readonly [expression: string, result: string];

function extreme(name: string, shownAs: string, doc: string, replacedWhen: 1 | -1, example: Example): FunctionDeclaration {
  const mixed = NUMBERS.flatMap((left) => NUMBERS.filter((right) => right !== left).map((right) => [left, right] as const));
  const pairs = [...NUMBERS.map((type) => [type, type] as const), ...mixed];
  return define(name, {
    doc,
    shownAs,
    examples: [example],
    overloads: [
      ...NUMBERS.map((type) => overload(`${name}(${type}) -> ${type}`, (value: unknown) => value)),
      ...pairs.map(([left, right]) => pairOverload(name, left, right, replacedWhen)),
      ...NUMBERS.map((type) =>
        overload(`${name}(list(${type})) -> ${type}`, (list: readonly Value[]) => extremeOf(list, replacedWhen), { boxed: true }),
      ),
    ],
  });
}

function pairOverload(name: string, left: string, right: string, replacedWhen: 1 | -1): Overload {
  const select = (a: number, b: number): Value => {
    const first: Value = box(left, a);
    const second: Value = box(right, b);
    const order = compare(first, second);
    if (order === undefined || Number.isNaN(order)) throw fail('argument', 'NaN has no order');
    return Math.sign(order) === replacedWhen ? second : first;
  };
  return overload(`${name}(${left}, ${right}) -> ${left === right ? left : 'dyn'}`, select, { boxed: true });
}

/** A number as it arrives, declared as this type, as a value. */
function box(type: string, number: number): Value {
  return type === 'double' ? boxDouble(number) : type === 'uint' ? new Uint(number) : number;
}

function extremeOf(list: readonly Value[], replacedWhen: 1 | -1): Value {
  let best: Value | undefined;
  for (const item of list) {
    if (!isInt(item) && !isDouble(item) && !(item instanceof Uint)) throw fail('overload', 'only numbers have an extreme');
    const order = best === undefined ? replacedWhen : compare(best, item);
    if (order === undefined || Number.isNaN(order)) throw fail('overload', 'NaN has no order');
    if (Math.sign(order) === replacedWhen) best = item;
  }
  if (best === undefined) throw fail('argument', 'the list is empty');
  return best;
}

function rounding(name: string, doc: string, apply: (x: number) => number, example: Example): FunctionDeclaration {
  return define(name, { doc, examples: [example], overloads: [overload(`${name}(double) -> double`, apply)] });
}

function round(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

function predicate(name: string, doc: string, holds: (x: number) => boolean, example: Example): FunctionDeclaration {
  return define(name, { doc, examples: [example], overloads: [overload(`${name}(double) -> bool`, holds)] });
}

function bits(name: string, doc: string, combine: (a: bigint, b: bigint) => bigint, example: Example): FunctionDeclaration {
  const apply = (a: Integer, b: Integer): bigint => combine(BigInt(a), BigInt(b));
  return define(name, {
    doc,
    examples: [example],
    overloads: ['int', 'uint'].map((type) => overload(`${name}(${type}, ${type}) -> ${type}`, apply)),
  });
}

/** How far to shift: 64 places and more leave nothing. */
function places(by: Integer): bigint {
  if (by < 0) throw fail('argument', 'bits are shifted by a number that is not negative');
  return by > 64 ? 64n : BigInt(by);
}
