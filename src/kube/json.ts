// The smallest integer that a double cannot hold has 16 digits; inside of strings this also matches, at the price of the slow path only.
const LONG_INTEGER = /[:[,]\s*-?\d{16,}\s*[,}\]]/;
const INTEGER = /^-?\d+$/;

/** Parses JSON; integers beyond 2^53 become bigints, so that an int64 of the API server stays exact (graph.md 7). */
export function parseJson(text: string): unknown {
  return LONG_INTEGER.test(text) ? exactly.parse(text, keepInteger) : JSON.parse(text);
}

/** Prints JSON; a bigint is printed as the integer that it is. */
export function printJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The only TypeError that a second attempt can heal is that of a bigint; a cycle throws again.
    if (error instanceof TypeError) return JSON.stringify(value, printInteger);
    throw error;
  }
}

/** What the engine offers beyond the declared `JSON`: the source text of a number, and numbers printed as given. */
interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
}
const exactly = JSON as unknown as ExactJson;

function keepInteger(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  const isExact = typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined || !INTEGER.test(source);
  return isExact ? value : BigInt(source);
}

function printInteger(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? exactly.rawJSON(value.toString()) : value;
}
