import { fromBytes } from './bytes.ts';

/** Characters that have an escape of one letter, in CEL as in Go. */
export const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

/** UTF-8 of one character beyond ASCII, or one byte. */
const CHARACTER = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|./gs;

/** A text in double quotes as Go's strconv.Quote writes it. It is given as bytes, one character for each, since it may end within a character. */
export function goQuote(bytes: string): string {
  return `"${bytes.replace(CHARACTER, writeCharacter)}"`;
}

function writeCharacter(bytes: string): string {
  const short = SHORT_ESCAPES.get(bytes);
  if (short !== undefined) return short;
  if (bytes.length === 1 && !/[ -~]/.test(bytes)) return `\\x${hex(bytes.charCodeAt(0), 2)}`;
  const character = fromBytes(bytes);
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) return character;
  const point = character.codePointAt(0) ?? 0;
  return point < 0x1_00_00 ? `\\u${hex(point, 4)}` : `\\U${hex(point, 8)}`;
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}
