import { keyText } from '../cel/access.ts';
import { deepAdapterOf } from '../cel/adapt.ts';
import { Budget } from '../cel/budget.ts';
import { check } from '../cel/check.ts';
import { Environment } from '../cel/environment.ts';
import { EvaluationError } from '../cel/error.ts';
import { MAX_INT64, MIN_INT64 } from '../cel/int64.ts';
import type { CelIssue } from '../cel/issue.ts';
import { parse } from '../cel/parse.ts';
import { plan } from '../cel/plan.ts';
import { dynType, holdsError, printPlainType, type Type } from '../cel/type.ts';
import { isMap, type Value } from '../cel/value.ts';
import { celTypeOf } from '../schema/cel-type.ts';
import { inlineSchema, type RawSchema } from '../schema/openapi.ts';
import { tagValue } from './tagged-value.ts';

/** An expression to evaluate, with its variables. */
export interface CelCase {
  readonly id: string;
  readonly expr: string;
  readonly vars: ReadonlyMap<string, { readonly schema: RawSchema | undefined; readonly value: Value | undefined }>;
}

/** What became of it. */
export interface CelResult {
  readonly id: string;
  readonly type?: string;
  readonly value?: unknown;
  readonly error?: { readonly phase: 'compile' | 'eval'; readonly kind: string; readonly message: string; readonly span?: unknown };
}

/** Reads the input of `kro-graph cel --json`; integers beyond 2^53 stay exact. */
export function parseCases(text: string): { readonly cases: readonly CelCase[] } | { readonly problem: string } {
  let input: unknown;
  try {
    input = parseExactJson(text);
  } catch (error) {
    return { problem: error instanceof SyntaxError ? `the input is no JSON: ${error.message}` : 'the input nests too deep' };
  }
  const list = isRecord(input) ? input['cases'] : undefined;
  if (!Array.isArray(list)) return { problem: 'the input has no list "cases"' };
  const cases: CelCase[] = [];
  for (const [at, item] of list.entries()) {
    const read = isRecord(item) ? readCase(item) : undefined;
    if (read === undefined) return { problem: `cases[${at}] is not of the form {"id": string, "expr": string, "vars": {…}}` };
    cases.push(read);
  }
  return { cases };
}

/** JSON in which integers beyond 2^53 are bigints, as long as int64 holds them. */
function parseExactJson(text: string): unknown {
  // Only what has such integers needs the reviver, which descends no deeper than the stack; the engine's parser does.
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const source = context?.source ?? '';
    if (!/^-?\d+$/.test(source) || source.length > 20) return value;
    const exact = BigInt(source);
    return exact >= MIN_INT64 && exact <= MAX_INT64 ? exact : value;
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readCase(item: Readonly<Record<string, unknown>>): CelCase | undefined {
  const { id, expr } = item;
  const vars = item['vars'] ?? {};
  if (typeof id !== 'string' || typeof expr !== 'string' || !isRecord(vars)) return undefined;
  const read: [string, { schema: RawSchema | undefined; value: Value | undefined }][] = [];
  for (const [name, variable] of Object.entries(vars)) {
    if (!isRecord(variable)) return undefined;
    const schema = variable['schema'];
    if (schema !== undefined && !isRecord(schema)) return undefined;
    read.push([name, { schema: schema as RawSchema | undefined, value: variable['value'] as Value | undefined }]);
  }
  return { id, expr, vars: new Map(read) };
}

/** Compiles and evaluates one case. Nothing is shared with any other. */
export function evaluateCase({ id, expr, vars }: CelCase): CelResult {
  const parsed = parse(expr);
  if (parsed.issues !== undefined) return { id, error: compileError(parsed.issues) };
  const types = typesOf(vars);
  if (types === undefined) return { id, error: { phase: 'compile', kind: 'limit', message: 'a schema nests too deep' } };
  const { type, issues, checked } = check(parsed.ast, Environment.standard().with(types));
  const printed = printPlainType(type);
  if (checked === undefined) {
    // A wrong constant argument leaves the type of the expression known.
    const isTyped = issues.every((issue) => issue.kind === 'argument') && !holdsError(type);
    return { id, ...(isTyped ? { type: printed } : {}), error: compileError(issues) };
  }
  try {
    const budget = new Budget();
    const value = plan(checked)((name) => vars.get(name)?.value, budget);
    const adapt = deepAdapterOf(checked.valueType);
    return { id, type: printed, value: tagValue(adapt === undefined ? value : adapt(value, budget), budget) };
  } catch (error) {
    return { id, type: printed, error: evaluationError(error) };
  }
}

function typesOf(vars: CelCase['vars']): ReadonlyMap<string, Type> | undefined {
  try {
    return new Map(
      Array.from(vars, ([name, { schema }]) => [name, schema === undefined ? dynType : celTypeOf(inlineSchema(schema, name))]),
    );
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function compileError(issues: readonly CelIssue[]): NonNullable<CelResult['error']> {
  const [first] = issues;
  const message = issues.map((issue) => (issue.hint === undefined ? issue.message : `${issue.message}: ${issue.hint}`)).join('; ');
  return { phase: 'compile', kind: first?.kind ?? 'syntax', message, ...(first === undefined ? {} : { span: first.span }) };
}

function evaluationError(error: unknown): NonNullable<CelResult['error']> {
  if (error instanceof RangeError) return { phase: 'eval', kind: 'limit', message: 'the value nests too deep' };
  if (!(error instanceof EvaluationError)) throw error;
  // At a shell the author sees the data anyway, so that a computed key may be named.
  const key = error.key === undefined || isMap(error.key as Value) ? '' : `: ${keyText(error.key as Value)}`;
  return { phase: 'eval', kind: error.code, message: `${error.message}${key}`, ...(error.span === undefined ? {} : { span: error.span }) };
}
