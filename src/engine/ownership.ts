import { PATCH_MANAGER_PREFIX, TEMPLATE_MANAGER_PREFIX } from '../api/names.ts';
import type { ManagedFieldsEntry } from '../api/object.ts';
import type { FieldConflict } from '../kube/error.ts';

/** Whether a Graph with this hash exists in the cluster; a manager of none that exists counts as drift (graph.md 9). */
export type IsAlive = (hash: string) => boolean;

/** The hash of the Graph that a template or patch manager stands for; undefined for every other manager. */
export function hashOfManager(manager: string): string | undefined {
  if (manager.startsWith(TEMPLATE_MANAGER_PREFIX)) return manager.slice(TEMPLATE_MANAGER_PREFIX.length);
  if (manager.startsWith(PATCH_MANAGER_PREFIX)) return manager.slice(PATCH_MANAGER_PREFIX.length).split('.', 1)[0];
  return undefined;
}

/** Who owns what a patch wants: how its apply goes on (graph.md 10). */
export interface PatchConflict {
  readonly conflicts: readonly FieldConflict[];
  /** Begins the managers of this Graph's patch nodes. */
  readonly ownPrefix: string;
  /** The managers of the patch nodes that the Graph has now. */
  readonly current: ReadonlySet<string>;
}

/** A patch of the main resource is forced only over managers of patch nodes that this Graph no longer has (graph.md 10). */
export function isStaleOnly({ conflicts, ownPrefix, current }: PatchConflict): boolean {
  return conflicts.length > 0 && conflicts.every(({ manager }) => manager.startsWith(ownPrefix) && !current.has(manager));
}

/**
 * The conflicts over which a status patch is not forced: another patch node that the Graph has now, a patch manager of another Graph that exists,
 * or a list that is owned as a whole (graph.md 10).
 */
export function heldByOthers(
  { conflicts, ownPrefix, current }: PatchConflict,
  isWholeList: (field: string) => boolean,
  isAlive: IsAlive,
): FieldConflict[] {
  return conflicts.filter(({ manager, field }) => {
    if (manager.startsWith(ownPrefix)) return current.has(manager);
    return isWholeList(field) || (manager.startsWith(PATCH_MANAGER_PREFIX) && isAlive(hashOfManager(manager) ?? ''));
  });
}

/** The entry of a manager that applies, on the main resource or a subresource. */
export function entryOf(
  entries: readonly ManagedFieldsEntry[] | undefined,
  manager: string,
  subresource: string | undefined,
): ManagedFieldsEntry | undefined {
  return entries?.find(
    (entry) => entry.manager === manager && entry.operation === 'Apply' && (entry.subresource ?? '') === (subresource ?? ''),
  );
}
