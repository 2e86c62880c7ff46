import type { JsonValue } from '../src/api/object.ts';
import { FieldPath } from '../src/diagnostic/path.ts';
import { endOfNumber, endOfString, isLongInteger, parseWithIntegers, type Stretch } from '../src/kube/long-integers.ts';

/** The depth at which the API server itself stops reading JSON. */
export const DEEPEST = 10_000;

/** Why a text is no JSON that this project takes; the message names the place. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/**
 * JSON text as a value: integers beyond 2^53 become bigints, so that int64 stays exact (graph.md 7).
 * Throws a JsonError for what is not JSON, for an object that holds a key twice, and for nesting deeper than the API server reads.
 */
export function parseExactJson(text: string): JsonValue {
  const value = parse(text);
  const integers = inspect(text);
  return integers.length === 0 ? value : parseWithIntegers(text, integers);
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new JsonError(`not JSON: ${error instanceof Error ? withoutExcerpt(error.message) : 'unreadable'}`);
  }
}

/** The engine's message without its quotation of the text, which may hold anything. */
function withoutExcerpt(message: string): string {
  const position = /at position \d+/.exec(message)?.[0];
  if (/end of JSON input|Unterminated/.test(message)) return `the text ends too early${position === undefined ? '' : ` (${position})`}`;
  return position === undefined ? 'unexpected text' : `unexpected text ${position}`;
}

interface Container {
  /** The keys seen so far; undefined in a list. */
  readonly keys: Set<string> | undefined;
  key: string;
  index: number;
}

/** Reads the tokens of valid JSON: finds the integers that a double cannot hold, and refuses keys that repeat and endless nesting. */
function inspect(text: string): Stretch[] {
  const integers: Stretch[] = [];
  const around: Container[] = [];
  let top: Container | undefined;
  let expectsKey = false;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
      case '[':
        top = { keys: text[at] === '{' ? new Set() : undefined, key: '', index: 0 };
        if (around.push(top) > DEEPEST) throw new JsonError(`nested more than ${DEEPEST} deep`);
        expectsKey = top.keys !== undefined;
        break;
      case '}':
      case ']':
        around.pop();
        top = around.at(-1);
        expectsKey = false;
        break;
      case ',':
        if (top !== undefined) top.index++;
        expectsKey = top?.keys !== undefined;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (expectsKey && top?.keys !== undefined) takeKey(top, top.keys, text.slice(at, end), around);
        expectsKey = false;
        at = end - 1;
        break;
      }
      case '-':
      case '0':
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
      case '8':
      case '9': {
        const end = endOfNumber(text, at);
        if (isLongInteger(text.slice(at, end))) integers.push({ start: at, end });
        at = end - 1;
      }
    }
  }
  return integers;
}

function takeKey(object: Container, keys: Set<string>, token: string, around: readonly Container[]): void {
  object.key = token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
  if (keys.has(object.key)) throw new JsonError(`the key ${JSON.stringify(object.key)} stands twice in ${place(around)}`);
  keys.add(object.key);
}

function place(around: readonly Container[]): string {
  let path = FieldPath.root;
  for (const container of around.slice(0, -1)) {
    path = container.keys === undefined ? path.index(container.index) : path.field(container.key);
  }
  return path.parent === undefined ? 'the outermost object' : path.toString();
}
