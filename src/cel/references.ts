import { type Ast, type CallNode, children, type HasNode, type IdentifierNode, type IndexNode, type SelectNode } from './ast.ts';
import type { Span } from './error.ts';
import { libraries } from './library/index.ts';
import { macroUsage } from './macro.ts';

const namespaced: ReadonlySet<string> = new Set(
  libraries.flatMap((library) => library.functions.map((declared) => declared.name)).filter((name) => name.includes('.')),
);

/** A free identifier of an expression, with the fields selected from it (graph.md 3.2). */
export interface Reference {
  readonly name: string;
  /** The fields selected from it by name, as written: of `a.b.?c['d'][0].e` it is `['b', 'c', 'd']`. */
  readonly path: readonly string[];
  /** Of the name itself. */
  readonly span: Span;
}

/** The identifiers of an expression that no macro binds, in source order; names of types are among them. */
export function findReferences(ast: Ast): readonly Reference[] {
  const found: Reference[] = [];
  collect(ast, NO_NAMES, found);
  const [first] = found;
  // A list that grew by push has room for 17: of most expressions one is kept.
  if (first !== undefined && found.length === 1) return [first];
  return found.sort((a, b) => a.span.start - b.span.start);
}

const NO_NAMES: ReadonlySet<string> = new Set();
const NO_PATH: readonly string[] = [];

function collect(node: Ast, bound: ReadonlySet<string>, found: Reference[]): void {
  switch (node.kind) {
    case 'identifier':
      note(node, NO_PATH, bound, found);
      return;
    case 'select':
    case 'has':
    case 'index':
      collectPath(node, bound, found);
      return;
    case 'bind':
      collect(node.value, bound, found);
      collect(node.body, new Set([...bound, node.name]), found);
      return;
    case 'optionalMap':
      collect(node.target, bound, found);
      collect(node.body, new Set([...bound, node.name]), found);
      return;
    case 'comprehension': {
      collect(node.range, bound, found);
      const inner = new Set([...bound, ...node.names]);
      if (node.condition !== undefined) collect(node.condition, inner, found);
      collect(node.body, inner, found);
      return;
    }
    case 'call':
      // In `base64.encode(x)` and `math.abs(x)` the namespace is no reference.
      for (const child of isNamespaced(node) ? node.args : children(node)) collect(child, namesMeant(node, bound), found);
      return;
    default:
      for (const child of children(node)) collect(child, bound, found);
  }
}

/** A macro with too few or too many arguments binds nothing; that its names are unknown would be an echo of that mistake. */
function namesMeant(call: CallNode, bound: ReadonlySet<string>): ReadonlySet<string> {
  if (macroUsage(call) === undefined) return bound;
  return new Set([...bound, ...call.args.flatMap((argument) => (argument.kind === 'identifier' ? [argument.name] : []))]);
}

/** A chain of selections, of which the path is known as far as it begins with a name and spells its fields. */
function collectPath(node: SelectNode | HasNode | IndexNode, bound: ReadonlySet<string>, found: Reference[]): void {
  const path: string[] = [];
  let at: Ast = node;
  while (at.kind === 'select' || at.kind === 'has' || at.kind === 'index') {
    if (at.kind !== 'index') path.push(at.field);
    else if (at.index.kind === 'literal' && typeof at.index.value === 'string') path.push(at.index.value);
    else {
      path.length = 0;
      collect(at.index, bound, found);
    }
    at = at.operand;
  }
  if (at.kind === 'identifier') note(at, path.reverse().slice(), bound, found);
  else collect(at, bound, found);
}

function note(node: IdentifierNode, path: readonly string[], bound: ReadonlySet<string>, found: Reference[]): void {
  if (node.absolute || !bound.has(node.name)) found.push({ name: node.name, path, span: node.span });
}

/** Whether the target of a call may be a namespace. The checker decides by what is declared; names of variables are never namespaces here. */
function isNamespaced(node: Ast): boolean {
  return node.kind === 'call' && node.target !== undefined && namespaced.has(qualify(node.target, node.name) ?? '');
}

function qualify(target: Ast, name: string): string | undefined {
  return target.kind === 'identifier' ? `${target.name}.${name}` : undefined;
}
