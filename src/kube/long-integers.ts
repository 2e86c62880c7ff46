import { randomUUID } from 'node:crypto';
import type { JsonValue } from '../api/object.ts';

/** Where a token stands in a text; `end` exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The shortest integer that a double cannot hold has so many characters. */
const SHORTEST = 16;

/** The integers of a JSON text that a double cannot hold (graph.md 7). What is no JSON is found when it is parsed. */
export function findLongIntegers(text: string): Stretch[] {
  const found: Stretch[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, at);
      if (isLongInteger(text.slice(at, end))) found.push({ start: at, end });
      at = end - 1;
    }
  }
  return found;
}

/** Whether a number's token is an integer that a double cannot hold. */
export function isLongInteger(token: string): boolean {
  return token.length >= SHORTEST && /^-?[1-9]\d*$/.test(token) && !Number.isSafeInteger(Number(token));
}

/** The position after the string that begins at `start`. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
}

/** The position after the number that begins at `start`. */
export function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isOfNumber(text.charCodeAt(end))) end++;
  return end;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Digits, `.`, `+`, `-`, `e` and `E`. */
function isOfNumber(code: number): boolean {
  return isDigit(code) || code === 0x2e || code === 0x2b || code === MINUS || code === 0x65 || code === 0x45;
}

/**
 * Parses JSON with a mark in place of each of these integers, then puts bigints where the marks are. The engine's own way, a reviver, costs stack
 * with every level, so that one object nested deep enough could not be read at all.
 */
export function parseWithIntegers(text: string, integers: readonly Stretch[]): JsonValue {
  const mark = `${randomUUID()}:`;
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of integers) {
    pieces.push(text.slice(from, start), `"${mark}${text.slice(start, end)}"`);
    from = end;
  }
  pieces.push(text.slice(from));
  const holder: Record<string, JsonValue> = { value: JSON.parse(pieces.join('')) as JsonValue };
  const open: object[] = [holder];
  for (let object = open.pop(); object !== undefined; object = open.pop()) {
    for (const [key, value] of Object.entries(object)) {
      if (typeof value === 'object' && value !== null) open.push(value);
      else if (typeof value === 'string' && value.startsWith(mark)) setInteger(object, key, BigInt(value.slice(mark.length)));
    }
  }
  return holder['value'] ?? null;
}

/** Whatever the key is called: `__proto__` too is a field. */
function setInteger(object: object, key: string, value: bigint): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}
