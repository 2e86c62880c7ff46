import type { JsonObject, JsonValue } from '../api/object.ts';
import type { Ast } from '../cel/ast.ts';
import type { Checked } from '../cel/check.ts';
import type { CelIssue } from '../cel/issue.ts';
import { type Parsed, parse } from '../cel/parse.ts';
import type { Plan } from '../cel/plan.ts';
import { type Stretch, spanOf } from '../cel/stretch.ts';
import { errorType, type Type } from '../cel/type.ts';
import { defineDiagnostic, type Place, type Report } from '../diagnostic/diagnostic.ts';
import type { FieldPath } from '../diagnostic/path.ts';
import { FewEntries } from './few-entries.ts';
import type { SourceFrame, SourceNode } from './frame.ts';
import type { CompileLimits } from './limits.ts';
import { type ScanFault, type ScannedExpression, scan } from './scan.ts';
import type { Steps } from './steps.ts';

/** What an expression decides. */
export type ExpressionRole = 'payload' | 'includeWhen' | 'readyWhen' | 'forEach';

/** One `${...}` of a node as it was parsed. */
export interface SourceExpression {
  /** Whether it is the whole value, or a part of a text. */
  readonly kind: 'standalone' | 'part';
  readonly node: SourceNode;
  readonly role: ExpressionRole;
  /** Where the string that holds it stands. */
  readonly path: FieldPath;
  readonly text: string;
  /** Undefined after a syntax error, or where it is meant for a stamped Graph, which has been reported; and once it is planned, but for the lists of a forEach. */
  ast: Ast | undefined;
  /** Filled by `resolve`. */
  references: readonly SourceReference[];
  /** The one frame of its node references. */
  frame: SourceFrame | undefined;
  /** Filled by `check`: its type, that of its values, and its plan unless there is a mistake in it. */
  type: Type;
  valueType: Type;
  plan: Plan | undefined;
  /** What the checker found of its parts, of an expression that is held to a schema part by part. */
  parts: Checked | undefined;
}

/** A free name of an expression and what it means. */
export interface SourceReference {
  readonly name: string;
  /** Where in the expression it stands. */
  readonly span: Stretch;
  /** Undefined for an iterator, for `each`, and for a name that means nothing (which has been reported). */
  readonly node: SourceNode | undefined;
  /** The node whose outcome counts: `node`, or a node within it if the path leads there (graph.md 4). */
  readonly follows: SourceNode | undefined;
  readonly isLocal: boolean;
}

/** Where an expression stands, or a stretch of it. */
export function placeOf({ path, text: expression }: SourceExpression, place?: Stretch): Place {
  return place === undefined ? { path, expression } : { path, expression, span: spanOf(place) };
}

/** Whether an expression may call omit(), by its text. */
export function mayOmit({ text }: SourceExpression): boolean {
  return text.includes('omit');
}

/** An expression that is a whole value is its payload, too. */
export interface StandaloneExpression extends SourceExpression {
  readonly kind: 'standalone';
}

/** One string of a modifier. */
export interface SourceValue {
  readonly path: FieldPath;
  readonly raw: string;
  readonly content: SourcePayload;
}

/** One dimension of a forEach; `list` is undefined where the value is not text. */
export interface SourceDimension {
  readonly iterator: string;
  readonly place: FieldPath;
  /** Whether it stands as a dimension should; otherwise that has been reported, and what it was meant to be is not known. */
  readonly isSound: boolean;
  readonly list: SourceValue | undefined;
}

/** A part of a payload that is known only when it is rendered. */
export type ComputedPayload =
  | StandaloneExpression
  | { readonly kind: 'text'; readonly path: FieldPath; readonly parts: readonly (string | SourceExpression)[] }
  /** A string that cannot be read; reported. */
  | { readonly kind: 'broken' };

/** A part without expressions. */
interface LiteralPayload {
  readonly kind: 'literal';
  readonly value: JsonValue;
}

/** A payload with its expressions parsed; a part without expressions is one literal, whatever its size. */
export type SourcePayload =
  | LiteralPayload
  | { readonly kind: 'object'; readonly entries: FewEntries<SourcePayload> }
  | { readonly kind: 'list'; readonly items: readonly SourcePayload[] }
  | ComputedPayload;

const MOST_PAYLOAD_LEVELS = 1000;
const LONGEST_BEGINNING = 40;
const NONE: readonly never[] = [];
const BROKEN: SourcePayload = { kind: 'broken' };

const unterminated = defineDiagnostic({
  code: 'expression/unterminated',
  severity: 'error',
  message: ({ beginning }: { beginning: string }) => `the expression that begins with "\${${beginning}" has no end`,
  hint: () => 'close it with "}", or write text that contains "${" as ${"${"}',
});
const unterminatedLiteral = defineDiagnostic({
  code: 'expression/unterminated-literal',
  severity: 'error',
  message: () => 'a string literal in the expression has no end',
  hint: () => 'close the quote; a literal in single or double quotes ends on its own line, one in triple quotes may span lines',
});
const nested = defineDiagnostic({
  code: 'expression/nested',
  severity: 'error',
  message: () => '"${" inside an expression',
  hint: () => 'an expression needs no inner "${}"; to leave one for a stamped Graph to evaluate, quote it: ${"${name.field}"}',
});
const empty = defineDiagnostic({
  code: 'expression/empty',
  severity: 'error',
  message: () => 'the expression is empty',
  hint: () => 'write a value between "${" and "}", or ${"${}"} for the text "${}"',
});
const tooLong = defineDiagnostic({
  code: 'expression/too-long',
  severity: 'error',
  message: ({ length, limit }: { length: number; limit: number }) =>
    `the expression has ${length} characters, at most ${limit} are allowed`,
  hint: () => 'compute parts of it in a def node',
});
/** An expression that is no CEL. */
export const syntax = defineDiagnostic({
  code: 'expression/syntax',
  severity: 'error',
  message: ({ issue }: { issue: CelIssue }) => issue.message,
  hint: ({ issue }) => issue.hint,
});
/** An expression beyond what may be read or checked (graph.md 15). */
export const tooComplex = defineDiagnostic({
  code: 'expression/too-complex',
  severity: 'error',
  message: ({ issue }: { issue: CelIssue }) => issue.message,
  hint: ({ issue }) => issue.hint ?? 'compute parts of it in a def node',
});
const tooDeep = defineDiagnostic({
  code: 'payload/too-deep',
  severity: 'error',
  message: ({ limit }: { limit: number }) => `values nest deeper than ${limit} levels`,
});

/** The diagnostics of reading strings. */
export const payloadDiagnostics = [unterminated, unterminatedLiteral, nested, empty, tooLong, syntax, tooComplex, tooDeep] as const;

/** Reads the strings of a Graph: each distinct expression is parsed once. */
export class ExpressionReader {
  readonly #report: Report;
  readonly #limits: CompileLimits;
  readonly #steps: Steps;
  readonly #parsed = new Map<string, Parsed>();
  #expressions: SourceExpression[] = [];

  constructor(report: Report, limits: CompileLimits, steps: Steps) {
    this.#report = report;
    this.#limits = limits;
    this.#steps = steps;
  }

  /** Reads a whole payload. */
  readPayload(node: SourceNode, value: JsonValue, path: FieldPath): SourcePayload {
    return this.#walk(node, value, path, 0) ?? { kind: 'literal', value };
  }

  /** Reads one string of a modifier. */
  readValue(node: SourceNode, role: ExpressionRole, raw: string, path: FieldPath): SourceValue {
    return { path, raw, content: this.#readString(node, role, raw, path) ?? { kind: 'literal', value: raw } };
  }

  /** The expressions that were read since they were last taken, in their order. */
  takeExpressions(): readonly SourceExpression[] {
    if (this.#expressions.length === 0) return NONE;
    // A list that grew by push has room for 17: of most nodes two or three are kept.
    const taken = this.#expressions.slice();
    this.#expressions = [];
    return taken;
  }

  /** Undefined: there is no expression in it. */
  #walk(node: SourceNode, value: JsonValue, path: FieldPath, depth: number): SourcePayload | undefined {
    this.#steps.spend(1);
    if (typeof value === 'string') return this.#readString(node, 'payload', value, path);
    if (typeof value !== 'object' || value === null) return undefined;
    if (depth === MOST_PAYLOAD_LEVELS) {
      this.#report(tooDeep({ limit: MOST_PAYLOAD_LEVELS }, { path }));
      return BROKEN;
    }
    return isJsonList(value) ? this.#walkList(node, value, path, depth) : this.#walkObject(node, value, path, depth);
  }

  #walkList(node: SourceNode, value: readonly JsonValue[], path: FieldPath, depth: number): SourcePayload | undefined {
    let items: SourcePayload[] | undefined;
    for (let at = 0; at < value.length; at++) {
      const item = value[at] ?? null;
      const read = this.#isPlain(item) ? undefined : this.#walk(node, item, path.index(at), depth + 1);
      if (read === undefined) continue;
      items ??= value.map(literal);
      items[at] = read;
    }
    return items === undefined ? undefined : { kind: 'list', items };
  }

  #walkObject(node: SourceNode, value: JsonObject, path: FieldPath, depth: number): SourcePayload | undefined {
    const names = Object.keys(value);
    let entries: FewEntries<SourcePayload> | undefined;
    for (let at = 0; at < names.length; at++) {
      const name = names[at] ?? '';
      const field = value[name] ?? null;
      const read = this.#isPlain(field) ? undefined : this.#walk(node, field, path.field(name), depth + 1);
      if (read !== undefined) entries ??= literals(value, at);
      entries?.put(at, name, read ?? literal(field));
    }
    return entries === undefined ? undefined : { kind: 'object', entries };
  }

  /** Whether a value is a scalar without an expression, as most are: it needs no path. */
  #isPlain(value: JsonValue): boolean {
    if (typeof value === 'object' ? value !== null : typeof value === 'string' && value.includes('${')) return false;
    this.#steps.spend(typeof value === 'string' ? 2 + value.length / 64 : 1);
    return true;
  }

  #readString(node: SourceNode, role: ExpressionRole, raw: string, path: FieldPath): SourcePayload | undefined {
    this.#steps.spend(1 + raw.length / 64);
    const scanned = scan(raw);
    switch (scanned.kind) {
      case 'literal':
        return undefined;
      case 'broken':
        this.#report(describeFault(path, scanned.fault));
        return BROKEN;
      case 'standalone':
        return this.#readExpression({ kind: 'standalone', node, role, path }, scanned.expression);
      case 'text': {
        const parts = scanned.parts.map((part) =>
          typeof part === 'string' ? part : this.#readExpression({ kind: 'part', node, role, path }, part),
        );
        return { kind: 'text', path, parts };
      }
      default:
        return scanned satisfies never;
    }
  }

  #readExpression<Kind extends SourceExpression['kind']>(
    where: Pick<SourceExpression, 'node' | 'role' | 'path'> & { readonly kind: Kind },
    { text }: ScannedExpression,
  ): SourceExpression & { readonly kind: Kind } {
    const { kind, node, role, path } = where;
    const expression: SourceExpression & { readonly kind: Kind } = {
      kind,
      node,
      role,
      path,
      text,
      ast: this.#parse(text, path),
      references: NONE,
      frame: undefined,
      type: errorType,
      valueType: errorType,
      plan: undefined,
      parts: undefined,
    };
    this.#expressions.push(expression);
    return expression;
  }

  #parse(text: string, path: FieldPath): Ast | undefined {
    if (text.length > this.#limits.expressionLength) {
      this.#report(tooLong({ length: text.length, limit: this.#limits.expressionLength }, { path }));
      return undefined;
    }
    if (text.trim() === '') {
      this.#report(empty({}, { path, expression: text }));
      return undefined;
    }
    const parsed = this.#parsed.get(text) ?? this.#parseOnce(text);
    for (const issue of parsed.issues ?? NONE) {
      const at = { path, expression: text, span: issue.span };
      this.#report(issue.kind === 'limit' ? tooComplex({ issue }, at) : syntax({ issue }, at));
    }
    return parsed.ast;
  }

  #parseOnce(text: string): Parsed {
    this.#steps.spend(text.length);
    const parsed = parse(text);
    this.#parsed.set(text, parsed);
    return parsed;
  }
}

function literal(value: JsonValue): LiteralPayload {
  return { kind: 'literal', value };
}

/** The fields of an object as literals, all or the first ones; the rest is to be put in. */
export function literals<T>(object: JsonObject, count?: number): FewEntries<T | LiteralPayload> {
  const names = Object.keys(object);
  const entries = new FewEntries<T | LiteralPayload>(names.length);
  for (let at = 0; at < (count ?? names.length); at++) {
    const name = names[at] ?? '';
    entries.put(at, name, literal(object[name] ?? null));
  }
  return entries;
}

function describeFault(path: FieldPath, { fault, text, span }: ScanFault): ReturnType<typeof unterminated> {
  const place = { path, expression: text, span };
  switch (fault) {
    case 'unterminated':
      return unterminated({ beginning: text.slice(0, LONGEST_BEGINNING) }, place);
    case 'unterminated-literal':
      return unterminatedLiteral({}, place);
    case 'nested':
      return nested({}, place);
    default:
      return fault satisfies never;
  }
}

function isJsonList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
