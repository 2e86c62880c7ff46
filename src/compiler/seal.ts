import { type JsonObject, type JsonValue, printResourceKind, type ResourceKind } from '../api/object.ts';
import type { Plan } from '../cel/plan.ts';
import type { SchemaSnapshot } from '../schema/snapshot.ts';
import type { Analysis } from './analyse.ts';
import { nameOf, pathOf, type SourceFrame, type SourceNode } from './frame.ts';
import type { CommonNode, SealedParts } from './kinds/kind.ts';
import type { CompileLimits } from './limits.ts';
import { literals, type SourceExpression, type SourcePayload, type SourceReference, type SourceValue } from './payload.ts';
import { type Meaning, PlacedExpression, planExpression } from './plan-expression.ts';
import type {
  Dependency,
  Dimension,
  Expression,
  Frame,
  GraphProgramNode,
  ObjectPayload,
  Payload,
  Program,
  ProgramNode,
  Target,
} from './program.ts';

/** Makes the Program of an analysis without errors; keeps nothing of the analysis alive, and uses it up. */
export function seal(analysis: Analysis, schemas: SchemaSnapshot, limits: CompileLimits): Program {
  const [root] = analysis.frames;
  if (root === undefined) throw new Error('a Graph without errors has a root frame');
  const sealer = new Sealer();
  for (const node of analysis.nodes) sealer.add(node);
  const kinds = sealer.kinds();
  return {
    root: sealer.frameOf(root),
    nodes: sealer.nodes,
    kinds,
    missingKinds: kinds.filter((kind) => schemas.get(kind) === undefined),
    hasDynamicTypes: analysis.nodes.some(({ checked }) => checked?.target?.kind === 'dynamic'),
    schemaVersion: schemas.version,
    collectionLimit: limits.collectionSize,
  };
}

class SealedFrame implements Frame {
  owner: GraphProgramNode | undefined;
  readonly nodes: ProgramNode[] = [];
  readonly #byId = new Map<string, ProgramNode>();

  add(node: ProgramNode): void {
    this.nodes.push(node);
    this.#byId.set(node.id, node);
  }

  node(id: string): ProgramNode | undefined {
    return this.#byId.get(id);
  }
}

class Sealer implements SealedParts {
  readonly nodes: ProgramNode[] = [];
  readonly #frames = new Map<SourceFrame, SealedFrame>();
  /** Expressions share a plan only where their names mean the same. */
  readonly #meanings = new Map<Plan, Meaning>();
  readonly #kinds = new Map<string, ResourceKind>();
  readonly #alone = new Map<ProgramNode, readonly ProgramNode[]>();

  /** Seals a node; those that it depends on have been added before. */
  add(node: SourceNode): void {
    const readyWhen: Expression[] | undefined = node.readyWhen.length === 0 ? undefined : [];
    this.#markIterators(node);
    const frame = this.#frameFor(node.frame);
    const isCollection = node.forEach.length > 0;
    const common = {
      id: nameOf(node),
      path: pathOf(node),
      place: node.place,
      frame,
      position: this.nodes.length,
      wave: node.wave,
      dependencies: this.#dependenciesOf(node),
      includeWhen: this.#standalonesOf(node.includeWhen),
      readyWhen: readyWhen ?? NONE,
      forEach: this.#dimensionsOf(node),
      publishesList: isCollection || node.checked?.publishesList === true,
      published: node.published,
    };
    if (node.kind === undefined) throw new Error('a node without errors has a kind');
    const sealed = node.kind.seal(node, common, this);
    this.nodes.push(sealed);
    node.sealed = sealed;
    frame.add(sealed);
    this.#markLive(node);
    readyWhen?.push(...this.#standalonesOf(node.readyWhen));
    forget(node);
  }

  frameOf(frame: SourceFrame): Frame {
    return this.#frameFor(frame);
  }

  kinds(): readonly ResourceKind[] {
    return [...this.#kinds.values()];
  }

  graphAround(node: SourceNode, common: CommonNode): GraphProgramNode {
    const child = this.#frameFor(node.child ?? node.frame);
    const graph: GraphProgramNode = { kind: 'graph', ...common, child };
    child.owner = graph;
    return graph;
  }

  #frameFor(frame: SourceFrame): SealedFrame {
    const known = this.#frames.get(frame);
    if (known !== undefined) return known;
    const made = new SealedFrame();
    this.#frames.set(frame, made);
    return made;
  }

  #dependenciesOf(node: SourceNode): readonly Dependency[] {
    const dependencies = node.dependencies.list();
    if (dependencies.length === 0) return NONE;
    return dependencies.map(({ sibling, follows }) => ({
      sibling: sealedOf(sibling),
      follows: sealedOf(follows),
    }));
  }

  targetOf({ checked }: SourceNode): Target {
    const target = checked?.target;
    if (target === undefined) throw new Error('a node about an object has a target');
    if (target.kind === 'static') this.#kinds.set(printResourceKind(target.resource), target.resource);
    return target;
  }

  payloadOf({ content }: SourceNode): ObjectPayload {
    const payload = content === undefined ? undefined : this.#payloadOf(content);
    if (payload?.kind === 'object') return payload;
    const value = payload?.kind === 'literal' ? payload.value : {};
    return { kind: 'object', entries: literals(isJsonObject(value) ? value : {}) };
  }

  #payloadOf(payload: SourcePayload): Payload {
    switch (payload.kind) {
      case 'literal':
        return payload;
      case 'standalone':
        return { kind: 'standalone', expression: this.#expressionOf(payload) };
      case 'text':
        return { kind: 'text', parts: payload.parts.map((part) => (typeof part === 'string' ? part : this.#expressionOf(part))) };
      case 'list':
        return { kind: 'list', items: payload.items.map((item) => this.#payloadOf(item)) };
      case 'object':
        return { kind: 'object', entries: payload.entries.map((entry) => this.#payloadOf(entry)) };
      case 'broken':
        throw new Error('a Graph without errors has no broken string');
      default:
        return payload satisfies never;
    }
  }

  #standalonesOf(values: readonly SourceValue[]): readonly Expression[] {
    if (values.length === 0) return NONE;
    return values.flatMap(({ content }): readonly Expression[] => (content.kind === 'standalone' ? [this.#expressionOf(content)] : NONE));
  }

  #dimensionsOf({ forEach }: SourceNode): readonly Dimension[] {
    if (forEach.length === 0) return NONE;
    return forEach.flatMap(({ iterator, list }): readonly Dimension[] =>
      list?.content.kind === 'standalone' ? [{ iterator, list: this.#expressionOf(list.content) }] : NONE,
    );
  }

  #expressionOf(expression: SourceExpression): Expression {
    const { plan, path, text } = expression;
    if (plan === undefined) throw new Error('an expression without errors has been planned');
    let meaning = this.#meanings.get(plan);
    if (meaning === undefined) {
      meaning = this.#meaningOf(expression, plan);
      this.#meanings.set(plan, meaning);
    }
    return new PlacedExpression(path, text, meaning);
  }

  #meaningOf(expression: SourceExpression, plan: Plan): Meaning {
    const references = this.#shared(distinct(expression.references, ({ node }) => node && sealedOf(node)));
    const follows = this.#shared(distinct(expression.references, (reference) => reference.follows && sealedOf(reference.follows)));
    return planExpression({
      frame: expression.frame === undefined ? undefined : this.#frameFor(expression.frame),
      references,
      follows: isSame(references, follows) ? references : follows,
      locals: distinct(expression.references, ({ name, isLocal }) => (isLocal ? name : undefined)),
      readsCluster: this.#readsCluster(expression),
      type: expression.valueType,
      plan,
    });
  }

  /** Most expressions read one node: all that read it share the list of it alone. */
  #shared(nodes: readonly ProgramNode[]): readonly ProgramNode[] {
    const [only] = nodes;
    if (only === undefined || nodes.length > 1) return nodes;
    const known = this.#alone.get(only) ?? nodes;
    this.#alone.set(only, known);
    return known;
  }

  #readsCluster({ node, role, references }: SourceExpression): boolean {
    return references.some((reference) => {
      if (reference.isLocal) return role === 'readyWhen' ? node.isLive : node.hasLiveItems;
      return reference.follows?.isLive === true;
    });
  }

  #markIterators(node: SourceNode): void {
    if (node.forEach.length === 0) return;
    if (node.expressions.some((read) => read.role === 'forEach' && this.#readsCluster(read))) node.hasLiveItems = true;
  }

  /** An object is live; a def if it reads one; a graph node if one of its nodes is. */
  #markLive(node: SourceNode): void {
    const isLive = node.child === undefined && (node.kind?.isValue !== true || node.expressions.some((read) => this.#readsCluster(read)));
    if (!isLive) return;
    for (let at: SourceNode | undefined = node; at !== undefined && !at.isLive; at = at.frame.owner) at.isLive = true;
  }
}

const NONE: readonly never[] = [];

/** What is sealed is not read again: with every node less is alive of the analysis, and more of the Program. */
function forget(node: SourceNode): void {
  node.content = undefined;
  node.expressions = NONE;
  node.includeWhen = NONE;
  node.readyWhen = NONE;
  node.forEach = NONE;
}

function sealedOf(node: SourceNode): ProgramNode {
  if (node.sealed === undefined) throw new Error(`node "${nameOf(node)}" comes after one that depends on it`);
  return node.sealed;
}

/** What is read of the references, each once. Lists are as long as what is in them, and empty ones one: there are three of an expression. */
function distinct<T>(references: readonly SourceReference[], read: (reference: SourceReference) => T | undefined): readonly T[] {
  const [first] = references;
  const only = references.length === 1 && first !== undefined ? read(first) : undefined;
  if (references.length < 2) return only === undefined ? NONE : [only];
  const found = new Set<T>();
  for (const reference of references) {
    const item = read(reference);
    if (item !== undefined) found.add(item);
  }
  return found.size === 0 ? NONE : [...found];
}

function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}
