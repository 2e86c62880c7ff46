import type { Span } from '../diagnostic/diagnostic.ts';

/** One `${...}` in a string. */
export interface ScannedExpression {
  /** The text between `${` and `}`. */
  readonly text: string;
  /** Where the text begins in the string. */
  readonly offset: number;
}

/** Why a string has no meaning: where its expression begins, as far as it goes, and what is wrong there. */
export interface ScanFault {
  readonly fault: 'unterminated' | 'unterminated-literal' | 'nested';
  readonly text: string;
  readonly span: Span;
}

/** What a string of the Graph is (graph.md 2.3). */
export type Scanned =
  | { readonly kind: 'literal' }
  | { readonly kind: 'standalone'; readonly expression: ScannedExpression }
  | { readonly kind: 'text'; readonly parts: readonly (string | ScannedExpression)[] }
  | { readonly kind: 'broken'; readonly fault: ScanFault };

const LITERAL: Scanned = { kind: 'literal' };
const OPENING = '${';

/**
 * Finds the expressions of a string. An expression ends at the brace that matches its own, found by the tokens of CEL: string literals of
 * every form, comments and nested braces are passed over whole (graph.md 2.1).
 */
export function scan(value: string): Scanned {
  let start = value.indexOf(OPENING);
  if (start === -1) return LITERAL;
  if (start === 0) {
    const end = findEnd(value, OPENING.length);
    // Most strings with an expression are one, and need no list of parts.
    if (end === value.length - 1) {
      return { kind: 'standalone', expression: { text: value.slice(OPENING.length, end), offset: OPENING.length } };
    }
  }
  const parts: (string | ScannedExpression)[] = [];
  let textStart = 0;
  while (start !== -1) {
    const offset = start + OPENING.length;
    const end = findEnd(value, offset);
    if (typeof end !== 'number') return { kind: 'broken', fault: end };
    if (start > textStart) parts.push(value.slice(textStart, start));
    parts.push({ text: value.slice(offset, end), offset });
    textStart = end + 1;
    start = value.indexOf(OPENING, textStart);
  }
  if (textStart < value.length) parts.push(value.slice(textStart));
  return { kind: 'text', parts };
}

function findEnd(value: string, offset: number): number | ScanFault {
  let depth = 0;
  let at = offset;
  while (at < value.length) {
    const character = value[at];
    if (character === '}') {
      if (depth === 0) return at;
      depth--;
      at++;
    } else if (character === '{') {
      depth++;
      at++;
    } else if (character === '"' || character === "'") {
      const end = endOfLiteral(value, at, isRaw(value, offset, at));
      if (end === undefined) return fault('unterminated-literal', value, offset, at, at + 1);
      at = end;
    } else if (character === '`') {
      const end = value.indexOf('`', at + 1);
      if (end === -1) return fault('unterminated-literal', value, offset, at, at + 1);
      at = end + 1;
    } else if (character === '/' && value[at + 1] === '/') {
      const end = value.indexOf('\n', at);
      at = end === -1 ? value.length : end;
    } else if (character === '$' && value[at + 1] === '{') {
      return fault('nested', value, offset, at, at + OPENING.length);
    } else {
      at++;
    }
  }
  return fault('unterminated', value, offset, offset, value.length);
}

/** Whether the quote at `at` has a raw prefix: an `r`, or a `br`, that is not the end of a longer word. */
function isRaw(value: string, offset: number, at: number): boolean {
  let start = at;
  while (start > offset && isWord(value[start - 1])) start--;
  const prefix = value.slice(start, at).toLowerCase();
  return prefix === 'r' || prefix === 'br';
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9_]/.test(character);
}

/** The position after the literal that begins with the quote at `at`; undefined if it has no end. */
function endOfLiteral(value: string, at: number, isRawLiteral: boolean): number | undefined {
  const quote = value.charAt(at);
  const isTriple = value.startsWith(quote.repeat(3), at);
  const closing = isTriple ? quote.repeat(3) : quote;
  for (let position = at + closing.length; position < value.length; position++) {
    const character = value[position];
    if (character === '\\' && !isRawLiteral) position++;
    else if (!isTriple && (character === '\n' || character === '\r')) return undefined;
    else if (value.startsWith(closing, position)) return position + closing.length;
  }
  return undefined;
}

function fault(kind: ScanFault['fault'], value: string, offset: number, start: number, end: number): ScanFault {
  return { fault: kind, text: value.slice(offset), span: { start: start - offset, end: Math.max(start + 1, end) - offset } };
}
