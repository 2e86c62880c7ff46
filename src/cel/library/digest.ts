import { createHash } from 'node:crypto';
import type { Budget } from '../budget.ts';
import { fail } from '../error.ts';
import type { Integer } from '../int64.ts';
import { define, type Library, overload } from './declare.ts';

/** Digests of text, and values that look random but follow from a seed: kro's hash and random. */
export const digest: Library = {
  name: 'digest',
  doc: 'Digests of strings, and pseudo-random values from a seed.',
  functions: [
    define('hash.fnv64a', {
      doc: 'The 64-bit FNV-1a digest of a string, 8 bytes, for names and change detection. It is not cryptographic.',
      examples: [["base64.encode(hash.fnv64a('hello'))", "'pDDYRoCqvQs='"]],
      overloads: [overload('hash.fnv64a(string) -> bytes', fnv64a, { cost: (text: string) => 1 + text.length / 2 })],
    }),
    define('hash.sha256', {
      doc: 'The SHA-256 digest of a string, 32 bytes.',
      examples: [["size(hash.sha256('hello'))", '32']],
      overloads: [overload('hash.sha256(string) -> bytes', (text: string) => hash('sha256', text))],
    }),
    define('hash.md5', {
      doc: 'The MD5 digest of a string, 16 bytes.',
      examples: [["'%x'.format([hash.md5('abc')])", "'900150983cd24fb0d6963f7d28e17f72'"]],
      overloads: [overload('hash.md5(string) -> bytes', (text: string) => hash('md5', text))],
    }),
    define('random.seededString', {
      doc: 'A string of letters and digits with a given length. The same seed gives the same string.',
      examples: [["random.seededString(5, 'seed')", "'qakd4'"]],
      overloads: [overload('random.seededString(int, string) -> string', seededString, { size: () => 0 })],
    }),
    define('random.seededInt', {
      doc: 'An int from a minimum up to a maximum (exclusive). The same seed gives the same int.',
      examples: [["random.seededInt(0, 10, 'seed')", '2']],
      overloads: [overload('random.seededInt(int, int, string) -> int', seededInt)],
    }),
  ],
};

function hash(algorithm: 'sha256' | 'md5', text: string): Uint8Array {
  return Uint8Array.from(createHash(algorithm).update(text, 'utf8').digest());
}

const FNV_PRIME_LOW = 0x1b3;

/** In two 32-bit halves: the prime is 2^40 + 0x1b3. */
function fnv64a(text: string): Uint8Array {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of new TextEncoder().encode(text)) {
    low = (low ^ byte) >>> 0;
    const product = low * FNV_PRIME_LOW;
    const carry = Math.floor(product / 0x1_0000_0000);
    high = (Math.imul(high, FNV_PRIME_LOW) + carry + low * 0x100) >>> 0;
    low = product >>> 0;
  }
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, high);
  view.setUint32(4, low);
  return bytes;
}

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

/** As kro makes it: each four bytes of the seed's SHA-256 choose a character, from the beginning again after eight. */
function seededString(length: Integer, seed: string, budget: Budget): string {
  if (length <= 0) throw fail('argument', 'the length must be positive');
  budget.grow(Number(length));
  const view = viewOf(seed);
  const period = Array.from({ length: 8 }, (_, at) => ALPHABET.charAt(view.getUint32(at * 4) % ALPHABET.length)).join('');
  return period.repeat(Math.ceil(Number(length) / 8)).slice(0, Number(length));
}

function seededInt(least: Integer, end: Integer, seed: string): Integer | bigint {
  if (least >= end) throw fail('argument', 'the least value must be below the end');
  return BigInt(least) + (viewOf(seed).getBigUint64(0) % (BigInt(end) - BigInt(least)));
}

function viewOf(seed: string): DataView {
  return new DataView(hash('sha256', seed).buffer);
}
