/** A part of a text. */
interface Part {
  readonly start: number;
  readonly end: number;
}

const BLANK = /^\s*$/;
const BETWEEN = /^\s*\{/;

/**
 * The objects of a text that holds several JSON objects one after the other, as `jq` writes them and kubectl reads them; the whole text, if
 * it is anything else.
 */
export function splitJson(text: string): readonly Part[] {
  const whole = [{ start: 0, end: text.length }];
  const parts: Part[] = [];
  let end = 0;
  while (end < text.length) {
    const gap = text.slice(end, end + LONGEST_GAP);
    if (BLANK.test(gap) && end + gap.length === text.length) break;
    const start = BETWEEN.test(gap) ? text.indexOf('{', end) : -1;
    const next = start === -1 ? undefined : endOfObject(text, start);
    if (next === undefined) return whole;
    parts.push({ start, end: next });
    end = next;
  }
  return parts.length > 1 ? parts : whole;
}

/** More white space than that is not looked at between two objects. */
const LONGEST_GAP = 4096;

/** The offset after the object that begins at `start`; undefined if it has no end. */
export function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const unit = text[at];
    if (unit === '"') {
      const close = endOfString(text, at);
      if (close === undefined) return undefined;
      at = close;
    } else if (unit === '{' || unit === '[') depth++;
    else if ((unit === '}' || unit === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return undefined;
}
