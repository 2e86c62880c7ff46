import type { Contribution, Graph, ManagedResource } from '../../src/api/graph.ts';
import type { NodePath } from '../../src/api/names.ts';
import type { Identity, ResourceKind } from '../../src/api/object.ts';
import type { Program, ProgramNode } from '../../src/compiler/program.ts';
import type { Claims } from '../../src/engine/claims.ts';
import type { AccessReviews } from '../../src/kube/access.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import type { Freshness } from '../../src/kube/schemas.ts';
import type { EvaluationContext } from '../../src/runtime/evaluate.ts';
import type { Scope } from '../../src/runtime/scope.ts';
import type { ResourceSchema } from '../../src/schema/snapshot.ts';
import type { Limiter } from '../apply/limiter.ts';
import type { KnownGraph } from '../apply/rivals.ts';
import type { Ledger } from '../inventory/ledger.ts';
import type { Made } from '../inventory/made.ts';
import type { Coverage } from '../watch/coverage.ts';
import type { Fights } from './fights.ts';
import type { GraphMemory } from './memory.ts';
import type { Reader } from './reader.ts';
import type { SharedAnswers } from './shared-answers.ts';

/** Something to tell people about the Graph, as a Kubernetes Event. */
export type Tell = (type: 'Normal' | 'Warning', reason: string, note: string) => void;

/** The structured log of one reconcile. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Counts what came of objects, for metrics; names of objects are no part of them. */
export interface Counts {
  /** So many items of template and patch nodes had this outcome in a walk. */
  applied(result: string, amount: number): void;
  /** One removal of what is no longer rendered ended so. */
  pruned(result: string): void;
}

/** How a kind is served: not at all, or not known since the server behind its group does not answer. */
export type Served =
  | { readonly word: 'served'; readonly kind: ResourceKind; readonly plural: string; readonly namespaced: boolean }
  | { readonly word: 'unserved' | 'unavailable' };

/** What acts on the cluster for one Graph: as whom, within which bounds. Rooms take the members that they need. */
export interface ActingContext {
  readonly graph: Graph;
  readonly graphUid: string;
  readonly namespace: string;
  /** `namespace/name` of the Graph. */
  readonly key: string;
  /** Acts as the applier; refuses writes when the Lease may be lost. */
  readonly applier: KubeClient;
  readonly applierUser: string;
  readonly ledger: Ledger;
  readonly coverage: Coverage;
  readonly memory: GraphMemory;
  readonly access: AccessReviews;
  /** The kind as it is served now. */
  readonly resolveKind: (kind: ResourceKind) => Promise<ResourceSchema | undefined>;
  /** The group and kind in this version, or in one that is served now (graph.md 12.4); `current`: the cluster is asked first. */
  readonly resolveServed: (kind: ResourceKind, least?: Freshness) => Promise<Served>;
  /** Whether a namespace is being deleted or does not exist; `lately`: as far as it was known some seconds ago. */
  readonly isNamespaceEnding: (namespace: string, when: 'now' | 'lately') => Promise<boolean>;
  /** Whether somebody collects garbage here: else an object that is deleted in the foreground would stay for ever. */
  readonly hasGarbageCollector: () => Promise<boolean>;
  /** Those of these Graph hashes that belong to Graphs that exist. */
  readonly aliveGraphs: (hashes: readonly string[]) => Promise<ReadonlyMap<string, KnownGraph>>;
  readonly tell: Tell;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Milliseconds of a clock that never goes back: differences count, not the value. */
  readonly now: () => number;
}

/** Everything that a walk needs; lives from the reading of the Graph to the writing of its status (architecture, A reconcile). */
export interface ReconcileContext extends ActingContext {
  readonly program: Program;
  readonly scope: Scope;
  readonly evaluation: EvaluationContext;
  readonly claims: Claims;
  readonly fights: Fights;
  readonly counts: Counts;
  readonly reader: Reader;
  readonly sharedAnswers: SharedAnswers;
  /** Labels that tell which controller is responsible for a Graph. */
  readonly shardKeys: readonly string[];
  /** When this reconcile began. */
  readonly began: number;
  /** Every object must be applied, since the inventory's applier is another one (graph.md 12.5). */
  readonly mustApply: boolean;
  /** Lets so many writes of this reconcile run at once. */
  readonly limiter: Limiter;
  /** Whether somebody reads what the node publishes. */
  readonly isRead: (node: ProgramNode) => boolean;
  /** Announces objects and contributions and waits until that is stored; false: the inventory would be too large. */
  readonly announce: (entries: readonly ManagedResource[], contributions: readonly Contribution[]) => Promise<boolean>;
  /** Throws if the Graph is being deleted by now: asked before each write, so that a long walk gives way to the teardown (graph.md 8.1). */
  readonly assertWanted: () => void;
  /** Objects that two nodes, or items, were found to render before anything was written: identity key to what is wrong. */
  readonly collisions: ReadonlyMap<string, string>;
  /** The objects that could be rendered before anything was written. */
  readonly foreseen: readonly ManagedResource[];
  /** What the walk has found out, for prune and status. */
  readonly findings: WalkFindings;
}

/** What a walk finds out beyond outcomes. */
export interface WalkFindings {
  /** Paths of template and patch nodes of which every identity was rendered, and of nodes that were skipped. */
  readonly resolved: Set<string>;
  /** Identity keys of all template objects that are wanted. */
  readonly wanted: Set<string>;
  /** Keys of all contributions that are wanted. */
  readonly wantedContributions: Set<string>;
  /** What this walk has made. */
  readonly made: Made;
  /** UIDs of objects that were applied or found as they should be. */
  readonly uids: Set<string>;
  /** Places in the inventory: identity key to node position and item. */
  readonly places: Map<string, number>;
  /** How many writes changed something. */
  writes: number;
  /** Milliseconds after which a refused update of an item is tried again, though the Graph may be ready meanwhile. */
  again: number | undefined;
}

/** A log field for an object. */
export function printObject({ kind, namespace, name }: Identity, path?: NodePath): { readonly object: string; readonly node?: string } {
  return { object: `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`, ...(path === undefined ? {} : { node: path.join('/') }) };
}
