import type { ResourceKind } from '../../src/api/object.ts';
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import type { ResourceSchema } from '../../src/schema/snapshot.ts';
import type { Requester } from '../decode.ts';
import type { Target } from './targets.ts';

/** What to do with what a check finds (graph.md 14.2). */
export const POLICIES = ['off', 'warn', 'deny'] as const;

export type Policy = (typeof POLICIES)[number];

/** What a check is about: a Graph that is to be written, by whom, and acting as which account. */
export interface Subject {
  readonly requester: Requester;
  readonly namespace: string;
  /** The ServiceAccount that the Graph acts as. */
  readonly account: string;
  readonly targets: readonly Target[];
  /** A kind as the cluster serves it; undefined when it does not, or when nothing is known of it. */
  readonly served: (kind: ResourceKind) => ResourceSchema | undefined;
}

/** One thing that somebody may be allowed to do. */
export interface Action {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** `status`; empty: the resource itself. */
  readonly subresource: string;
  /** Empty: all namespaces, or a cluster-scoped object. */
  readonly namespace: string;
  /** Empty: any. */
  readonly name: string;
}

/** Today's cluster, as far as checks ask for it; each question throws ApiError or ConnectionError when it cannot be answered. */
export interface ClusterView {
  isAllowed(user: Requester, action: Action, signal: AbortSignal): Promise<boolean>;
  accountExists(namespace: string, name: string, signal: AbortSignal): Promise<boolean>;
}

/** Something that only today's cluster can say; what it finds warns or denies by policy (graph.md 14.2). */
export interface Check {
  /** What it looks at, for people: `the permissions of the applier`. */
  readonly topic: string;
  /** Needs nothing but the account, so it also judges a change of account of a Graph that is being deleted (graph.md 14.3). */
  readonly isOfAccount: boolean;
  run(subject: Subject, cluster: ClusterView, signal: AbortSignal): Promise<readonly Diagnostic[]>;
}
