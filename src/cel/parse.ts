import { Environment, ParseError } from '@marcbachmann/cel-js';
import type { Ast } from './ast.ts';
import type { Span } from './error.ts';
import { syntaxHabit } from './habits.ts';
import { byPlace, type CelIssue, IssueError, limitError, syntaxError } from './issue.ts';
import { readNumber, readText } from './literal.ts';
import { expandMacro } from './macro.ts';
import { parsePath } from './parse-path.ts';
import { type Prepared, prepare } from './prepare.ts';
import { endOf, startOf, stretch, stretchOf } from './stretch.ts';
import { boolType, nullType } from './type.ts';

/** The longest expression, in UTF-16 units (graph.md 15). */
export const MAX_LENGTH = 16 * 1024;

/** Selections, calls and operators may follow one another this deep on one path (as in cel-go). */
const MAX_CHAIN = 250;

/** The expression as a tree, or why it is none. Errors of macros do not hide one another; a syntax error stands alone. */
export type Parsed =
  | { readonly ast: Ast; readonly issues?: undefined }
  | { readonly ast?: undefined; readonly issues: readonly CelIssue[] };

/** Parses an expression. Never throws for what an author wrote; linear in its length. */
export function parse(source: string): Parsed {
  const path = parsePath(source);
  if (path !== undefined) return { ast: path };
  try {
    if (source.length > MAX_LENGTH) {
      throw limitError(
        `the expression is longer than ${MAX_LENGTH} characters`,
        { start: 0, end: source.length },
        'compute parts of it in a def node',
      );
    }
    const prepared = prepare(source);
    const reader = new Reader(source, prepared);
    const ast = reader.read(readPackageTree(prepared.text, source), 0);
    if (prepared.message !== undefined) return { issues: [prepared.message] };
    return reader.issues.length > 0 ? { issues: reader.issues.toSorted(byPlace) } : { ast };
  } catch (error) {
    if (error instanceof IssueError) return { issues: [error.issue] };
    if (error instanceof RangeError) {
      return { issues: [{ kind: 'limit', message: 'the expression nests too deep', span: { start: 0, end: source.length } }] };
    }
    throw error;
  }
}

/** The part of the package's tree that is read here: an operator's name and its arguments, with offsets. */
interface PackageNode {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
  readonly pos: number;
}

const MANY = 1_000_000;
const packageParser = new Environment({
  enableOptionalTypes: true,
  limits: { maxAstNodes: MANY, maxDepth: MANY, maxListElements: MANY, maxMapEntries: MANY, maxCallArguments: MANY },
});

function readPackageTree(text: string, source: string): PackageNode {
  try {
    return packageParser.parse(text).ast as PackageNode;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const { code, range, summary } = error as unknown as { code: string; range?: Span; summary: string };
    const span = { start: range?.start ?? 0, end: Math.max(range?.end ?? text.length, range?.start ?? 0) };
    if (code === 'limit_exceeded') throw limitError('the expression nests too deep', span, 'compute parts of it in a def node');
    throw syntaxError(describe(source, span, code, summary), span, syntaxHabit(source, span));
  }
}

function describe(text: string, span: Span, code: string, summary: string): string {
  if (text.trim() === '') return 'the expression is empty';
  if (span.start >= text.length) return 'the expression ends too early';
  if (code === 'invalid_number') return 'the number is out of the range of double';
  if (code === 'invalid_integer' || code === 'invalid_hex_integer' || code === 'invalid_exponent') return 'not a number';
  const expected = /^Expected (\w+)/.exec(summary)?.[1];
  const found =
    span.end > span.start + 1 ? shorten(text.slice(span.start, span.end).trim()) : String.fromCodePoint(text.codePointAt(span.start) ?? 0);
  const wanted = expected === undefined ? undefined : EXPECTED.get(expected);
  return wanted === undefined ? `unexpected "${found}"` : `expected ${wanted}, found "${found}"`;
}

const LONGEST_FOUND = 40;

function shorten(text: string): string {
  return text.length <= LONGEST_FOUND ? text : `${text.slice(0, LONGEST_FOUND)}…`;
}

const EXPECTED = new Map([
  ['COLON', '":"'],
  ['RPAREN', '")"'],
  ['RBRACKET', '"]"'],
  ['RBRACE', '"}"'],
  ['IDENTIFIER', 'a name'],
]);

const RELATIONS = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);

/** Turns the package's tree into ours. */
class Reader {
  readonly issues: CelIssue[] = [];
  readonly #source: string;
  readonly #prepared: Prepared;
  readonly #report = (issue: CelIssue): void => {
    this.issues.push(issue);
  };

  constructor(source: string, prepared: Prepared) {
    this.#source = source;
    this.#prepared = prepared;
  }

  read(node: PackageNode, depth: number): Ast {
    if (depth > MAX_CHAIN)
      throw limitError(`more than ${MAX_CHAIN} operations follow one another`, node, 'compute parts of it in a def node');
    switch (node.op) {
      case 'value':
        return this.#readLiteral(node, false);
      case 'id':
        return this.#readIdentifier(node);
      case '.':
      case '.?': {
        const [operand] = node.args as [PackageNode, string];
        const fieldSpan = stretch(node.pos, node.end);
        const field = this.#prepared.names?.get(node.pos) ?? this.#source.slice(node.pos, node.end);
        return {
          kind: 'select',
          operand: this.read(operand, depth + 1),
          field,
          optional: node.op === '.?',
          fieldSpan,
          span: stretchOf(node),
        };
      }
      case '[]':
      case '[?]': {
        const [operand, index] = node.args as [PackageNode, PackageNode];
        return {
          kind: 'index',
          operand: this.read(operand, depth + 1),
          index: this.read(index, depth + 1),
          optional: node.op === '[?]',
          span: stretchOf(node),
        };
      }
      case 'call':
        return this.#readCall(node, undefined, (node.args as [string, PackageNode[]])[1], depth);
      case 'rcall': {
        const [, target, args] = node.args as [string, PackageNode, PackageNode[]];
        return this.#readCall(node, target, args, depth);
      }
      case 'list':
        return this.#readList(node, depth);
      case 'map':
        return this.#readMap(node, depth);
      case '?:': {
        const [condition, then, otherwise] = node.args as [PackageNode, PackageNode, PackageNode];
        const [first, second, third] = [this.read(condition, depth), this.read(then, depth), this.read(otherwise, depth + 1)];
        return { kind: 'conditional', condition: first, whenTrue: second, whenFalse: third, span: stretchOf(node) };
      }
      case '&&':
      case '||':
        return this.#readLogic(node, node.op, depth);
      case '!_':
      case '-_':
        return this.#readSign(node, depth);
      default:
        return RELATIONS.has(node.op) ? this.#readRelation(node, depth) : this.#readOperator(node, depth);
    }
  }

  #readLiteral(node: PackageNode, negative: boolean): Ast {
    const quoted = this.#prepared.strings?.get(node.start);
    const start = this.#prepared.fractions?.has(node.start) === true ? node.start - 1 : node.start;
    const end = quoted?.end ?? node.end;
    const text = this.#source.slice(start, end);
    const span = stretch(start, end);
    if (quoted !== undefined) return { kind: 'literal', ...readText(text, start), span };
    if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true', type: boolType, span };
    if (text === 'null') return { kind: 'literal', value: null, type: nullType, span };
    return { kind: 'literal', ...readNumber(text, negative, span), span };
  }

  #readIdentifier(node: PackageNode): Ast {
    const absolute = this.#prepared.absolute?.has(node.start) === true;
    const span = stretch(absolute ? this.#source.lastIndexOf('.', node.start) : node.start, node.end);
    return { kind: 'identifier', name: this.#prepared.names?.get(node.start) ?? this.#source.slice(node.start, node.end), absolute, span };
  }

  #readCall(node: PackageNode, target: PackageNode | undefined, args: readonly PackageNode[], depth: number): Ast {
    const called = this.#prepared.calls?.get(node.end - 1);
    const nameSpan = stretchOf(called?.span ?? node);
    const call = {
      kind: 'call' as const,
      name: called?.name ?? '',
      target: target === undefined ? undefined : this.read(target, depth + 1),
      args: args.map((arg) => this.read(arg, target === undefined ? depth : depth + 1)),
      nameSpan,
      span: stretchOf(node),
    };
    return expandMacro(call, this.#report) ?? call;
  }

  #readList(node: PackageNode, depth: number): Ast {
    let from = node.start;
    const items = (node.args as PackageNode[]).map((item) => {
      const optional = this.#hasOptional(from, item.start);
      from = item.end;
      return { value: this.read(item, depth), optional };
    });
    return { kind: 'list', items, span: stretchOf(node) };
  }

  #readMap(node: PackageNode, depth: number): Ast {
    let from = node.start;
    const entries = (node.args as [PackageNode, PackageNode][]).map(([key, value]) => {
      const optional = this.#hasOptional(from, key.start);
      from = value.end;
      return { key: this.read(key, depth), value: this.read(value, depth), optional };
    });
    return { kind: 'map', entries, span: stretchOf(node) };
  }

  /** Whether a `?` of an optional entry stands between two offsets. */
  #hasOptional(from: number, to: number): boolean {
    const { optionals } = this.#prepared;
    if (optionals.length === 0) return false;
    let low = 0;
    let high = optionals.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((optionals[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    return (optionals[low] ?? to) < to;
  }

  /** `a && b && c` is one node, however long: neither depth nor errors of checking and evaluating grow with it. */
  #readLogic(node: PackageNode, operator: '&&' | '||', depth: number): Ast {
    const terms: PackageNode[] = [];
    let left = node;
    while (left.op === operator) {
      const [next, right] = left.args as [PackageNode, PackageNode];
      terms.push(right);
      left = next;
    }
    terms.push(left);
    return {
      kind: 'logic',
      operator,
      terms: terms.reverse().map((term) => this.read(term, depth)),
      span: stretchOf(node),
    };
  }

  #readSign(node: PackageNode, depth: number): Ast {
    const operand = node.args as PackageNode;
    const span = stretchOf(node);
    const isNumber =
      operand.op === 'value' && /^[0-9.]/.test(this.#source.slice(operand.start, operand.end)) && !this.#isParenthesised(operand);
    if (node.op === '-_' && isNumber && !/[uU]$/.test(this.#source.slice(operand.start, operand.end))) {
      return { ...this.#readLiteral(operand, true), span };
    }
    const nameSpan = stretch(node.start, node.start + 1);
    return { kind: 'call', name: node.op, target: undefined, args: [this.read(operand, depth)], nameSpan, span };
  }

  /** In CEL all comparisons bind alike, from the left; the package binds `<` tighter than `==`. */
  #readRelation(node: PackageNode, depth: number): Ast {
    const [left, right] = node.args as [PackageNode, PackageNode];
    // Most are one comparison, and need no list of them.
    if (depth < MAX_CHAIN && !this.#isChained(left) && !this.#isChained(right)) return this.#readOperator(node, depth);
    const operands: PackageNode[] = [];
    const operators: string[] = [];
    const flatten = (at: PackageNode, inner: boolean): void => {
      if (!RELATIONS.has(at.op) || (inner && this.#isParenthesised(at))) {
        operands.push(at);
        return;
      }
      const spine: PackageNode[] = [];
      let left = at;
      while (RELATIONS.has(left.op) && (left === at || !this.#isParenthesised(left))) {
        spine.push(left);
        left = (left.args as [PackageNode, PackageNode])[0];
      }
      operands.push(left);
      for (const step of spine.reverse()) {
        operators.push(step.op);
        flatten((step.args as [PackageNode, PackageNode])[1], true);
      }
    };
    flatten(node, false);
    if (operators.length + depth > MAX_CHAIN) {
      throw limitError(`more than ${MAX_CHAIN} operations follow one another`, node, 'compute parts of it in a def node');
    }
    let result = this.read(operands[0] as PackageNode, depth + operators.length);
    operators.forEach((operator, at) => {
      const right = this.read(operands[at + 1] as PackageNode, depth + operators.length - at);
      result = this.#binary(operator, result, right);
    });
    return result;
  }

  #isChained(operand: PackageNode): boolean {
    return RELATIONS.has(operand.op) && !this.#isParenthesised(operand);
  }

  #readOperator(node: PackageNode, depth: number): Ast {
    const [left, right] = node.args as [PackageNode, PackageNode];
    return this.#binary(node.op, this.read(left, depth + 1), this.read(right, depth + 1));
  }

  #binary(operator: string, left: Ast, right: Ast): Ast {
    const end = endOf(left.span);
    const between = this.#source.slice(end, startOf(right.span));
    const at = end + Math.max(0, between.search(/[-+*/%<>=!]|in/));
    const name = operator === 'in' ? '@in' : `_${operator}_`;
    const nameSpan = stretch(at, at + operator.length);
    return { kind: 'call', name, target: undefined, args: [left, right], nameSpan, span: stretch(startOf(left.span), endOf(right.span)) };
  }

  #isParenthesised(node: PackageNode): boolean {
    return this.#prepared.parentheses?.get(node.start)?.some((close) => close >= node.end) ?? false;
  }
}
