import type { Span } from './error.ts';
import { MAX_INT64, MAX_UINT64, toInteger } from './int64.ts';
import { syntaxError } from './issue.ts';
import { type Stretch, spanOf } from './stretch.ts';
import { bytesType, doubleType, intType, stringType, type Type, uintType } from './type.ts';
import { boxDouble, Uint, type Value } from './value.ts';

/** A literal's value and type. */
export interface Literal {
  readonly value: Value;
  readonly type: Type;
}

/** Reads a number literal: decimal or hexadecimal, `u` suffix, fraction, exponent. `negative`: a minus sign is part of it. */
export function readNumber(text: string, negative: boolean, place: Stretch): Literal {
  if (/^(0[xX][0-9a-fA-F]+|[0-9]+)[uU]$/.test(text)) {
    const amount = BigInt(text.slice(0, -1));
    if (amount > MAX_UINT64) throw syntaxError('the number is out of the range of uint (64 bits)', spanOf(place));
    return { value: new Uint(toInteger(amount)), type: uintType };
  }
  if (/^(0[xX][0-9a-fA-F]+|[0-9]+)$/.test(text)) {
    const amount = negative ? -BigInt(text) : BigInt(text);
    if (amount > MAX_INT64 || amount < -MAX_INT64 - 1n) throw syntaxError('the number is out of the range of int (64 bits)', spanOf(place));
    return { value: toInteger(amount), type: intType };
  }
  const amount = Number(text);
  if (!Number.isFinite(amount)) throw syntaxError('the number is out of the range of double', spanOf(place));
  return { value: boxDouble(negative ? -amount : amount), type: doubleType };
}

/** Reads a string or bytes literal of any form: quotes, triple quotes, raw, escapes. `start` is where it stands in the expression. */
export function readText(text: string, start: number): Literal {
  const prefix = text.startsWith('"') || text.startsWith("'") ? '' : (/^[bBrR]*/.exec(text)?.[0].toLowerCase() ?? '');
  const quoted = text.slice(prefix.length);
  const width = /^('''|""")/.test(quoted) && quoted.length >= 6 ? 3 : 1;
  let content = quoted.slice(width, -width);
  const at = start + prefix.length + width;
  if (width === 3) content = content.replace(/\r\n?/g, '\n');
  const raw = prefix.includes('r');
  if (prefix.includes('b')) return { value: raw ? new TextEncoder().encode(content) : readBytes(content, at), type: bytesType };
  return { value: raw ? content : readString(content, at), type: stringType };
}

const SIMPLE_ESCAPES = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['?', '?'],
]);

function readString(content: string, at: number): string {
  if (!content.includes('\\')) return content;
  let result = '';
  forEachPiece(content, at, (piece) => {
    result += typeof piece === 'string' ? piece : String.fromCodePoint(piece.code);
  });
  return result;
}

function readBytes(content: string, at: number): Uint8Array {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  forEachPiece(content, at, (piece) => {
    if (typeof piece === 'string') bytes.push(...encoder.encode(piece));
    else if (piece.unicode) throw syntaxError('a bytes literal has no \\u escapes', piece.span, 'write the bytes as \\x escapes');
    else bytes.push(piece.code);
  });
  return Uint8Array.from(bytes);
}

interface Escape {
  readonly code: number;
  readonly unicode: boolean;
  readonly span: Span;
}

/** Calls `take` for each run of plain text and each escape. */
function forEachPiece(content: string, at: number, take: (piece: string | Escape) => void): void {
  const pattern = /[^\\]+|\\(?:[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|[\s\S]?)/g;
  for (const match of content.matchAll(pattern)) {
    const piece = match[0];
    if (!piece.startsWith('\\')) {
      take(piece);
      continue;
    }
    const span = { start: at + match.index, end: at + match.index + piece.length };
    const simple = SIMPLE_ESCAPES.get(piece.slice(1));
    if (simple !== undefined) take(simple);
    else take(readEscape(piece, span));
  }
}

function readEscape(piece: string, span: Span): Escape {
  if (piece.length === 4 && /^\\[0-3]/.test(piece)) return { code: Number.parseInt(piece.slice(1), 8), unicode: false, span };
  if (piece.length === 4) return { code: Number.parseInt(piece.slice(2), 16), unicode: false, span };
  const code = piece.length > 4 ? Number.parseInt(piece.slice(2), 16) : Number.NaN;
  if (Number.isNaN(code))
    throw syntaxError('no such escape sequence', span, "write a backslash as \\\\, or the whole text as a raw string r'…'");
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw syntaxError('the escape is no Unicode character', span);
  return { code, unicode: true, span };
}
