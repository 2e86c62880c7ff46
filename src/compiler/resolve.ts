import { nameHabits } from '../cel/habits.ts';
import { findMeant, findReferences, type Meant, type Reference } from '../cel/references.ts';
import { startOf } from '../cel/stretch.ts';
import { defineDiagnostic, type Report } from '../diagnostic/diagnostic.ts';
import { didYouMean } from '../diagnostic/nearest.ts';
import { hasRefusedForEach, nameOf, type SourceFrame, type SourceNode } from './frame.ts';
import { placeOf, type SourceExpression, type SourceReference } from './payload.ts';
import { stampedNames } from './stamped-names.ts';
import type { Steps } from './steps.ts';

/** The name of one item in a collection's readyWhen. */
export const EACH = 'each';

const unknown = defineDiagnostic({
  code: 'reference/unknown',
  severity: 'error',
  message: ({ name }: { name: string; hint: string | undefined }) => `unknown name "${name}": no node in scope has this id`,
  hint: ({ hint }) => hint,
});
const eachOutside = defineDiagnostic({
  code: 'reference/each',
  severity: 'error',
  message: ({ isReadyWhen }: { isReadyWhen: boolean; isOfStamped: boolean }) =>
    isReadyWhen
      ? '"each" is one item of a collection, and this node has no forEach'
      : '"each" exists only in readyWhen of a node with forEach',
  hint: ({ isReadyWhen, isOfStamped }) => {
    if (isReadyWhen) return 'read the node by its own id';
    return isOfStamped ? deferral(EACH) : undefined;
  },
});
const iteratorHidden = defineDiagnostic({
  code: 'reference/iterator-not-visible',
  severity: 'error',
  message: ({ name, role }: { name: string; role: string }) => `iterator "${name}" of forEach is not visible in ${role}`,
  hint: ({ role }) =>
    role === 'readyWhen' ? 'read one item as "each"' : 'includeWhen decides about the whole node; filter the list of forEach instead',
});
const iteratorInDimension = defineDiagnostic({
  code: 'for-each/iterator-in-dimension',
  severity: 'error',
  message: ({ name }: { name: string }) => `"${name}" is an iterator of this node: a dimension of forEach may not read it`,
  hint: () => 'the dimensions are independent; compute a nested list in a def',
});
const mixedFrames = defineDiagnostic({
  code: 'scope/mixed-frames',
  severity: 'error',
  message: ({ first, second }: { first: string; second: string }) => `one expression reads two scopes: ${first} and ${second}`,
  hint: () => 'compute the value in a def of one scope and reference that',
});
const patchReferenced = defineDiagnostic({
  code: 'reference/unpublished',
  severity: 'error',
  message: ({ name }: { name: string }) => `"${name}" is a patch node, which publishes nothing`,
  hint: () => 'read its target with a ref node',
});

/** The diagnostics of resolving names. */
export const resolveDiagnostics = [unknown, eachOutside, iteratorHidden, iteratorInDimension, mixedFrames, patchReferenced] as const;

/**
 * Gives every free name of a node's expressions its meaning, and the node its dependencies; a reference to an outer frame makes the graph
 * node at that level depend on it (graph.md 3).
 */
export class Resolver {
  readonly #report: Report;
  readonly #steps: Steps;
  /** Names that are types or namespaces of functions, unless a node bears them. */
  readonly #isBuiltIn: (name: string) => boolean;
  /** The names within the Graph that the last node with an unknown one stamps: collected once, or many unknown names would cost their product. */
  #stamped: { readonly node: SourceNode; readonly names: ReadonlySet<string> } | undefined;
  /** What the names of the last expression with an unknown one may mean, for the same reason. */
  #meant: { readonly expression: SourceExpression; readonly meant: Meant } | undefined;

  constructor(report: Report, steps: Steps, isBuiltIn: (name: string) => boolean) {
    this.#report = report;
    this.#steps = steps;
    this.#isBuiltIn = isBuiltIn;
  }

  /** Resolves all expressions of a node. */
  resolve(node: SourceNode): void {
    const iterators = node.forEach.length === 0 ? NO_NAMES : new Set(node.forEach.map(({ iterator }) => iterator));
    for (const expression of node.expressions) this.#resolveExpression(expression, iterators);
    this.#judgeStrings(node.expressions);
  }

  #resolveExpression(expression: SourceExpression, iterators: ReadonlySet<string>): void {
    if (expression.ast === undefined) return;
    const resolved = findReferences(expression.ast).map((reference) => this.#resolveReference(expression, reference, iterators));
    expression.references = resolved.every(isThere) ? resolved : resolved.filter(isThere);
  }

  #resolveReference(expression: SourceExpression, reference: Reference, iterators: ReadonlySet<string>): SourceReference | undefined {
    this.#steps.spend(1);
    const resolved = this.#resolveName(expression, reference, iterators);
    if (resolved?.node === undefined) return resolved;
    expression.frame ??= resolved.node.frame;
    addDependency(expression, resolved);
    return resolved;
  }

  /** Undefined for names of types. */
  #resolveName(expression: SourceExpression, reference: Reference, iterators: ReadonlySet<string>): SourceReference | undefined {
    const { node, role } = expression;
    const { name, span } = reference;
    if (role === 'payload' && iterators.has(name)) return nothing(reference, 'local');
    if (role === 'readyWhen' && name === EACH && (node.forEach.length > 0 || hasRefusedForEach(node))) return nothing(reference, 'local');
    if (role === 'forEach' && iterators.has(name)) {
      this.#report(iteratorInDimension({ name }, placeOf(expression, span)));
      return nothing(reference);
    }
    const target = node.frame.find(name);
    if (target === undefined) {
      if (this.#isBuiltIn(name)) return undefined;
      this.#reportUnknown(expression, reference, iterators);
      return nothing(reference);
    }
    const follows = descend(target, reference.path);
    if (target.kind?.publishes === false || follows.kind?.publishes === false) {
      const withoutValue = target.kind?.publishes === false ? target : follows;
      this.#report(patchReferenced({ name: nameOf(withoutValue) }, placeOf(expression, span)));
      return nothing(reference);
    }
    return { name, span, node: target, follows, isLocal: false };
  }

  #reportUnknown(expression: SourceExpression, reference: Reference, iterators: ReadonlySet<string>): void {
    const { name, span } = reference;
    const { role } = expression;
    const place = placeOf(expression, span);
    const isOfStamped = this.#isOfStamped(expression, name);
    // What is meant for another Graph is right or wrong there: its type here is no further mistake.
    if (isOfStamped) expression.ast = undefined;
    if (name === EACH) this.#report(eachOutside({ isReadyWhen: role === 'readyWhen', isOfStamped }, place));
    else if (iterators.has(name)) this.#report(iteratorHidden({ name, role }, place));
    else this.#report(unknown({ name, hint: isOfStamped ? deferral(name) : this.#hintFor(expression, reference, iterators) }, place));
  }

  /** Whether an expression stands in the spec of a Graph that its node stamps, and a name means something there. */
  #isOfStamped({ node, path }: SourceExpression, name: string): boolean {
    if (this.#stamped?.node !== node) this.#stamped = { node, names: stampedNames(node, this.#steps) };
    const { names } = this.#stamped;
    if (names.size === 0 || (name !== EACH && !names.has(name))) return false;
    const [, field] = path.below(node.place) ?? [];
    return field === 'spec';
  }

  #hintFor(expression: SourceExpression, { name, span }: Reference, iterators: ReadonlySet<string>): string | undefined {
    if (this.#meantIn(expression).keys.has(startOf(span))) return `the key of a map stands in quotes: {"${name}": value}`;
    if (HABITS.has(name)) return 'a Graph has no such name: give the value in a def node, and read nodes by their ids';
    return this.#nearName(expression, name, iterators) ?? nameHabits.get(name);
  }

  /** Names that may not be read where the unknown one stands are not asked for: that would only be the next mistake. */
  #nearName(expression: SourceExpression, name: string, iterators: ReadonlySet<string>): string | undefined {
    const { node: holder, role } = expression;
    if (!this.#steps.maySuggest(iterators.size)) return undefined;
    const candidates = [...this.#meantIn(expression).bound];
    if (role === 'readyWhen') return didYouMean(name, [...candidates, nameOf(holder), ...(holder.forEach.length > 0 ? [EACH] : [])]);
    if (role === 'payload') candidates.push(...iterators);
    const around = new Set(withOwners(holder));
    for (let at: SourceFrame | undefined = holder.frame; at !== undefined; at = at.outer) {
      // Asked before the frame is gone through: as many unknown names as there are nodes must not cost their product.
      if (!this.#steps.maySuggest(at.nodes.length)) return undefined;
      for (const node of at.nodes) {
        if (around.has(node)) continue;
        if (node.id !== undefined && node.kind?.publishes !== false) candidates.push(node.id);
        const way = this.#wayTo(name, node);
        if (way !== undefined) return `"${name}" stands inside graph "${nameOf(node)}": write ${way}`;
      }
    }
    return didYouMean(name, candidates);
  }

  /** `box.inner.name`, if a graph node holds such a node that publishes something, at any depth. */
  #wayTo(name: string, holder: SourceNode): string | undefined {
    const pending = holder.child === undefined ? [] : [{ frame: holder.child, way: nameOf(holder) }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { frame, way } = next;
      const found = frame.node(name);
      if (found !== undefined) return found.kind?.publishes === false ? undefined : `${way}.${name}`;
      if (!this.#steps.maySuggest(frame.nodes.length)) return undefined;
      for (const inner of frame.nodes.toReversed()) {
        if (inner.child !== undefined) pending.push({ frame: inner.child, way: `${way}.${nameOf(inner)}` });
      }
    }
    return undefined;
  }

  #meantIn(expression: SourceExpression): Meant {
    if (expression.ast === undefined) return NOTHING_MEANT;
    if (this.#meant?.expression !== expression) this.#meant = { expression, meant: findMeant(expression.ast) };
    return this.#meant.meant;
  }

  /** The expressions of one string count as one expression (graph.md 2.3, 3.4): its references resolve to one frame. */
  #judgeStrings(expressions: readonly SourceExpression[]): void {
    let first: SourceReference | undefined;
    let holder: SourceExpression | undefined;
    let isMixed = false;
    for (const expression of expressions) {
      if (expression.path !== holder?.path) {
        holder = expression;
        first = undefined;
        isMixed = false;
      }
      for (const reference of expression.references) {
        if (reference.node === undefined || isMixed || isRefused(expression, reference.node)) continue;
        if (first === undefined) {
          first = reference;
          holder = expression;
        }
        if (first.node === undefined || reference.node.frame === first.node.frame) continue;
        const names = { first: describeScope(first.name, first.node), second: describeScope(reference.name, reference.node) };
        this.#report(mixedFrames(names, placeOf(expression, reference.span), [placeOf(holder, first.span)]));
        isMixed = true;
      }
    }
  }
}

/** Whether a name is out of place whatever its frame is: it is told once, and what is left may be of one frame. */
function isRefused({ node, role }: SourceExpression, target: SourceNode): boolean {
  return role === 'readyWhen' ? target !== node : target === node;
}

/** A node and the graph nodes around it. */
function withOwners(node: SourceNode): SourceNode[] {
  const nodes: SourceNode[] = [];
  for (let at: SourceNode | undefined = node; at !== undefined; at = at.frame.owner) nodes.push(at);
  return nodes;
}

function deferral(name: string): string {
  return `it has a meaning in the stamped Graph: to leave the expression to that one, quote it: \${"\${${name}...}"}`;
}

function describeScope(name: string, { frame }: SourceNode): string {
  return `"${name}" of ${frame.owner === undefined ? 'the root graph' : `graph "${nameOf(frame.owner)}"`}`;
}

/** The node that a path through graph nodes leads to, as far as it names nodes. */
function descend(target: SourceNode, path: readonly string[]): SourceNode {
  let at = target;
  for (const field of path) {
    const next = at.child?.node(field);
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

/** Adds the dependency to the node, or to the graph node around it that stands in the frame of what is referenced. */
function addDependency(expression: SourceExpression, reference: SourceReference): void {
  const { node: target, follows = target } = reference;
  if (target === undefined || follows === undefined || expression.role === 'readyWhen') return;
  if (expression.role === 'includeWhen' && target === expression.node) return;
  let dependent: SourceNode | undefined = expression.node;
  while (dependent !== undefined && dependent.frame !== target.frame) dependent = dependent.frame.owner;
  if (dependent === undefined || dependent.dependencies.has(follows)) return;
  dependent.dependencies.add({ sibling: target, follows, expression, reference });
}

/** Names that are there of themselves in other tools. None can be an id but "schema". */
const HABITS: ReadonlySet<string> = new Set(['schema', 'self', 'this', 'spec', 'status', 'metadata', 'object', 'context', 'kro']);

const NO_NAMES: ReadonlySet<string> = new Set();
const NOTHING_MEANT: Meant = { bound: NO_NAMES, keys: new Set() };

/** A name that is no node's: of an iterator or `each`, or of nothing. */
function nothing({ name, span }: Reference, local?: 'local'): SourceReference {
  return { name, span, node: undefined, follows: undefined, isLocal: local === 'local' };
}

function isThere(reference: SourceReference | undefined): reference is SourceReference {
  return reference !== undefined;
}
