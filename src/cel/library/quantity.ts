import type { Budget } from '../budget.ts';
import { fail } from '../error.ts';
import type { Integer } from '../int64.ts';
import { Opaque, type OpaqueKind } from '../value.ts';
import { define, type Library, opaqueNamed, overload } from './declare.ts';
import {
  type Amount,
  addAmounts,
  compareAmounts,
  floatOf,
  integerOf,
  printAmount,
  readAmount,
  subtractAmounts,
  workOf,
} from './resource-amount.ts';

const quantityKind: OpaqueKind<Amount> = {
  type: opaqueNamed('kubernetes.Quantity'),
  tag: 'quantity',
  equals: (a, b) => compareAmounts(a, b) === 0,
  work: workOf,
  print: printAmount,
};

type Quantity = Opaque<Amount>;

/** The cost of a function of quantities. */
const ofAmounts = {
  cost: (...args: readonly unknown[]): number => workOf(...args.flatMap((arg) => (arg instanceof Opaque ? [arg.data as Amount] : []))),
};

/** Amounts of resources: Kubernetes' quantity. */
export const quantity: Library = {
  name: 'quantity',
  doc: 'Resource quantities of Kubernetes, such as 100m, 1.5Gi or 2e3.',
  opaques: [quantityKind],
  functions: [
    define('quantity', {
      doc: 'Parses a quantity.',
      examples: [
        ["quantity('1.5Gi') == quantity('1536Mi')", 'true'],
        ["quantity('1GiB')", { error: 'conversion' }],
      ],
      overloads: [
        overload('quantity(string) -> kubernetes.Quantity', (text: string, budget: Budget) => {
          const amount = readCharged(text, budget);
          if (amount === undefined)
            throw fail('conversion', 'the text is no quantity: expected a number and a suffix, as 100m, 1.5Gi, 2e3');
          return new Opaque(quantityKind, amount);
        }),
      ],
    }),
    define('isQuantity', {
      doc: 'Whether a string is a quantity.',
      examples: [["isQuantity('200K')", 'false']],
      overloads: [overload('isQuantity(string) -> bool', (text: string, budget: Budget) => readCharged(text, budget) !== undefined)],
    }),
    define('sign', {
      doc: 'The sign of a quantity: -1, 0 or 1.',
      examples: [["sign(quantity('-5'))", '-1']],
      overloads: [
        overload('sign(kubernetes.Quantity) -> int', ({ data }: Quantity) => (data.unscaled > 0n ? 1 : data.unscaled < 0n ? -1 : 0)),
      ],
    }),
    define('isInteger', {
      doc: 'Whether asInteger() succeeds: the quantity fits an int, has no fraction and is written without one.',
      examples: [["quantity('50k').isInteger()", 'true']],
      overloads: [overload('kubernetes.Quantity.isInteger() -> bool', ({ data }: Quantity) => integerOf(data) !== undefined)],
    }),
    define('asInteger', {
      doc: 'The quantity as an int.',
      examples: [
        ["quantity('1Gi').asInteger()", '1073741824'],
        ["quantity('1.5').asInteger()", { error: 'conversion' }],
      ],
      overloads: [
        overload('kubernetes.Quantity.asInteger() -> int', ({ data }: Quantity) => {
          const integer = integerOf(data);
          if (integer === undefined) throw fail('conversion', 'the quantity is not an int');
          return integer;
        }),
      ],
    }),
    define('asApproximateFloat', {
      doc: 'The quantity as a double, possibly rounded.',
      examples: [["quantity('100m').asApproximateFloat()", '0.1']],
      overloads: [overload('kubernetes.Quantity.asApproximateFloat() -> double', ({ data }: Quantity) => floatOf(data))],
    }),
    define('add', {
      doc: 'The sum of a quantity and another quantity or an int.',
      examples: [["quantity('1Gi').add(quantity('1Mi')) == quantity('1025Mi')", 'true']],
      overloads: [
        overload(
          'kubernetes.Quantity.add(kubernetes.Quantity) -> kubernetes.Quantity',
          (a: Quantity, b: Quantity) => new Opaque(quantityKind, addAmounts(a.data, b.data)),
          ofAmounts,
        ),
        overload(
          'kubernetes.Quantity.add(int) -> kubernetes.Quantity',
          (a: Quantity, b: Integer) => new Opaque(quantityKind, addAmounts(a.data, amountOf(b))),
          ofAmounts,
        ),
      ],
    }),
    define('sub', {
      doc: 'The difference of a quantity and another quantity or an int.',
      examples: [["quantity('50k').sub(20000) == quantity('30k')", 'true']],
      overloads: [
        overload(
          'kubernetes.Quantity.sub(kubernetes.Quantity) -> kubernetes.Quantity',
          (a: Quantity, b: Quantity) => new Opaque(quantityKind, subtractAmounts(a.data, b.data)),
          ofAmounts,
        ),
        overload(
          'kubernetes.Quantity.sub(int) -> kubernetes.Quantity',
          (a: Quantity, b: Integer) => new Opaque(quantityKind, subtractAmounts(a.data, amountOf(b))),
          ofAmounts,
        ),
      ],
    }),
    define('compareTo', {
      doc: 'Compares a quantity to another: -1 if it is less, 0 if equal, 1 if greater.',
      examples: [["quantity('50M').compareTo(quantity('50Mi'))", '-1']],
      overloads: [
        overload(
          'kubernetes.Quantity.compareTo(kubernetes.Quantity) -> int',
          (a: Quantity, b: Quantity) => compareAmounts(a.data, b.data),
          ofAmounts,
        ),
      ],
    }),
    define('isGreaterThan', {
      doc: 'Whether a quantity is greater than another.',
      examples: [["quantity('100Mi').isGreaterThan(quantity('50Mi'))", 'true']],
      overloads: [
        overload(
          'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity) -> bool',
          (a: Quantity, b: Quantity) => compareAmounts(a.data, b.data) > 0,
          ofAmounts,
        ),
      ],
    }),
    define('isLessThan', {
      doc: 'Whether a quantity is less than another.',
      examples: [["quantity('50M').isLessThan(quantity('100M'))", 'true']],
      overloads: [
        overload(
          'kubernetes.Quantity.isLessThan(kubernetes.Quantity) -> bool',
          (a: Quantity, b: Quantity) => compareAmounts(a.data, b.data) < 0,
          ofAmounts,
        ),
      ],
    }),
  ],
};

/** Few letters may stand for many digits: they are charged as they are found. */
function readCharged(text: string, budget: Budget): Amount | undefined {
  const amount = readAmount(text);
  if (amount !== undefined) budget.spend(workOf(amount));
  return amount;
}

function amountOf(integer: Integer): Amount {
  return { unscaled: BigInt(integer), scale: 0, fits: true, format: 'exponent' };
}
