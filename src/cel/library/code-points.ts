const SURROGATE = /[\ud800-\udfff]/;

/** Whether every UTF-16 unit of a text is one code point, so that JavaScript's indexes are CEL's. */
export function isBasic(text: string): boolean {
  return !SURROGATE.test(text);
}

/** The number of code points of a text, or of the part of it before a UTF-16 offset. */
export function countCodePoints(text: string, end: number = text.length): number {
  if (isBasic(text)) return end;
  let count = 0;
  for (let at = 0; at < end; count++) at += unitsAt(text, at);
  return count;
}

/** The UTF-16 offset of the code point with this index; undefined if the text has fewer (its length is the index of its end). */
export function offsetOfCodePoint(text: string, index: number): number | undefined {
  if (index < 0) return undefined;
  if (isBasic(text)) return index <= text.length ? index : undefined;
  let offset = 0;
  for (let count = 0; count < index; count++) {
    if (offset >= text.length) return undefined;
    offset += unitsAt(text, offset);
  }
  return offset;
}

/** How many UTF-16 units the code point at an offset takes. */
export function unitsAt(text: string, offset: number): number {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}
