import type { JsonObject, ObjectMeta } from './object.ts';

/** The five kinds of node; exactly one is a node's payload (graph.md 4). */
export const NODE_KINDS = ['template', 'ref', 'def', 'patch', 'graph'] as const;

/** The name of a node kind. */
export type NodeKindName = (typeof NODE_KINDS)[number];

/** One entry of `spec.nodes`, as the API server stores it. */
export interface GraphNode {
  readonly id: string;
  readonly template?: JsonObject;
  readonly ref?: JsonObject;
  readonly def?: JsonObject;
  readonly patch?: JsonObject;
  readonly graph?: JsonObject;
  readonly includeWhen?: readonly string[];
  readonly readyWhen?: readonly string[];
  readonly forEach?: readonly Readonly<Record<string, string>>[];
}

/** The spec of a Graph. */
export interface GraphSpec {
  readonly nodes: readonly GraphNode[];
  readonly serviceAccountName?: string;
}

/** One object that a Graph manages; without `uid` it is an intent (graph.md 12.1). */
export interface ManagedResource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  /** The `/`-joined node path. */
  readonly nodeID: string;
  /** The apply-order of the object; absent in entries of other implementations. */
  readonly wave?: number;
}

/** Fields that a patch node gave to an object that the Graph does not own. */
export interface Contribution {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly fieldManager: string;
  readonly subresource?: 'status';
}

export const CONDITION_TYPES = ['Accepted', 'ResourcesConverged', 'Ready', 'WatchesHealthy', 'Reconciling', 'Stalled'] as const;

/** The types of condition of a Graph (graph.md 13). */
export type ConditionType = (typeof CONDITION_TYPES)[number];

/** Why ResourcesConverged is False (graph.md 13). */
export type NotConvergedReason =
  | 'WaitingForReadiness'
  | 'DataPending'
  | 'FieldManagerConflict'
  | 'ApplyFailed'
  | 'PruneFailed'
  | 'PruneHeld'
  | 'ReleaseFailed'
  | 'DeleteFailed'
  | 'NamespaceTerminating'
  | 'Suspended';

/** One condition of a status. */
export interface Condition {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration: number;
}

/** What Argo CD's built-in check of this API group reads. */
export type GraphState = 'ACTIVE' | 'IN_PROGRESS' | 'ERROR' | 'DELETING';

/** The status of a Graph. */
export interface GraphStatus {
  readonly observedGeneration?: number;
  readonly state?: GraphState;
  readonly appliedServiceAccount?: string;
  readonly conditions?: readonly Condition[];
  /** For the printer column: `managedResources` has so many entries. */
  readonly managedResourceCount?: number;
  readonly managedResources?: readonly ManagedResource[];
  readonly contributions?: readonly Contribution[];
}

/** A Graph as the API server stores it. */
export interface Graph {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: GraphSpec;
  readonly status?: GraphStatus;
}
