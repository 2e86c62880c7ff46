import type { NodeKindName } from '../../api/graph.ts';
import type { Type } from '../../cel/type.ts';
import type { Checker } from '../check.ts';
import type { SourceNode } from '../frame.ts';
import type { GraphProgramNode, ObjectPayload, ProgramNode, Target } from '../program.ts';
import type { DiagnosticCode, RuleContext, RuleReport } from '../rules/rule.ts';

/** Which modifiers nodes of a kind accept (graph.md 4). */
export interface AllowedModifiers {
  readonly includeWhen: boolean;
  readonly readyWhen: boolean;
  readonly forEach: boolean;
}

/** What checking a node has found out. */
export interface CheckedNode {
  /** The type of one item of what it publishes; undefined if it publishes nothing. */
  readonly item: Type | undefined;
  /** Whether one item is itself a list: a ref by selector. */
  readonly publishesList: boolean;
  /** Undefined for nodes that are about no object. */
  readonly target: Target | undefined;
}

/** What nodes of every kind have in a Program. */
export type CommonNode = Omit<GraphProgramNode, 'kind' | 'child'>;

/** What a kind may ask for to seal its node. */
export interface SealedParts {
  payloadOf(node: SourceNode): ObjectPayload;
  targetOf(node: SourceNode): Target;
  /** The graph node of the frame inside. */
  graphAround(node: SourceNode, common: CommonNode): GraphProgramNode;
}

/** One node kind as the compiler knows it; nothing outside its file depends on which kind it is. */
export interface NodeKind {
  readonly name: NodeKindName;
  readonly allows: AllowedModifiers;
  /** Whether other nodes may reference it. */
  readonly publishes: boolean;
  /** Whether it creates its objects and deletes them. */
  readonly owns: boolean;
  /** Whether what it publishes is its payload. */
  readonly isValue: boolean;
  /** Whether omit() may leave out its fields. */
  readonly allowsOmit: boolean;
  /** Whether its payload is a node list of its own. */
  readonly holdsFrame: boolean;
  /** Whether items of a forEach are objects, told apart by their name. */
  readonly makesObjects: boolean;
  readonly diagnostics: readonly DiagnosticCode[];
  /** Judges the payload as it is written, before any expression is read. */
  shape(node: SourceNode, report: RuleReport, context: RuleContext): void;
  /** Types the payload, and tells what the node publishes. Runs in apply order. */
  check(node: SourceNode, checker: Checker): CheckedNode;
  /** Makes the Program's node of one that has no mistakes. */
  seal(node: SourceNode, common: CommonNode, parts: SealedParts): ProgramNode;
}
