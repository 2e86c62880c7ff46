import type { KubeObject } from '../../src/api/object.ts';
import { takenBack } from '../../src/engine/hand-over.ts';
import { ApiError, ConnectionError } from '../../src/kube/error.ts';
import { rewriteEntries } from '../inventory/retain.ts';
import type { Work } from './item.ts';
import { explain, type Refused } from './refusal.ts';

/** What a template owns of an object, it does not share with what is kept for nobody. */
export interface Taken {
  readonly word: 'taken';
  /** The object as it then is. */
  readonly object: KubeObject;
}

/**
 * Ends that what a template has just applied is also kept for nobody, since the object had been retained (graph.md 12.9): who owns a field with
 * another cannot remove it. Costs nothing where nothing is kept.
 */
export async function takeBack(object: KubeObject, { item, context, manager }: Work): Promise<Taken | Refused> {
  const { ref, identity } = item.target;
  try {
    const rewritten = await rewriteEntries(object, { ref, rule: (entries) => takenBack(entries, manager) }, context);
    return { word: 'taken', object: rewritten.metadata.uid === object.metadata.uid ? rewritten : object };
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof ConnectionError)) throw error;
    return explain(error, { user: context.applierUser, plural: ref.plural, identity, payload: item.node.payload });
  }
}
