import { fail } from '../error.ts';
import { type Integer, intOfDouble, MAX_INT64, MAX_UINT64, MIN_INT64, toInt64, toUint64, uintOfDouble } from '../int64.ts';
import { printDouble } from '../number-text.ts';
import { makeTimestamp, printDoubleSeconds, printLocalTimestamp, readDuration, readTimestamp, timestampSeconds } from '../temporal.ts';
import { Double, Duration, isDouble, isInt, isList, OMIT, Opaque, Optional, Timestamp, TypeValue, Uint, type Value } from '../value.ts';
import { define, type Library, overload, reading } from './declare.ts';

const same = <T>(value: T): T => value;

/** Conversions between types, and `type` and `dyn`. */
export const conversions: Library = {
  name: 'conversions',
  doc: 'Conversions between types.',
  functions: [
    define('int', {
      doc: 'Converts a double (truncated toward zero), a uint, a decimal string, a timestamp (to Unix seconds) or a duration (to nanoseconds).',
      examples: [
        ["int('42')", '42'],
        ['int(-1.9)', '-1'],
        ["int('x')", { error: 'conversion' }],
      ],
      overloads: [
        overload('int(int) -> int', same),
        overload('int(double) -> int', intOfDouble),
        overload('int(duration) -> int', (value: Duration) => value.nanos),
        overload('int(string) -> int', readInt),
        overload('int(timestamp) -> int', timestampSeconds),
        overload('int(uint) -> int', (value: Integer) => toInt64(BigInt(value))),
      ],
    }),
    define('uint', {
      doc: 'Converts a double (truncated toward zero), an int or a decimal string.',
      examples: [
        ['uint(1)', '1u'],
        ['uint(-1)', { error: 'overflow' }],
      ],
      overloads: [
        overload('uint(uint) -> uint', same),
        overload('uint(double) -> uint', uintOfDouble),
        overload('uint(int) -> uint', (value: Integer) => toUint64(BigInt(value))),
        overload('uint(string) -> uint', readUint),
      ],
    }),
    define('double', {
      doc: 'Converts an int or uint (to the nearest double) or a string.',
      examples: [["double('1.5')", '1.5']],
      overloads: [
        overload('double(double) -> double', same),
        overload('double(int) -> double', Number),
        overload('double(string) -> double', readDouble, reading),
        overload('double(uint) -> double', Number),
      ],
    }),
    define('string', {
      doc: 'Converts a number, bool, timestamp or duration, or bytes that are valid UTF-8.',
      examples: [
        ['string(1.0)', "'1'"],
        ["string(duration('90m'))", "'5400s'"],
      ],
      overloads: [
        overload('string(string) -> string', same),
        overload('string(bool) -> string', String),
        overload('string(bytes) -> string', readUtf8),
        overload('string(double) -> string', printDouble),
        overload('string(duration) -> string', printDoubleSeconds),
        overload('string(int) -> string', String),
        overload('string(timestamp) -> string', printLocalTimestamp),
        overload('string(uint) -> string', String),
      ],
    }),
    define('bytes', {
      doc: 'The UTF-8 encoding of a string.',
      examples: [["bytes('abc')", "b'abc'"]],
      overloads: [
        overload('bytes(bytes) -> bytes', same),
        overload('bytes(string) -> bytes', (text: string) => new TextEncoder().encode(text)),
      ],
    }),
    define('bool', {
      doc: 'Converts the strings true, True, TRUE, t, 1 and false, False, FALSE, f, 0.',
      examples: [["bool('true')", 'true']],
      overloads: [overload('bool(bool) -> bool', same), overload('bool(string) -> bool', readBool)],
    }),
    define('timestamp', {
      doc: 'Converts an RFC 3339 string or Unix seconds.',
      examples: [["timestamp('1970-01-01T00:00:10Z') == timestamp(10)", 'true']],
      overloads: [
        overload('timestamp(timestamp) -> timestamp', same),
        overload('timestamp(int) -> timestamp', (seconds: Integer) => makeTimestamp(BigInt(seconds) * 1_000_000_000n)),
        overload(
          'timestamp(string) -> timestamp',
          (text: string) => {
            const timestamp = readTimestamp(text);
            if (timestamp === undefined) throw fail('conversion', 'the text is no timestamp: expected RFC 3339, as 2024-01-31T12:00:00Z');
            return timestamp;
          },
          reading,
        ),
      ],
    }),
    define('duration', {
      doc: 'Converts a string such as 1h30m, -1.5s or 250ms.',
      examples: [["duration('90m') == duration('1h30m')", 'true']],
      overloads: [
        overload('duration(duration) -> duration', same),
        overload(
          'duration(string) -> duration',
          (text: string) => {
            const duration = readDuration(text);
            if (duration === undefined) throw fail('conversion', 'the text is no duration: expected units h, m, s, ms, us, ns, as 1h30m');
            return duration;
          },
          reading,
        ),
      ],
    }),
    define('dyn', {
      doc: 'The same value, with its type checked only at run time.',
      examples: [['dyn(1) == 1.0', 'true']],
      overloads: [overload('dyn(A) -> dyn', same, { cost: () => 1, size: () => 0 })],
    }),
    define('type', {
      doc: 'The type of a value.',
      examples: [['type(1) == int', 'true']],
      overloads: [overload('type(A) -> type(A)', (value: Value) => new TypeValue(typeNameOf(value)), { passes: true, cost: () => 1 })],
    }),
  ],
};

function readInt(text: string): bigint {
  if (!/^[+-]?[0-9]{1,40}$/.test(text)) throw fail('conversion', 'the text is no int');
  const value = BigInt(text.replace('+', ''));
  if (value < MIN_INT64 || value > MAX_INT64) throw fail('conversion', 'the text is out of the range of int');
  return value;
}

function readUint(text: string): bigint {
  if (!/^[0-9]{1,40}$/.test(text)) throw fail('conversion', 'the text is no uint');
  const value = BigInt(text);
  if (value > MAX_UINT64) throw fail('conversion', 'the text is out of the range of uint');
  return value;
}

/** Text as Go reads a double: decimal or hexadecimal with an exponent, single underscores between digits, `inf`, `Infinity`, `NaN` in any case. */
function readDouble(spelled: string): number {
  const text = spelled.replace(/^[+-]?0[xX]/.test(spelled) ? /(?<=[0-9a-fA-FxX])_(?=[0-9a-fA-F])/g : /(?<=[0-9])_(?=[0-9])/g, '');
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null) {
    const isNan = special[2]?.toLowerCase() === 'nan';
    if (isNan) return special[1] === '' ? Number.NaN : badDouble();
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  const hexadecimal = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]{1,6})$/.exec(text);
  if (hexadecimal !== null) return readHexadecimal(hexadecimal);
  if (!/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(text)) return badDouble();
  const value = Number(text);
  return Number.isFinite(value) ? value : badDouble();
}

function readHexadecimal([, sign = '', whole = '', part = '', exponent = '0']: RegExpExecArray): number {
  if (whole === '' && part === '') return badDouble();
  const mantissa = Number(BigInt(`0x${whole}${part}`));
  const value = mantissa * 2 ** (Number(exponent) - 4 * part.length);
  return sign === '-' ? -value : value;
}

function badDouble(): never {
  throw fail('conversion', 'the text is no double');
}

function readBool(text: string): boolean {
  if (['true', 'True', 'TRUE', 't', 'T', '1'].includes(text)) return true;
  if (['false', 'False', 'FALSE', 'f', 'F', '0'].includes(text)) return false;
  throw fail('conversion', 'the text is no bool');
}

function readUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw fail('conversion', 'the bytes are no UTF-8 text');
  }
}

/** The name of the type that a value has at run time. */
export function typeNameOf(value: Value): string {
  if (value === null) return 'null_type';
  if (value === OMIT) return 'kro.omit';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (isInt(value)) return 'int';
  if (isDouble(value) || value instanceof Double) return 'double';
  if (value instanceof Uint) return 'uint';
  if (isList(value)) return 'list';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof Optional) return 'optional_type';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof Opaque) return value.kind.type.name;
  return 'map';
}
