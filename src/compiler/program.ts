import type { NodeKindName } from '../api/graph.ts';
import type { NodePath } from '../api/names.ts';
import type { JsonValue, ResourceKind } from '../api/object.ts';
import type { Budget } from '../cel/budget.ts';
import type { Type } from '../cel/type.ts';
import type { Value } from '../cel/value.ts';
import type { FieldPath } from '../diagnostic/path.ts';
import type { ResourceSchema } from '../schema/snapshot.ts';

/** A compiled Graph: immutable, shared between reconciles, and a function of the spec and the schemas alone. */
export interface Program {
  readonly root: Frame;
  /** Every node of every frame in apply order; a graph node stands before the nodes of its frame. */
  readonly nodes: readonly ProgramNode[];
  /** Every Kubernetes kind that a node names literally, each once. */
  readonly kinds: readonly ResourceKind[];
  /** Those of `kinds` that the cluster does not serve (graph.md 6.5). */
  readonly missingKinds: readonly ResourceKind[];
  /** Whether any node's apiVersion or kind is computed: then every schema change may concern it (graph.md 11). */
  readonly hasDynamicTypes: boolean;
  /** `version` of the snapshot that it was compiled against. */
  readonly schemaVersion: string;
  /** The most items of one collection (graph.md 5). */
  readonly collectionLimit: number;
}

/** One node list: the root, or the list inside a graph node. */
export interface Frame {
  /** The graph node around it; undefined for the root. */
  readonly owner: GraphProgramNode | undefined;
  /** In apply order (graph.md 3.9). */
  readonly nodes: readonly ProgramNode[];
  /** A node of this frame by its id. */
  node(id: string): ProgramNode | undefined;
}

/** One entry of a node list, compiled. What only some node kinds have stands in the members of the union. */
export type ProgramNode = TemplateProgramNode | RefProgramNode | DefProgramNode | PatchProgramNode | GraphProgramNode;

interface AnyProgramNode {
  readonly kind: NodeKindName;
  readonly id: string;
  /** Its id and those of the graph nodes around it, outermost first. */
  readonly path: NodePath;
  /** Where it stands in the Graph: `spec.nodes[3]`. */
  readonly place: FieldPath;
  readonly frame: Frame;
  /** Its position in `Program.nodes`. */
  readonly position: number;
  /** From 1; one more than the highest wave that it depends on, across frames; a def adds none (0 if it depends on nothing). A graph: that of its last node. */
  readonly wave: number;
  /**
   * What it waits for, each followed node once, at the level of its own frame: a graph node depends on what its frame captures, so that a
   * captured node is never in the list of the node that names it (graph.md 3.5).
   */
  readonly dependencies: readonly Dependency[];
  /** All must hold, or the node is skipped. */
  readonly includeWhen: readonly Expression[];
  /** Each reads the node's own value, or `each`, one item, if it is a collection. */
  readonly readyWhen: readonly Expression[];
  /** One per dimension; empty if the node is no collection. */
  readonly forEach: readonly Dimension[];
  /** Whether it publishes a list: a forEach node, or a ref by selector. */
  readonly publishesList: boolean;
  /** The type of what it publishes; undefined for a patch, which publishes nothing. */
  readonly published: Type | undefined;
}

/** Creates and owns an object, or one per item. */
export interface TemplateProgramNode extends AnyProgramNode {
  readonly kind: 'template';
  readonly target: Target;
  readonly payload: ObjectPayload;
}

/** Reads an object by name, or a list by selector. */
export interface RefProgramNode extends AnyProgramNode {
  readonly kind: 'ref';
  readonly target: Target;
  readonly payload: ObjectPayload;
  readonly by: 'name' | 'selector';
}

/** Computes a value. */
export interface DefProgramNode extends AnyProgramNode {
  readonly kind: 'def';
  readonly payload: ObjectPayload;
}

/** Gives fields to an object that it does not own. */
export interface PatchProgramNode extends AnyProgramNode {
  readonly kind: 'patch';
  readonly target: Target;
  readonly payload: ObjectPayload;
  /** `status` if the payload contributes status, which goes to the subresource. */
  readonly subresource: 'status' | undefined;
}

/** Holds a frame of its own. */
export interface GraphProgramNode extends AnyProgramNode {
  readonly kind: 'graph';
  readonly child: Frame;
}

/**
 * What a node waits for. `${g.child.x}` follows `child` alone (skipped: skipped, waiting: waits), `${g}` follows `g`, which is all of its nodes
 * (graph.md 4).
 */
export interface Dependency {
  /** The node of the same frame. */
  readonly sibling: ProgramNode;
  /** The node whose outcome counts: the sibling, or a node within it if that is a graph node. */
  readonly follows: ProgramNode;
}

/** The Kubernetes kind that a node acts on. */
export type Target =
  | {
      readonly kind: 'static';
      readonly resource: ResourceKind;
      /** As the cluster serves it; undefined while it does not (the node is then checked as a dynamic one, and waits). */
      readonly served: ResourceSchema | undefined;
    }
  /** apiVersion or kind is computed: known when rendered. */
  | { readonly kind: 'dynamic' };

/** What an expression's free names mean while it is evaluated. Undefined: not there (yet), which is data pending. */
export type Lookup = (name: string) => Value | undefined;

/** One checked and planned expression of a Graph. */
export interface Expression {
  /** Where the string that holds it stands. */
  readonly path: FieldPath;
  /** Its own text, without `${` and `}`. */
  readonly text: string;
  /** The frame that its node references resolve to (there is only one, graph.md 3.4); undefined if it references no node. */
  readonly frame: Frame | undefined;
  /** The nodes that it references, each once. */
  readonly references: readonly ProgramNode[];
  /** The nodes whose outcomes count, each once: of `g.child.x` it is `child`, of `g` all of `g`. */
  readonly follows: readonly ProgramNode[];
  /** The iterators and `each` that it reads. */
  readonly locals: readonly string[];
  /** Depends on nothing: it is evaluated once per compile (graph.md 8.7), and `evaluate` gives the same value again. */
  readonly isConstant: boolean;
  /** Reads, directly or through a def, what comes from the cluster: only then may a missing field be data that is not there yet (graph.md 7). */
  readonly readsCluster: boolean;
  readonly type: Type;
  /** Throws EvaluationError; pure. `lookup` is asked for ids of `frame` and for `locals` only. */
  evaluate(lookup: Lookup, budget: Budget): Value;
}

/** One dimension of a forEach. */
export interface Dimension {
  readonly iterator: string;
  readonly list: Expression;
}

/** A node's payload with its expressions compiled; a part without expressions is one literal, whatever its size. */
export type Payload = LiteralPayload | StandalonePayload | TextPayload | ObjectPayload | ListPayload;

/** JSON as the author wrote it; shared, never to be changed. */
export interface LiteralPayload {
  readonly kind: 'literal';
  readonly value: JsonValue;
}

/** A value that is exactly one expression: the result replaces it with its own type. */
export interface StandalonePayload {
  readonly kind: 'standalone';
  readonly expression: Expression;
}

/** Text with expressions, each of type string. */
export interface TextPayload {
  readonly kind: 'text';
  readonly parts: readonly (string | Expression)[];
}

/** The entries of an object in order; a Map serves. */
export interface PayloadEntries extends Iterable<readonly [string, Payload]> {
  get(name: string): Payload | undefined;
  values(): Iterable<Payload>;
}

export interface ObjectPayload {
  readonly kind: 'object';
  readonly entries: PayloadEntries;
}

export interface ListPayload {
  readonly kind: 'list';
  readonly items: readonly Payload[];
}
