import { type Ast, children } from './ast.ts';
import type { Span } from './error.ts';
import { libraries } from './library/index.ts';

const namespaced: ReadonlySet<string> = new Set(
  libraries.flatMap((library) => library.functions.map((declared) => declared.name)).filter((name) => name.includes('.')),
);

/** A free identifier of an expression, with the fields selected from it (graph.md 3.2). */
export interface Reference {
  readonly name: string;
  /** The fields selected from it by name, as written: of `a.b.?c[0].d` it is `['b', 'c']`. */
  readonly path: readonly string[];
  /** Of the name itself. */
  readonly span: Span;
}

/** The identifiers of an expression that no macro binds, in source order; names of types are among them. */
export function findReferences(ast: Ast): readonly Reference[] {
  const found: Reference[] = [];
  collect(ast, new Set(), [], found);
  return found.sort((a, b) => a.span.start - b.span.start);
}

function collect(node: Ast, bound: ReadonlySet<string>, path: readonly string[], found: Reference[]): void {
  switch (node.kind) {
    case 'identifier':
      if (node.absolute || !bound.has(node.name)) found.push({ name: node.name, path, span: node.span });
      return;
    case 'select':
    case 'has':
      collect(node.operand, bound, [node.field, ...path], found);
      return;
    case 'bind':
      collect(node.value, bound, [], found);
      collect(node.body, new Set([...bound, node.name]), [], found);
      return;
    case 'optionalMap':
      collect(node.target, bound, [], found);
      collect(node.body, new Set([...bound, node.name]), [], found);
      return;
    case 'comprehension': {
      collect(node.range, bound, [], found);
      const inner = new Set([...bound, ...node.names]);
      if (node.condition !== undefined) collect(node.condition, inner, [], found);
      collect(node.body, inner, [], found);
      return;
    }
    case 'call':
      // In `base64.encode(x)` and `math.abs(x)` the namespace is no reference.
      for (const child of isNamespaced(node) ? node.args : children(node)) collect(child, bound, [], found);
      return;
    default:
      for (const child of children(node)) collect(child, bound, [], found);
  }
}

/** Whether the target of a call may be a namespace. The checker decides by what is declared; names of variables are never namespaces here. */
function isNamespaced(node: Ast): boolean {
  return node.kind === 'call' && node.target !== undefined && namespaced.has(qualify(node.target, node.name) ?? '');
}

function qualify(target: Ast, name: string): string | undefined {
  return target.kind === 'identifier' ? `${target.name}.${name}` : undefined;
}
