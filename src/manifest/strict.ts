import { endOfObject } from './split-json.ts';

/** Why kubectl does not read a text at all, and where. */
interface TextFault {
  readonly message: string;
  readonly offset: number;
}

/** What a YAML document may not hold, not even in a comment. */
const FORBIDDEN = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const JSON_OBJECT = /[^\S\n]*\{\s*"/y;
const PLACE = /^(.*?)(?: in JSON at position (\d+)|,? (?:"|\.\.\.)|$)/s;

/** kubectl takes what begins with `{"` for JSON, where no comma stands at the end, and no text without quotes. */
export function faultOfJson(text: string, start: number): TextFault | undefined {
  JSON_OBJECT.lastIndex = start;
  if (!JSON_OBJECT.test(text)) return undefined;
  const begin = text.indexOf('{', start);
  const end = endOfObject(text, begin);
  if (end === undefined) return undefined;
  try {
    JSON.parse(text.slice(begin, end));
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const [, what = '', position = '0'] = PLACE.exec(error.message) ?? [];
    return {
      message: `what begins with {" is read as JSON, and this is none: ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
      offset: begin + Number(position),
    };
  }
}

/** Control characters in YAML. In JSON the parser of JSON has judged them. */
export function faultOfCharacters(text: string, start: number): TextFault | undefined {
  JSON_OBJECT.lastIndex = 0;
  if (JSON_OBJECT.test(text)) return undefined;
  const at = text.search(FORBIDDEN);
  if (at === -1) return undefined;
  const code = text.codePointAt(at) ?? 0;
  return { message: `the control character U+${code.toString(16).toUpperCase().padStart(4, '0')} is not allowed`, offset: start + at };
}
