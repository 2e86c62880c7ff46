import type { NotConvergedReason } from '../api/graph.ts';
import type { NodePath } from '../api/names.ts';
import type { Identity } from '../api/object.ts';

interface OutcomeOfNode {
  readonly path: NodePath;
}

/** A reason to wait or to fail, with the object concerned and a sentence for people. Never holds a value of the cluster. */
export interface Trouble {
  readonly reason: NotConvergedReason;
  /** The object that it is about, where there is one. */
  readonly identity?: Identity;
  readonly message: string;
  /** Somebody else may mend it without touching the Graph (a right, a quota, another's webhook): it is not called stalled at once (graph.md 13). */
  readonly mayHeal?: boolean;
}

/**
 * What came of a node in one reconcile (graph.md 8.3), as a value.
 * `waiting` is soft: the world may change. `failed` is hard: it waits for a person. Both stop the nodes that depend on it, and no others.
 */
export type Outcome =
  /** Written, or a value computed; `notReady` says why readyWhen does not hold (it reports, and stops nobody). */
  | (OutcomeOfNode & {
      readonly word: 'applied' | 'unchanged' | 'read';
      readonly notReady?: Trouble;
      readonly warnings?: readonly Trouble[];
    })
  /** Left out by includeWhen, or by depending on a node that was. */
  | (OutcomeOfNode & { readonly word: 'skipped' })
  | (OutcomeOfNode & { readonly word: 'waiting'; readonly trouble: readonly Trouble[] })
  | (OutcomeOfNode & { readonly word: 'failed'; readonly trouble: readonly Trouble[] })
  /** Not tried, since a node that it depends on waits or failed. */
  | (OutcomeOfNode & { readonly word: 'blocked'; readonly by: NodePath });
