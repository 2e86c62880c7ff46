import { MatcherInputBase, RE2JS, RE2JSException } from 're2js';
import type { Budget } from '../budget.ts';
import { withoutGoSyntax } from './go-syntax.ts';

/** More instructions than any honest pattern has; compiling them takes about 0.1 s. */
const MAX_INSTRUCTIONS = 20_000;

/** Compiling costs about as much as twenty steps an instruction. */
const COMPILE_COST = 20;

/** A class of Unicode takes as long to compile as so many instructions: it may have hundreds of ranges. */
const UNICODE_CLASS = 40;

/** Starting the search for one more match takes about a microsecond. */
const MATCH_COST = 10;

/** A regular expression of RE2's syntax, compiled. Matching takes time linear in the text; all of it is charged to the budget. */
export class Pattern {
  readonly #compiled: RE2JS;
  /** Steps a character: the more instructions, the more states are followed at once. */
  readonly #rate: number;

  private constructor(compiled: RE2JS) {
    this.#compiled = compiled;
    this.#rate = Math.max(1 / 4, compiled.programSize() / 16);
  }

  /** The pattern, or what is wrong with it. Charged to the budget if one is given. */
  static compile(source: string, budget?: Budget): Pattern | string {
    const instructions = estimateInstructions(source);
    budget?.spend(instructions * COMPILE_COST);
    if (instructions > MAX_INSTRUCTIONS) return 'it is too large';
    const compiled = tryCompile(source);
    if (typeof compiled !== 'string') return new Pattern(compiled);
    const respelt = tryCompile(withoutGoSyntax(source));
    return typeof respelt === 'string' ? compiled : new Pattern(respelt);
  }

  /** Whether the text has a match anywhere. */
  matches(text: string, budget: Budget): boolean {
    budget.spend(Math.ceil(text.length * this.#rate));
    return this.#compiled.test(text);
  }

  /** The first match; undefined if there is none. */
  find(text: string, budget: Budget): string | undefined {
    budget.spend(Math.ceil(text.length * this.#rate));
    const matcher = this.#compiled.matcher(text);
    return matcher.find() ? (matcher.group() ?? undefined) : undefined;
  }

  /** The first so many matches, as Go finds them: an empty match right after another match does not count. */
  findAll(text: string, limit: number, budget: Budget): string[] {
    const found: string[] = [];
    // Every match may read the whole rest of the text, so reading is charged as it happens.
    const matcher = this.#compiled.matcher(new MeteredInput(text, this.#rate, budget));
    let end = -1;
    while (found.length < limit && matcher.find()) {
      budget.spend(MATCH_COST);
      if (matcher.start() !== end || matcher.end() !== end) found.push(text.slice(matcher.start(), matcher.end()));
      end = matcher.end();
    }
    return found;
  }
}

function tryCompile(source: string): RE2JS | string {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException) return describe(error);
    throw error;
  }
}

/** The library's reason without the pattern, which may come from the cluster. */
function describe(error: RE2JSException): string {
  const reason = 'error' in error ? String(error.error) : 'it cannot be compiled';
  return reason.replace(/[:\s]*`.*$/s, '');
}

/** About how many instructions a pattern compiles to: repetitions multiply what they repeat. */
function estimateInstructions(source: string): number {
  const outer: number[] = [];
  let sum = 0;
  let atom = 0;
  for (let at = 0; at < source.length; at++) {
    switch (source[at]) {
      case '\\':
        at++;
        atom = isUnicodeClass(source[at]) ? UNICODE_CLASS : 1;
        break;
      case '[': {
        const start = at;
        at = endOfClass(source, at);
        atom = Math.max(1, UNICODE_CLASS * unicodeClassesIn(source.slice(start, at)));
        break;
      }
      case '(':
        outer.push(sum);
        sum = 0;
        continue;
      case ')':
        atom = sum + 2;
        sum = outer.pop() ?? 0;
        break;
      case '{': {
        const times = /^\{(\d{1,4})(?:,(\d{0,4}))?\}/.exec(source.slice(at, at + 11));
        if (times !== null) {
          const [all, least = '', most = ''] = times;
          sum += atom * Math.max(Number(least), Number(most), 1);
          at += all.length - 1;
          continue;
        }
        atom = 1;
        break;
      }
      default:
        atom = 1;
    }
    sum += atom;
  }
  return outer.reduce((total, part) => total + part, sum);
}

function isUnicodeClass(letter: string | undefined): boolean {
  return letter === 'p' || letter === 'P';
}

/** How many escapes within brackets stand for a class of Unicode. */
function unicodeClassesIn(text: string): number {
  return text.match(/\\./gs)?.filter(([, letter]) => isUnicodeClass(letter)).length ?? 0;
}

function endOfClass(source: string, start: number): number {
  let at = start + 1;
  if (source[at] === '^') at++;
  if (source[at] === ']') at++;
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
  return at;
}

/** A text for re2js whose every read is charged. */
class MeteredInput extends MatcherInputBase {
  readonly #text: MeteredText;
  constructor(text: string, rate: number, budget: Budget) {
    super();
    this.#text = new MeteredText(text, rate, budget);
  }
  // The declared type is string; re2js asks no more of it than MeteredText has.
  override asCharSequence(): string {
    return this.#text as unknown as string;
  }
  override length(): number {
    return this.#text.length;
  }
  override isUTF8Encoding(): boolean {
    return false;
  }
  override isUTF16Encoding(): boolean {
    return true;
  }
}

class MeteredText {
  readonly [Symbol.toStringTag] = 'String';
  readonly length: number;
  readonly #text: string;
  readonly #rate: number;
  readonly #budget: Budget;

  constructor(text: string, rate: number, budget: Budget) {
    this.length = text.length;
    this.#text = text;
    this.#rate = rate;
    this.#budget = budget;
  }

  charCodeAt(index: number): number {
    this.#budget.spend(this.#rate);
    return this.#text.charCodeAt(index);
  }

  indexOf(part: string, start: number): number {
    const found = this.#text.indexOf(part, start);
    this.#budget.spend(((found < 0 ? this.length : found) - start) / 32);
    return found;
  }

  substring(start: number, end: number): string {
    return this.#text.substring(start, end);
  }

  toString(): string {
    return this.#text;
  }
}
