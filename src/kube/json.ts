import { findLongIntegers, parseWithIntegers } from './long-integers.ts';

// The smallest integer that a double cannot hold has 16 digits; inside of strings this also matches, at the price of the slow path only.
const LONG_INTEGER = /[:[,]\s*-?\d{16,}\s*[,}\]]/;

/** Parses JSON of any depth; integers beyond 2^53 become bigints, so that an int64 of the API server stays exact (graph.md 7). */
export function parseJson(text: string): unknown {
  return LONG_INTEGER.test(text) ? parseWithIntegers(text, findLongIntegers(text)) : JSON.parse(text);
}

/** Prints JSON of any depth; a bigint is printed as the integer that it is. */
export function printJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The only TypeError that a second attempt can heal is that of a bigint; a cycle throws again.
    if (error instanceof TypeError) return printIntegers(value);
    if (error instanceof RangeError) return printDeep(value);
    throw error;
  }
}

/** What the engine offers beyond the declared `JSON`: numbers printed as given. */
interface ExactJson {
  rawJSON(text: string): unknown;
}
const exactly = JSON as unknown as ExactJson;

function printIntegers(value: unknown): string {
  try {
    return JSON.stringify(value, (_key: string, member: unknown) =>
      typeof member === 'bigint' ? exactly.rawJSON(member.toString()) : member,
    );
  } catch (error) {
    if (error instanceof RangeError) return printDeep(value);
    throw error;
  }
}

/** A list or an object that is being printed: what is left of it, last first, and what ends it. */
interface Open {
  readonly members: (readonly [key: string, value: unknown])[];
  readonly end: string;
}

/** The engine prints by recursion; what nests too deep for its stack is printed here, level by level. */
function printDeep(value: unknown): string {
  const parts: string[] = [];
  const open: Open[] = [{ members: [['', value]], end: '' }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const member = top.members.pop();
    if (member === undefined) {
      parts.push(top.end);
      open.pop();
      if ((open.at(-1)?.members.length ?? 0) > 0) parts.push(',');
      continue;
    }
    const [key, inside] = member;
    parts.push(key);
    if (typeof inside === 'object' && inside !== null) {
      parts.push(Array.isArray(inside) ? '[' : '{');
      open.push(openOf(inside));
      continue;
    }
    parts.push(typeof inside === 'bigint' ? inside.toString() : (JSON.stringify(inside) ?? 'null'));
    if (top.members.length > 0) parts.push(',');
  }
  return parts.join('');
}

function openOf(container: object): Open {
  if (Array.isArray(container)) return { members: container.map((item: unknown) => ['', item] as const).reverse(), end: ']' };
  const present = Object.entries(container).filter(([, value]) => value !== undefined);
  return { members: present.map(([key, value]) => [`${JSON.stringify(key)}:`, value] as const).reverse(), end: '}' };
}
