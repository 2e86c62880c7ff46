import { isEqualJson } from '../api/is-equal-json.ts';
import { RETAINED_MANAGER } from '../api/names.ts';
import type { ManagedFieldsEntry } from '../api/object.ts';
import type { FieldConflict } from '../kube/error.ts';
import { union, without } from '../kube/field-sets.ts';
import { entryOf } from './ownership.ts';

type Entries = readonly ManagedFieldsEntry[];

/**
 * The managedFields of an object that its template manager leaves behind: what it owned is kept for nobody, by an entry that no apply changes
 * (graph.md 12.9). Fields without any owner would go with the last field beside them that somebody releases. Undefined: it owns nothing.
 */
export function handedOver(entries: Entries, manager: string): Entries | undefined {
  const own = entryOf(entries, manager, undefined);
  if (own === undefined) return undefined;
  const kept = entries.find((entry) => isKept(entry) && entry.apiVersion === own.apiVersion);
  const fieldsV1 = union(kept?.fieldsV1 ?? {}, own.fieldsV1 ?? {});
  const whole: ManagedFieldsEntry = { ...own, manager: RETAINED_MANAGER, operation: 'Update', fieldsV1 };
  // Of two entries of one manager, operation and version the API server would take the last alone.
  return entries.flatMap((entry) => (entry === kept ? [] : [entry === own ? whole : entry]));
}

/**
 * The managedFields of an object in which a template manager owns again what was kept for nobody: it has it alone, so that a field which leaves
 * the template leaves the object. Undefined: nothing of what it owns is kept.
 */
export function takenBack(entries: Entries, manager: string): Entries | undefined {
  const own = entryOf(entries, manager, undefined)?.fieldsV1;
  if (own === undefined) return undefined;
  const left = entries.flatMap((entry) => {
    if (!isKept(entry)) return [entry];
    const fieldsV1 = without(entry.fieldsV1 ?? {}, own);
    if (isEqualJson(fieldsV1, entry.fieldsV1)) return [entry];
    return Object.keys(fieldsV1).length === 0 ? [] : [{ ...entry, fieldsV1 }];
  });
  return left.length === entries.length && left.every((entry, at) => entry === entries[at]) ? undefined : left;
}

/** The conflicts with somebody: what is kept for nobody may be taken by whoever wants it. */
export function withSomebody(conflicts: readonly FieldConflict[]): readonly FieldConflict[] {
  return conflicts.filter(({ manager }) => manager !== RETAINED_MANAGER);
}

function isKept({ manager, operation, subresource }: ManagedFieldsEntry): boolean {
  return manager === RETAINED_MANAGER && operation === 'Update' && (subresource ?? '') === '';
}
