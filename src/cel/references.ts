import { type Ast, type CallNode, children, type HasNode, type IdentifierNode, type IndexNode, type SelectNode } from './ast.ts';
import { takes } from './library/declare.ts';
import { libraries } from './library/index.ts';
import { isLikeMacro, macroUsage } from './macro.ts';
import { type Stretch, startOf } from './stretch.ts';

const declared = new Map(libraries.flatMap((library) => library.functions.map((declaration) => [declaration.name, declaration] as const)));
const namespaced: ReadonlySet<string> = new Set([...declared.keys()].filter((name) => name.includes('.')));

/** A free identifier of an expression, with the fields selected from it (graph.md 3.2). */
export interface Reference {
  readonly name: string;
  /** The fields selected from it by name, as written: of `a.b.?c['d'][0].e` it is `['b', 'c', 'd']`. */
  readonly path: readonly string[];
  /** Of the name itself. */
  readonly span: Stretch;
}

/** The identifiers of an expression that no macro binds, in source order; names of types are among them. */
export function findReferences(ast: Ast): readonly Reference[] {
  const root = rootOf(ast);
  // Of most expressions, which are paths, there is no list to gather.
  if (root !== undefined) return [{ name: root.name, path: pathTo(ast), span: root.span }];
  const found: Reference[] = [];
  collect(ast, NO_NAMES, found);
  return isInOrder(found) ? found : found.sort((a, b) => startOf(a.span) - startOf(b.span));
}

/** What a free name of an expression may have been meant to be. */
export interface Meant {
  /** The names that macros bind, anywhere in it. */
  readonly bound: ReadonlySet<string>;
  /** Where names stand as keys of maps, which other languages write without quotes. */
  readonly keys: ReadonlySet<number>;
}

/** Finds what the free names of an expression may have been meant to be. */
export function findMeant(ast: Ast): Meant {
  const names = new Set<string>();
  const keys = new Set<number>();
  const pending = [ast];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.kind === 'bind' || at.kind === 'optionalMap') names.add(at.name);
    if (at.kind === 'comprehension') for (const name of at.names) names.add(name);
    if (at.kind === 'map') for (const { key } of at.entries) if (key.kind === 'identifier') keys.add(startOf(key.span));
    pending.push(...children(at));
  }
  return { bound: names, keys };
}

function isInOrder(found: readonly Reference[]): boolean {
  return found.every(({ span }, at) => at === 0 || startOf(found[at - 1]?.span ?? span) <= startOf(span));
}

/** The name that a chain of plain selections begins with. */
function rootOf(ast: Ast): IdentifierNode | undefined {
  let at = ast;
  while (at.kind === 'select') at = at.operand;
  return at.kind === 'identifier' ? at : undefined;
}

const NO_NAMES: ReadonlySet<string> = new Set();
const NO_PATH: readonly string[] = [];

function collect(node: Ast, bound: ReadonlySet<string>, found: Reference[]): void {
  switch (node.kind) {
    case 'identifier':
      note(node, node, bound, found);
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
      collectCall(node, bound, found);
      return;
    default:
      for (const child of children(node)) collect(child, bound, found);
  }
}

function collectCall(call: CallNode, bound: ReadonlySet<string>, found: Reference[]): void {
  // In `base64.encode(x)` and `math.abs(x)` the namespace is no reference.
  if (call.target !== undefined && !isNamespaced(call)) collect(call.target, bound, found);
  const inner = namesMeant(call, bound);
  // What a macro is about stands outside it, also where it is written as a function: `map(list, x, x + 1)`.
  call.args.forEach((argument, at) => {
    collect(argument, call.target === undefined && at === 0 ? bound : inner, found);
  });
}

/** A macro with too few or too many arguments binds nothing; that its names are unknown would be an echo of that mistake. */
function namesMeant(call: CallNode, bound: ReadonlySet<string>): ReadonlySet<string> {
  if (macroUsage(call) === undefined && (isOfFunction(call) || !isLikeMacro(call))) return bound;
  return new Set([...bound, ...call.args.flatMap((argument) => (argument.kind === 'identifier' ? [argument.name] : []))]);
}

/** Whether a function takes so many arguments: it is this that is meant, also where a macro of other languages has its name. */
function isOfFunction({ name, target, args }: CallNode): boolean {
  const isMethod = target !== undefined;
  const declaration = declared.get(name);
  return declaration !== undefined && takes(declaration, args.length + (isMethod ? 1 : 0), isMethod);
}

/** A chain of selections, of which the path is known as far as it begins with a name and spells its fields. */
function collectPath(node: SelectNode | HasNode | IndexNode, bound: ReadonlySet<string>, found: Reference[]): void {
  let at: Ast = node;
  for (; isStep(at); at = at.operand) if (at.kind === 'index' && spelledField(at) === undefined) collect(at.index, bound, found);
  if (at.kind === 'identifier') note(at, node, bound, found);
  else collect(at, bound, found);
}

function note(root: IdentifierNode, whole: Ast, bound: ReadonlySet<string>, found: Reference[]): void {
  if (root.absolute || !bound.has(root.name)) found.push({ name: root.name, path: pathTo(whole), span: root.span });
}

type StepNode = SelectNode | HasNode | IndexNode;

function isStep(node: Ast): node is StepNode {
  return node.kind === 'select' || node.kind === 'has' || node.kind === 'index';
}

/** The fields that lead from the name of a chain to its end, up to the first that is computed. */
function pathTo(whole: Ast): readonly string[] {
  let length = 0;
  for (let at = whole; isStep(at); at = at.operand) length = spelledField(at) === undefined ? 0 : length + 1;
  if (length === 0) return NO_PATH;
  const path = new Array<string>(length);
  let depth = 0;
  for (let at = whole; isStep(at); at = at.operand) depth++;
  for (let at = whole; isStep(at); at = at.operand) if (--depth < length) path[depth] = spelledField(at) ?? '';
  return path;
}

function spelledField(node: StepNode): string | undefined {
  if (node.kind !== 'index') return node.field;
  return node.index.kind === 'literal' && typeof node.index.value === 'string' ? node.index.value : undefined;
}

/** Whether the target of a call may be a namespace. The checker decides by what is declared; names of variables are never namespaces here. */
function isNamespaced(node: Ast): boolean {
  return node.kind === 'call' && node.target !== undefined && namespaced.has(qualify(node.target, node.name) ?? '');
}

function qualify(target: Ast, name: string): string | undefined {
  return target.kind === 'identifier' ? `${target.name}.${name}` : undefined;
}
