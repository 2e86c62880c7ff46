import { templateManager } from '../../src/api/names.ts';
import type { JsonValue, KubeObject } from '../../src/api/object.ts';
import type { JsonPatchOperation, ObjectRef } from '../../src/kube/client.ts';
import { isConflict } from '../../src/kube/error.ts';
import type { ActingContext } from '../reconcile/context.ts';

/** The name under which this controller changes what is not applied. */
export const UPDATE_MANAGER = 'kro-graph';

const ATTEMPTS = 3;

/** Lets go of an object that is to stay: our managedFields entry is removed, its values stay (graph.md 12.9). Throws what the API server refuses. */
export async function retain(ref: ObjectRef, context: ActingContext): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const live = await context.applier.get(ref, { signal: context.signal });
    const body = withoutEntry(live, templateManager(context.graphUid), '');
    if (body === undefined) return;
    try {
      const { object } = await context.applier.patch(ref, { type: 'json', body }, { fieldManager: UPDATE_MANAGER, signal: context.signal });
      context.coverage.observe(ref, object.metadata, 'wrote');
      return;
    } catch (error) {
      if (!isConflict(error) || attempt >= ATTEMPTS) throw error;
    }
  }
}

/** The operations that remove a manager's entry from this very version of an object; undefined: it has none. */
export function withoutEntry(live: KubeObject, manager: string, subresource: string): JsonPatchOperation[] | undefined {
  const entries = live.metadata.managedFields ?? [];
  const at = entries.findIndex(
    (entry) => entry.manager === manager && entry.operation === 'Apply' && (entry.subresource ?? '') === subresource,
  );
  if (at < 0) return undefined;
  const test: JsonPatchOperation = { op: 'test', path: '/metadata/resourceVersion', value: live.metadata.resourceVersion ?? '' };
  // An empty list would be taken for a client that knows no managedFields; one empty entry is the word for none.
  const none: readonly JsonValue[] = [{}];
  return entries.length === 1
    ? [test, { op: 'replace', path: '/metadata/managedFields', value: none }]
    : [test, { op: 'remove', path: `/metadata/managedFields/${at}` }];
}
