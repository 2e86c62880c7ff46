import { fail } from '../error.ts';
import { MAX_INT64 } from '../int64.ts';

/** How a quantity was written, which decides how its sums are: with `k`, with `Ki`, or with an exponent. */
export type QuantityFormat = 'decimal' | 'binary' | 'exponent';

/**
 * A Kubernetes quantity: unscaled * 10^scale, exact. `fits` tells the form that Kubernetes keeps it in, an int64 with a scale or a
 * decimal of any size: only the first ever counts as an integer.
 */
export interface Amount {
  readonly unscaled: bigint;
  readonly scale: number;
  readonly fits: boolean;
  readonly format: QuantityFormat;
}

const NANO = -9;
const BINARY = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);
const DECIMAL = new Map([
  ['n', NANO],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);

/** Quantities of more digits than this are no sizes of anything; arithmetic on them would take long. */
const MAX_DIGITS = 10_000;

/** Reads a quantity; undefined if the text is none. What is finer than 1n is rounded up, away from zero. */
export function readAmount(text: string): Amount | undefined {
  const match = /^([+-]?)0*(\d*)(?:\.(\d*))?([eEinumkKMGTP]*)([+-]?\d*)$/.exec(text);
  if (match === null || text === '' || text.length > MAX_DIGITS) return undefined;
  const [, sign = '', whole = '', fraction = '', letters = '', exponent = ''] = match;
  const suffix = readSuffix(`${letters}${exponent}`);
  if (suffix === undefined) return undefined;
  const unscaled = BigInt(`${whole}${fraction}` || '0');
  const signed = (amount: bigint): bigint => (sign === '-' ? -amount : amount);
  const digits = (whole === '' ? 1 : whole.length) + fraction.length;
  if (suffix.format === 'binary') {
    // As Kubernetes estimates it, in single precision.
    const room = 15 - digits - Math.trunc(Math.fround(suffix.exponent * 3) / 10) - 1;
    const factor = 2n ** BigInt(suffix.exponent);
    if (fraction === '' && room >= 0) return { unscaled: signed(unscaled * factor), scale: 0, fits: true, format: 'binary' };
    // Kubernetes takes a suffix alone for zero, but not through its decimals.
    if (whole + fraction === '' && !/\d/.test(text)) return undefined;
    return capBinary({ unscaled: unscaled * factor, scale: -fraction.length, fits: false, format: 'binary' }, signed);
  }
  const scale = suffix.exponent - fraction.length;
  const fits = digits <= 18 && scale >= NANO;
  const rounded = fits ? { unscaled, scale } : toNano(unscaled, scale);
  return { unscaled: signed(rounded.unscaled), scale: rounded.scale, fits, format: suffix.format };
}

function readSuffix(text: string): { readonly format: QuantityFormat; readonly exponent: number } | undefined {
  const decimal = DECIMAL.get(text);
  if (decimal !== undefined) return { format: 'decimal', exponent: decimal };
  const binary = BINARY.get(text);
  if (binary !== undefined) return { format: 'binary', exponent: binary };
  const exponent = /^[eE]([+-]?\d+)$/.exec(text)?.[1];
  if (exponent === undefined || exponent.length > 20) return undefined;
  const value = BigInt(exponent);
  return value > MAX_INT64 || value < -MAX_INT64 - 1n ? undefined : { format: 'exponent', exponent: Number(BigInt.asIntN(32, value)) };
}

/** An amount that is not negative in units of 1n, rounded up: as Kubernetes keeps what does not fit an int64. */
function toNano(unscaled: bigint, scale: number): { readonly unscaled: bigint; readonly scale: number } {
  if (unscaled === 0n) return { unscaled, scale: NANO };
  if (scale - NANO > MAX_DIGITS) return { unscaled, scale };
  if (scale >= NANO) return { unscaled: unscaled * 10n ** BigInt(scale - NANO), scale: NANO };
  const dropped = NANO - scale;
  // 10^dropped has more than 3 * dropped bits: the amount has no more, and is less than 1n.
  if (3 * dropped >= 4 * unscaled.toString(16).length) return { unscaled: 1n, scale: NANO };
  const divisor = 10n ** BigInt(dropped);
  return { unscaled: (unscaled + divisor - 1n) / divisor, scale: NANO };
}

/** Binary sizes end at int64; those below one byte are decimal. */
function capBinary(amount: Amount, signed: (unscaled: bigint) => bigint): Amount {
  const { unscaled, scale } = toNano(amount.unscaled, amount.scale);
  const one = 10n ** BigInt(-scale);
  if (unscaled > MAX_INT64 * one) return { unscaled: signed(MAX_INT64), scale: 0, fits: false, format: 'binary' };
  const format = unscaled > 0n && unscaled < one ? 'decimal' : 'binary';
  return { unscaled: signed(unscaled), scale, fits: false, format };
}

/** How much work the amounts are, in steps: next to none, unless they have far more digits than sizes of things have. */
export function workOf(...amounts: readonly Amount[]): number {
  let digits = 0;
  for (const { unscaled, scale } of amounts) digits += Math.abs(scale) + (isInt64(unscaled) ? 0 : unscaled.toString(16).length);
  return 1 + (digits >> 3);
}

/** a + b. A zero takes the format of the other. */
export function addAmounts(a: Amount, b: Amount): Amount {
  const format = a.unscaled === 0n ? b.format : a.format;
  if (a.fits && b.fits) {
    if (b.unscaled === 0n) return { ...a, format };
    if (a.unscaled === 0n) return { ...b, format };
  }
  const scale = Math.min(a.scale, b.scale);
  const left = rescale(a, scale);
  const right = rescale(b, scale);
  const unscaled = left + right;
  return { unscaled, scale, fits: a.fits && b.fits && [left, right, unscaled].every(isInt64), format };
}

/** a - b. */
export function subtractAmounts(a: Amount, b: Amount): Amount {
  return addAmounts(a, { ...b, unscaled: -b.unscaled });
}

/** Less, equal, greater: -1, 0, 1. */
export function compareAmounts(a: Amount, b: Amount): -1 | 0 | 1 {
  const scale = Math.min(a.scale, b.scale);
  const left = rescale(a, scale);
  const right = rescale(b, scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The unscaled amount at a scale that is not coarser than its own. */
function rescale(amount: Amount, scale: number): bigint {
  if (amount.unscaled === 0n || amount.scale === scale) return amount.unscaled;
  if (amount.scale - scale > MAX_DIGITS) throw fail('limit', 'the quantities differ too much in size');
  return amount.unscaled * 10n ** BigInt(amount.scale - scale);
}

function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** The amount as an int64; undefined if it has a fraction, was written with one, or is too large. */
export function integerOf({ unscaled, scale, fits }: Amount): bigint | undefined {
  if (!fits || scale < 0) return undefined;
  if (unscaled === 0n) return 0n;
  if (scale > 18) return undefined;
  const value = unscaled * 10n ** BigInt(scale);
  return isInt64(value) ? value : undefined;
}

/** The nearest double, or almost: Kubernetes multiplies two doubles. */
export function floatOf({ unscaled, scale }: Amount): number {
  const base = Number(unscaled);
  if (scale === 0) return base;
  return base * (scale < -323 ? 0 : scale > 308 ? Number.POSITIVE_INFINITY : Number(`1e${scale}`));
}

/** The canonical text: the largest suffix that leaves no fraction. */
export function printAmount(amount: Amount): string {
  if (amount.unscaled === 0n) return '0';
  return (amount.format === 'binary' ? printBinary(amount) : undefined) ?? printDecimal(amount);
}

/** With Ki, Mi, …; undefined where the amount is below 1Ki or no whole number. */
function printBinary(amount: Amount): string | undefined {
  const whole = reduce(amount, 0);
  if (whole === undefined || (whole > -1024n && whole < 1024n)) return undefined;
  let rest = whole;
  let step = 0;
  while (step < BINARY.size && rest % 1024n === 0n) {
    rest /= 1024n;
    step++;
  }
  return `${rest}${['', ...BINARY.keys()][step] ?? ''}`;
}

/** The unscaled amount at a scale; undefined if that would lose something. */
function reduce({ unscaled, scale }: Amount, to: number): bigint | undefined {
  if (scale >= to) return scale - to > MAX_DIGITS ? undefined : unscaled * 10n ** BigInt(scale - to);
  const divisor = 10n ** BigInt(to - scale);
  return unscaled % divisor === 0n ? unscaled / divisor : undefined;
}

/** With k, M, … or an exponent, which is a multiple of three. */
function printDecimal({ unscaled, scale, format }: Amount): string {
  const digits = unscaled.toString().replace(/0+$/, '');
  const exponent = scale + (unscaled.toString().length - digits.length);
  const largest = format === 'exponent' ? Number.POSITIVE_INFINITY : 18;
  const shown = Math.min(Math.floor(exponent / 3) * 3, largest);
  if (exponent - shown > MAX_DIGITS) return `${digits}e${exponent}`;
  const number = `${digits}${'0'.repeat(exponent - shown)}`;
  if (shown === 0) return number;
  if (format === 'exponent') return `${number}e${shown}`;
  const suffix = [...DECIMAL].find(([, power]) => power === shown)?.[0];
  return `${number}${suffix ?? `e${shown}`}`;
}
