import { test } from 'tap';
import type { Value } from '../../../src/cel/value.ts';
import { evaluateCase } from '../../../src/cli/cel-case.ts';

/**
 * An expression and what it gives: what another expression gives, type and all; or the kind of its error when it is checked or evaluated;
 * or a value with its tag, as `kro-graph cel --json` writes it.
 */
export type Row = readonly [expression: string, expected: string | Readonly<Record<string, string>>];

/** Untyped variables that every row may use. */
const variables: ReadonlyMap<string, { readonly schema: undefined; readonly value: Value }> = new Map(
  Object.entries({ di: 3, dd: 2.5, ds: 'abc', db: true, dn: null, dl: [3, 1, 2] }).map(([name, value]) => [
    name,
    { schema: undefined, value },
  ]),
);

/** One test whose rows all must hold. */
export function rows(title: string, table: readonly Row[]): void {
  test(title, async (t) => {
    for (const [expression, expected] of table) {
      t.strictSame(outcome(expression), typeof expected === 'string' ? tagged(expected) : expected, expression);
    }
  });
}

function outcome(expression: string): unknown {
  const { value, error } = evaluateCase({ id: '', expr: expression, vars: variables });
  if (error === undefined) return sorted(value);
  return error.phase === 'compile' ? { check: error.kind } : { fails: error.kind };
}

/** The value that a row expects: its expression must have one. */
function tagged(expression: string): unknown {
  const { value, error } = evaluateCase({ id: '', expr: expression, vars: variables });
  if (error !== undefined) throw new Error(`the expected ${expression} has no value`);
  return sorted(value);
}

/** A tagged value with the entries of its maps in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  if ('map' in value && Array.isArray(value.map)) {
    const entries = value.map.map(sorted).map((entry) => [JSON.stringify(entry), entry] as const);
    return { map: entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry) };
  }
  return Object.fromEntries(Object.entries(value).map(([tag, content]) => [tag, sorted(content)]));
}
