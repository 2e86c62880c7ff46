import { hash } from 'node:crypto';
import {
  ANNOTATION_APPLY_ORDER,
  ANNOTATION_ON_DELETE,
  LABEL_APPLYSET_PART_OF,
  PATCH_MANAGER_PREFIX,
  TEMPLATE_MANAGER_PREFIX,
} from '../../src/api/names.ts';
import type { ManagedFieldsEntry, ObjectMeta } from '../../src/api/object.ts';
import { printJson } from '../../src/kube/json.ts';

/** What is kept of a live object: small, since a namespace may hold thousands that no Graph uses. */
export interface LiveRecord {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly isDeleting: boolean;
  /** Everyone who owns a field, each once; shared between objects. */
  readonly managers: readonly string[];
  /** What each manager of a Graph owns, by `markKey`: equal while it owns the same fields. */
  readonly marks: ReadonlyMap<string, string>;
  /** Other tools say that it is theirs (graph.md 9). */
  readonly isPartOfApplySet: boolean;
  /** It is only released when it is pruned or torn down (graph.md 12.9). */
  readonly isRetained: boolean;
  /** The apply order that its annotation tells. */
  readonly wave: number | undefined;
  /** Kept only where somebody selects by labels. */
  readonly labels: Readonly<Record<string, string>> | undefined;
}

const NO_MARKS: ReadonlyMap<string, string> = new Map();

/** The names of managers, so that equal lists are one object in memory. */
export class ManagerLists {
  readonly #lists = new Map<string, readonly string[]>();

  of(entries: readonly ManagedFieldsEntry[] | undefined): readonly string[] {
    const names = [...new Set((entries ?? []).map(({ manager }) => manager))].sort();
    const key = names.join('\n');
    const shared = this.#lists.get(key);
    if (shared !== undefined) return shared;
    if (this.#lists.size >= MOST_LISTS) this.#lists.clear();
    this.#lists.set(key, names);
    return names;
  }
}

const MOST_LISTS = 1000;

/** Folds an object's metadata into a record. */
export function recordOf(metadata: ObjectMeta, lists: ManagerLists, keepLabels = false): LiveRecord {
  return {
    uid: metadata.uid ?? '',
    resourceVersion: metadata.resourceVersion ?? '',
    isDeleting: metadata.deletionTimestamp !== undefined,
    managers: lists.of(metadata.managedFields),
    marks: marksOf(metadata.managedFields),
    isPartOfApplySet: metadata.labels?.[LABEL_APPLYSET_PART_OF] !== undefined,
    isRetained: metadata.annotations?.[ANNOTATION_ON_DELETE] === 'retain',
    wave: waveOf(metadata.annotations?.[ANNOTATION_APPLY_ORDER]),
    labels: keepLabels ? (metadata.labels ?? {}) : undefined,
  };
}

function waveOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[0-9]{1,6}$/.test(text) ? Number(text) : undefined;
}

/** The key of a manager's mark. */
export function markKey(manager: string, subresource: string | undefined): string {
  return `${manager}\n${subresource ?? ''}`;
}

/** What a manager owns of an object, as a short text; undefined if nothing. */
export function markOf(
  entries: readonly ManagedFieldsEntry[] | undefined,
  manager: string,
  subresource: string | undefined,
): string | undefined {
  return marksOf(entries).get(markKey(manager, subresource));
}

/** Whether the first version is as new as the second. Versions are decimal numbers that grow; others are only compared for equality. */
export function isAsNew(version: string, than: string): boolean {
  if (version === than) return true;
  if (!DECIMAL.test(version) || !DECIMAL.test(than)) return false;
  return version.length === than.length ? version > than : version.length > than.length;
}

const DECIMAL = /^[1-9][0-9]*$/;

/** Of one answer they are asked for more than once. */
const known = new WeakMap<readonly ManagedFieldsEntry[], ReadonlyMap<string, string>>();

function marksOf(entries: readonly ManagedFieldsEntry[] | undefined): ReadonlyMap<string, string> {
  if (entries === undefined) return NO_MARKS;
  const marks = known.get(entries) ?? digest(entries);
  known.set(entries, marks);
  return marks;
}

function digest(entries: readonly ManagedFieldsEntry[]): ReadonlyMap<string, string> {
  let marks: Map<string, string> | undefined;
  for (const { manager, operation, apiVersion, subresource, fieldsV1 } of entries) {
    if (operation !== 'Apply') continue;
    if (!manager.startsWith(TEMPLATE_MANAGER_PREFIX) && !manager.startsWith(PATCH_MANAGER_PREFIX)) continue;
    marks ??= new Map();
    marks.set(markKey(manager, subresource), hash('sha1', `${apiVersion}\n${printJson(fieldsV1)}`, 'base64url'));
  }
  return marks ?? NO_MARKS;
}
