import { templateManager } from '../../src/api/names.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../src/api/object.ts';
import { handedOver } from '../../src/engine/hand-over.ts';
import { entryOf } from '../../src/engine/ownership.ts';
import type { JsonPatchOperation, ObjectRef } from '../../src/kube/client.ts';
import { isConflict } from '../../src/kube/error.ts';
import type { ActingContext } from '../reconcile/context.ts';

/** The name under which this controller changes what is not applied. */
export const UPDATE_MANAGER = 'kro-graph';

const ATTEMPTS = 3;

/** Lets go of an object that is to stay: our managedFields entry goes, its values are kept (graph.md 12.9). Throws what the API server refuses. */
export async function retain(ref: ObjectRef, context: ActingContext): Promise<void> {
  const live = await context.applier.get(ref, { signal: context.signal });
  await rewriteEntries(live, { ref, rule: (entries) => handedOver(entries, templateManager(context.graphUid)) }, context);
}

/** Which object's managedFields are rewritten, and how; `undefined`: they are as they should be. */
export interface Rewriting {
  readonly ref: ObjectRef;
  readonly rule: (entries: readonly ManagedFieldsEntry[]) => readonly ManagedFieldsEntry[] | undefined;
}

/** Rewrites an object's managedFields on the very version that was looked at, and gives the object as it then is. Throws what the API server refuses. */
export async function rewriteEntries(live: KubeObject, { ref, rule }: Rewriting, context: ActingContext): Promise<KubeObject> {
  for (let attempt = 1, seen = live; ; attempt++) {
    const entries = rule(seen.metadata.managedFields ?? []);
    if (entries === undefined) return seen;
    try {
      const body = replaceEntries(seen, entries);
      const { object } = await context.applier.patch(ref, { type: 'json', body }, { fieldManager: UPDATE_MANAGER, signal: context.signal });
      context.coverage.observe(ref, object.metadata, 'wrote');
      return object;
    } catch (error) {
      if (!isConflict(error) || attempt >= ATTEMPTS) throw error;
    }
    seen = await context.applier.get(ref, { signal: context.signal });
  }
}

/** The operations that remove a manager's entry from this very version of an object; undefined: it has none. */
export function withoutEntry(live: KubeObject, manager: string, subresource: string): JsonPatchOperation[] | undefined {
  const entries = live.metadata.managedFields ?? [];
  const own = entryOf(entries, manager, subresource);
  if (own === undefined) return undefined;
  return replaceEntries(
    live,
    entries.filter((entry) => entry !== own),
  );
}

function replaceEntries({ metadata }: KubeObject, entries: readonly ManagedFieldsEntry[]): JsonPatchOperation[] {
  // An empty list would be taken for a client that knows no managedFields; one empty entry is the word for none.
  const value = entries.length === 0 ? [{}] : entries.map((entry) => ({ ...entry }));
  return [
    // Another version is a conflict; that a `test` fails would look like an invalid object.
    { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion ?? '' },
    { op: 'replace', path: '/metadata/managedFields', value },
  ];
}
