import { fail } from './error.ts';
import { MAX_INT64, MIN_INT64 } from './int64.ts';
import { Duration, Timestamp } from './value.ts';

const SECOND = 1_000_000_000n;
const MIN_SECONDS = -62_135_596_800n;
/** The nanoseconds of Go's zero time, which has no value: 0001-01-01T00:00:00Z. */
export const ZERO_TIME: bigint = MIN_SECONDS * SECOND;
const MAX_SECONDS = 253_402_300_799n;

/** A timestamp of nanoseconds since 1970, or an `overflow` error outside of the years 1 to 9999. */
export function makeTimestamp(nanos: bigint, secondsEast = 0): Timestamp {
  if (nanos < MIN_SECONDS * SECOND || nanos >= (MAX_SECONDS + 1n) * SECOND) throw fail('overflow', 'timestamp out of range');
  return new Timestamp(nanos, secondsEast);
}

/** A duration of nanoseconds, or an `overflow` error outside of int64. */
export function makeDuration(nanos: bigint): Duration {
  if (nanos < MIN_INT64 || nanos > MAX_INT64) throw fail('overflow', 'duration out of range');
  return new Duration(nanos);
}

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/;

/** Reads RFC 3339 text, exact to the nanosecond; undefined if it is none. Out of range is an `overflow` error. */
export function readTimestamp(text: string): Timestamp | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const offset = readOffset(match[8] ?? 'Z');
  if (offset === undefined) return undefined;
  const nanos = BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  return makeTimestamp((BigInt(date.getTime() / 1000) - BigInt(offset)) * SECOND + nanos, offset);
}

/** Reads a date without a time as its first instant in UTC; undefined if it is none. */
export function readDate(text: string): Timestamp | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? readTimestamp(`${text}T00:00:00Z`) : undefined;
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Seconds east of UTC of `Z`, `+01:00`. */
function readOffset(text: string): number | undefined {
  if (text === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(4, 6));
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60;
}

/** RFC 3339 in UTC with as many fraction digits as needed. */
export function printTimestamp(timestamp: Timestamp): string {
  const seconds = floorDivide(timestamp.nanos, SECOND);
  const text = new Date(Number(seconds) * 1000).toISOString();
  return `${text.slice(0, 19)}${fraction(timestamp.nanos - seconds * SECOND)}Z`;
}

/** RFC 3339 with the offset that the timestamp was written with, as `string(timestamp)` gives it. */
export function printLocalTimestamp(timestamp: Timestamp): string {
  const { nanos, secondsEast } = timestamp;
  if (secondsEast === 0) return printTimestamp(timestamp);
  const local = printTimestamp(new Timestamp(nanos + BigInt(secondsEast) * SECOND));
  const minutes = Math.abs(secondsEast) / 60;
  const offset = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `${local.slice(0, -1)}${secondsEast < 0 ? '-' : '+'}${offset}`;
}

/** Whole seconds since 1970, rounded down. */
export function timestampSeconds(timestamp: Timestamp): bigint {
  return floorDivide(timestamp.nanos, SECOND);
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

function fraction(nanos: bigint): string {
  return nanos === 0n ? '' : `.${nanos.toString().padStart(9, '0').replace(/0+$/, '')}`;
}

const UNITS = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', SECOND],
  ['m', 60n * SECOND],
  ['h', 3600n * SECOND],
]);

/** Reads a duration as Go does (`1h30m`, `-1.5s`); undefined if it is none, or out of range. */
export function readDuration(text: string): Duration | undefined {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  let rest = text.slice(sign.length);
  if (rest === '0') return new Duration(0n);
  if (rest === '') return undefined;
  let total = 0n;
  while (rest !== '') {
    const match = /^(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/.exec(rest);
    if (match === null) return undefined;
    const [all, whole = '', part = '', unit = ''] = match;
    if (whole === '' && part === '') return undefined;
    const scale = UNITS.get(unit) ?? 0n;
    const digits = whole.replace(/^0+/, '');
    total += BigInt(digits.slice(0, 20) || '0') * scale + fractionOfUnit(part, scale);
    if (digits.length > 20 || total > MAX_INT64 + 1n) return undefined;
    rest = rest.slice(all.length);
  }
  const nanos = sign === '-' ? -total : total;
  return nanos > MAX_INT64 ? undefined : new Duration(nanos);
}

/** Nanoseconds of a decimal fraction of a unit. Go computes it in doubles: `0.3333333333333333333h` is 20 minutes. */
function fractionOfUnit(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits.slice(0, 19)) {
    const next = value * 10n + BigInt(digit);
    if (value > MAX_INT64 / 10n || next > MAX_INT64 + 1n) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** Seconds with a fraction, as `string(duration)` gives them: `-1.5s`. As in cel-go a double, so that beyond 2^53 ns it is not exact. */
export function printDoubleSeconds({ nanos }: Duration): string {
  const seconds = Number(nanos / SECOND) + Number(nanos % SECOND) / 1e9;
  if (nanos % SECOND === 0n || Math.abs(seconds) < 1e-6) return printSeconds(new Duration(nanos));
  return `${seconds}s`;
}

/** Seconds with a fraction, exact: `-1.5s`. */
export function printSeconds(duration: Duration): string {
  const amount = duration.nanos < 0n ? -duration.nanos : duration.nanos;
  return `${duration.nanos < 0n ? '-' : ''}${amount / SECOND}${fraction(amount % SECOND)}s`;
}

/** As Go prints a duration: `1h30m0s`, `1.5ms`, `0s`. */
export function printGoDuration(duration: Duration): string {
  const amount = duration.nanos < 0n ? -duration.nanos : duration.nanos;
  const sign = duration.nanos < 0n ? '-' : '';
  if (amount === 0n) return '0s';
  if (amount < 1_000n) return `${sign}${amount}ns`;
  if (amount < 1_000_000n) return `${sign}${decimal(amount, 3)}µs`;
  if (amount < SECOND) return `${sign}${decimal(amount, 6)}ms`;
  const hours = amount / (3600n * SECOND);
  const minutes = (amount / (60n * SECOND)) % 60n;
  const seconds = `${decimal(amount % (60n * SECOND), 9)}s`;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}

function decimal(amount: bigint, digits: number): string {
  const scale = 10n ** BigInt(digits);
  const rest = (amount % scale).toString().padStart(digits, '0').replace(/0+$/, '');
  return rest === '' ? `${amount / scale}` : `${amount / scale}.${rest}`;
}
