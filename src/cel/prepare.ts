import type { Span } from './error.ts';
import { notInHabit, reservedHabits, spreadHabit } from './habits.ts';
import { type CelIssue, limitError, syntaxError } from './issue.ts';

/** Parentheses, brackets, conditionals and calls may nest this deep (as in cel-go). */
export const MAX_NESTING = 250;

/**
 * The expression as the parser package can read it: same length, same offsets. What the package does not know is blanked or replaced by a
 * placeholder of equal length and remembered here.
 */
export interface Prepared {
  readonly text: string;
  /** String and bytes literals by their start; the text holds plain quotes there. */
  readonly strings: ReadonlyMap<number, Span> | undefined;
  /** `.5`: the start of the digits. */
  readonly fractions: ReadonlySet<number> | undefined;
  /** Names by the start of their placeholder: back-quoted fields and names that the package reserves. */
  readonly names: ReadonlyMap<number, string> | undefined;
  /** The name of a call by the offset of its closing parenthesis. */
  readonly calls: ReadonlyMap<number, { readonly name: string; readonly span: Span }> | undefined;
  /** Starts of names written with a leading dot. */
  readonly absolute: ReadonlySet<number> | undefined;
  /** Offsets of the `?` of optional entries, in order. */
  readonly optionals: readonly number[];
  /** The first message `Type{field: value}`, of which there are none: the text holds a map there, so that its syntax is judged. */
  readonly message: CelIssue | undefined;
  /** For a token after opening parentheses: where those close. */
  readonly parentheses: ReadonlyMap<number, readonly number[]> | undefined;
}

const RESERVED = new Set('as break const continue else for function if import let loop package namespace return var void while'.split(' '));
const KEYWORDS = new Set(['true', 'false', 'null', 'in']);
const TOKEN =
  /[ \t\r\n\f]+|\/\/[^\n]*|(?:[bB][rR]?|[rR])?(?:'''|"""|'|")|`[^`\n\r]*`?|[A-Za-z_][A-Za-z0-9_]*|0[xX][0-9a-fA-F]+[uU]?|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?[uU]?|&&|\|\||[=!<>]=|[\s\S]/y;

/** Makes the text ready for the parser package; throws an `IssueError` for what is wrong already here. */
export function prepare(source: string): Prepared {
  return new Preparation(source).run();
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** An open bracket (or the whole expression), and the conditionals directly in it. */
interface Level {
  readonly token: Token | undefined;
  /** A list or map, not an index. */
  readonly literal: boolean;
  /** The fields of a message. */
  readonly message: boolean;
  readonly call: Token | undefined;
  /** How many `?` wait for their `:`. */
  conditions: number;
  /** How many `:` the text is behind: each is one level of nesting. */
  elses: number;
}

class Preparation {
  readonly #source: string;
  readonly #pieces: string[] = [];
  #copied = 0;
  // Made when there is something to remember: seven empty tables were a fifth of what parsing allocates.
  #strings: Map<number, Span> | undefined;
  #fractions: Set<number> | undefined;
  #names: Map<number, string> | undefined;
  #calls: Map<number, { name: string; span: Span }> | undefined;
  #absolute: Set<number> | undefined;
  #parentheses: Map<number, number[]> | undefined;
  #message: CelIssue | undefined;
  readonly #optionals: number[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  run(): Prepared {
    const tokens = this.#tokenize();
    const outermost = { token: undefined, literal: false, message: false, call: undefined, conditions: 0, elses: 0 };
    const opened: Level[] = [outermost];
    let closes: Map<number, number> | undefined;
    let nesting = 0;
    const deepen = (token: Token): void => {
      nesting++;
      if (nesting < MAX_NESTING) return;
      throw limitError(`the expression nests deeper than ${MAX_NESTING - 1} levels`, token, 'compute parts of it in a def node');
    };
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index] as Token;
      const before = tokens[index - 1];
      const after = tokens[index + 1];
      switch (token.text) {
        case '(':
        case '[':
        case '{': {
          const called = token.text === '(' && before !== undefined && isName(before.text) ? before : undefined;
          const message = token.text === '{' && before !== undefined && isName(before.text);
          if (message) this.#readMessage(tokens, index);
          opened.push({ token, literal: !(token.text === '[' && endsOperand(before)), message, call: called, conditions: 0, elses: 0 });
          deepen(token);
          break;
        }
        case ')':
        case ']':
        case '}': {
          const open = opened.pop();
          if (open?.token === undefined || !matches(open.token.text, token.text)) throw syntaxError(`unexpected "${token.text}"`, token);
          nesting -= 1 + open.elses;
          if (open.call !== undefined) {
            this.#calls ??= new Map();
            this.#calls.set(token.start, { name: open.call.text, span: open.call });
          } else if (token.text === ')') {
            closes ??= new Map();
            closes.set(open.token.start, token.start);
          }
          if (before?.text === ',' && token.text === ')') throw syntaxError('unexpected "," before ")"', before);
          break;
        }
        case '.':
          this.#readDot(tokens, index);
          break;
        case ',': {
          const level = opened.at(-1) ?? outermost;
          nesting -= level.elses;
          level.elses = 0;
          level.conditions = 0;
          if (level.message) expectField(tokens, index + 1);
          // `[,]` and `{,}` are an empty list and map.
          if (before !== undefined && after !== undefined && '[{'.includes(before.text) && ']}'.includes(after.text))
            this.#replace(token, ' ');
          break;
        }
        case ':': {
          const level = opened.at(-1) ?? outermost;
          if (level.conditions === 0) break;
          level.conditions--;
          level.elses++;
          deepen(token);
          break;
        }
        case '?': {
          const level = opened.at(-1) ?? outermost;
          if (before !== undefined && level.literal && opensEntry(before, level.token)) {
            if (after === undefined || /^[\]},?:]$/.test(after.text)) throw syntaxError('expected an expression after "?"', token);
            this.#optionals.push(token.start);
            this.#replace(token, ' ');
          } else if (endsOperand(before)) {
            if (level.conditions > 0) throw syntaxError('a conditional inside "? :" needs parentheses', token);
            level.conditions++;
          }
          break;
        }
        case '!':
        case '-':
          index = this.#readSigns(tokens, index);
          break;
        default:
          this.#readOther(token, before, after);
      }
    }
    const open = opened.at(-1);
    if (open?.token !== undefined) throw syntaxError(`"${open.token.text}" is not closed`, open.token);
    if (closes !== undefined) this.#noteParentheses(tokens, closes);
    this.#pieces.push(this.#source.slice(this.#copied));
    return {
      text: this.#pieces.join('').replaceAll('\f', ' '),
      strings: this.#strings,
      fractions: this.#fractions,
      names: this.#names,
      calls: this.#calls,
      absolute: this.#absolute,
      optionals: this.#optionals,
      message: this.#message,
      parentheses: this.#parentheses,
    };
  }

  /** All tokens but white space and comments, which are blanked. */
  #tokenize(): Token[] {
    const tokens: Token[] = [];
    let at = 0;
    const source = this.#source;
    while (at < source.length) {
      const start = at;
      TOKEN.lastIndex = start;
      // `test` makes no list of matches, which `exec` does for every token.
      at = TOKEN.test(source) ? TOKEN.lastIndex : start + 1;
      if (isBlank(source, start)) continue;
      const last = source.charCodeAt(at - 1);
      const text = source.slice(start, at);
      if (last === QUOTE || last === DOUBLE_QUOTE) {
        at = this.#endOfString(start, text);
        tokens.push({ text: "'", start, end: at });
      } else tokens.push({ text, start, end: at });
    }
    return tokens;
  }

  #endOfString(start: number, opening: string): number {
    const quote = opening.replace(/^[bBrR]*/, '');
    const raw = /^[bB]?[rR]/.test(opening);
    const source = this.#source;
    let at = start + opening.length;
    for (; at < source.length; at++) {
      const unit = source[at];
      if (unit === '\\' && !raw) at++;
      else if (quote.length === 1 && (unit === '\n' || unit === '\r')) {
        throw syntaxError(
          'a string ends at the end of its line',
          { start, end: at },
          "close it, write \\n for a line break, or use '''three quotes'''",
        );
      } else if (source.startsWith(quote, at)) {
        this.#strings ??= new Map();
        this.#strings.set(start, { start, end: at + quote.length });
        return at + quote.length;
      }
    }
    throw syntaxError('the string is not closed', { start, end: source.length });
  }

  #replace(token: Span, text: string): void {
    // Signs are replaced when their run ends, so replacements come in order.
    this.#pieces.push(this.#source.slice(this.#copied, token.start), text);
    this.#copied = token.end;
  }

  #readDot(tokens: readonly Token[], index: number): void {
    const token = tokens[index] as Token;
    const before = tokens[index - 1];
    const after = tokens[index + 1];
    if (after === undefined || endsOperand(before)) return;
    if (before?.text === '.' || this.#isOptionalDot(before)) {
      throw syntaxError('unexpected "."', token, after.text === '.' ? spreadHabit : undefined);
    }
    if (/^[0-9]/.test(after.text) && after.start === token.end && !/[.uUxX]/.test(after.text)) {
      this.#fractions ??= new Set();
      this.#fractions.add(after.start);
      this.#replace(token, ' ');
    } else if (isName(after.text)) {
      this.#absolute ??= new Set();
      this.#absolute.add(after.start);
      this.#replace(token, ' ');
    }
  }

  /** Signs cancel in pairs, as in cel-go, so that a long run costs no depth. Gives the index of the last sign. */
  #readSigns(tokens: readonly Token[], index: number): number {
    const first = tokens[index] as Token;
    const follows = endsOperand(tokens[index - 1]);
    if (follows && first.text === '!') {
      throw syntaxError('unexpected "!"', first, tokens[index + 1]?.text === 'in' ? notInHabit : undefined);
    }
    const binary = follows && first.text === '-';
    let last = index;
    while (tokens[last + 1]?.text === first.text) last++;
    const next = tokens[last + 1];
    const count = last - index + (binary ? 0 : 1);
    const signsNumber = first.text === '!' && next?.text === '-' && isSignedNumber(tokens[last + 2], tokens[last + 3]);
    if (next !== undefined && (next.text === '!' || next.text === '-') && count > 0 && !signsNumber) {
      throw syntaxError(`"${next.text}" cannot follow "${first.text}"`, next, 'put parentheses around it');
    }
    const kept = (binary ? 1 : 0) + (count % 2);
    for (let at = index + kept; at <= last; at++) this.#replace(tokens[at] as Token, ' ');
    return last;
  }

  #readOther(token: Token, before: Token | undefined, after: Token | undefined): void {
    if (token.text === "'") {
      // Two strings without a space between them would be read as one, of three quotes.
      if (before?.text === "'" && before.end === token.start) throw syntaxError('unexpected string', token, 'join strings with +');
      this.#replace(token, `'${'x'.repeat(token.end - token.start - 2)}'`);
    } else if (token.text.startsWith('0X')) {
      throw syntaxError('a hexadecimal number begins with "0x"', token);
    } else if (token.text.startsWith('`')) {
      if (before?.text !== '.' && before?.text !== '?')
        throw syntaxError('a back-quoted name can only follow "."', token, 'a string stands in \' or "');
      if (token.text.length < 2 || !token.text.endsWith('`')) throw syntaxError('the back-quoted name is not closed', token);
      if (!/^`[A-Za-z0-9_.\-/ ]+`$/.test(token.text)) throw syntaxError('a back-quoted name holds letters, digits and "_.-/ " only', token);
      if (after?.text === '(') throw syntaxError('a function name cannot be back-quoted', token);
      // What follows at once would become a part of the placeholder.
      if (after?.start === token.end && /^\w/.test(after.text)) throw syntaxError(`unexpected "${after.text}"`, after);
      this.#names ??= new Map();
      this.#names.set(token.start, token.text.slice(1, -1));
      this.#replace(token, '_'.repeat(token.end - token.start));
    } else if (isName(token.text)) {
      const isField = before?.text === '.' || this.#isOptionalDot(before);
      if (!isField && RESERVED.has(token.text)) {
        throw syntaxError(
          `"${token.text}" is a reserved word`,
          token,
          reservedHabits.get(token.text) ?? `it can be a field: x.${token.text}`,
        );
      }
      // The package expands its own macros and reserves more names: no call and none of those keeps its name.
      if (after?.text === '(' || token.text === '__proto__' || token.text === 'prototype') {
        if (after?.text !== '(') {
          this.#names ??= new Map();
          this.#names.set(token.start, token.text);
        }
        this.#replace(token, '_'.repeat(token.end - token.start));
      }
    }
  }

  /** Whether a token is the `?` of `.?`. */
  #isOptionalDot(token: Token | undefined): boolean {
    return token?.text === '?' && this.#source[token.start - 1] === '.';
  }

  #readMessage(tokens: readonly Token[], brace: number): void {
    let first = brace - 1;
    while (tokens[first - 1]?.text === '.' && isName(tokens[first - 2]?.text ?? '')) first -= 2;
    const span = { start: (tokens[first] as Token).start, end: (tokens[brace - 1] as Token).end };
    this.#message ??= {
      kind: 'undeclared',
      message: `no message type "${this.#source.slice(span.start, span.end)}"`,
      hint: 'build an object as a map: {"field": value}',
      span,
    };
    const blank = { start: Math.max(span.start, this.#copied), end: span.end };
    this.#replace(blank, ' '.repeat(blank.end - blank.start));
    expectField(tokens, brace + 1);
  }

  #noteParentheses(tokens: readonly Token[], closes: ReadonlyMap<number, number>): void {
    const parentheses = new Map<number, number[]>();
    let run: number[] = [];
    for (const token of tokens) {
      const close = token.text === '(' ? closes.get(token.start) : undefined;
      if (close !== undefined) run.push(close);
      else if (run.length > 0) {
        parentheses.set(token.start, run);
        run = [];
      }
    }
    this.#parentheses = parentheses;
  }
}

/** Whether a name cannot be an identifier: as a field it may have another meaning than its letters. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(name) || KEYWORDS.has(name);
}

const ENDS = "'`)]}";
const QUOTE = 0x27;
const DOUBLE_QUOTE = 0x22;
const SLASH = 0x2f;

/** Whether white space or a comment begins here. */
function isBlank(source: string, at: number): boolean {
  const code = source.charCodeAt(at);
  if (code === SLASH) return source.charCodeAt(at + 1) === SLASH;
  return code <= 0x20 ? code === 0x20 || (code >= 0x09 && code <= 0x0d) : code >= 0x80 && /\s/.test(source.charAt(at));
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

function isName(text: string): boolean {
  return isLetter(text.charCodeAt(0)) && !KEYWORDS.has(text);
}

function endsOperand(token: Token | undefined): boolean {
  if (token === undefined || token.text === 'in') return false;
  const first = token.text.charCodeAt(0);
  return isLetter(first) || (first >= 0x30 && first <= 0x39) || ENDS.includes(token.text.charAt(0));
}

/** Whether a minus belongs to the number that follows it: `!-1` is "not minus one", which has a type error and no other. */
function isSignedNumber(first: Token | undefined, second: Token | undefined): boolean {
  const digits = first?.text === '.' ? second : first;
  return digits !== undefined && /^(?!.*[uU]$)[0-9]/.test(digits.text);
}

function opensEntry(before: Token, open: Token | undefined): boolean {
  return open !== undefined && open.text !== '(' && (before.text === ',' || before.start === open.start);
}

/** A message has names for fields, where a map has expressions for keys. */
function expectField(tokens: readonly Token[], at: number): void {
  const name = tokens[at]?.text === '?' ? tokens[at + 1] : tokens[at];
  if (name === undefined || name.text === '}' || name.text === ',') return;
  if (!isName(name.text)) throw syntaxError('expected the name of a field', name);
  const colon = tokens[tokens.indexOf(name, at) + 1];
  if (colon !== undefined && colon.text !== ':') throw syntaxError('expected ":" after the name of a field', colon);
}

function matches(open: string, close: string): boolean {
  return open === '(' ? close === ')' : open === '[' ? close === ']' : close === '}';
}
