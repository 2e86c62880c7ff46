import type { JsonObject, ManagedFieldsEntry } from '../api/object.ts';
import { isObject, readStep } from '../kube/managed-fields.ts';
import { memberOf } from '../kube/managed-places.ts';

/**
 * Whether an entry owns a field that the live object does not show, such as `stringData` of a Secret, which the server turns into `data`. A
 * change of what it became leaves the entry as it is, so that an equal entry proves nothing (graph.md 9). Empty values do not count: the
 * server leaves them out, and whoever sets another takes the field from us.
 */
export function ownsUnseen(manifest: JsonObject, live: JsonObject, entry: ManagedFieldsEntry | undefined): boolean {
  const pending: Place[] = [{ fields: entry?.fieldsV1 ?? {}, live, manifest }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    for (const [key, below] of Object.entries(place.fields)) {
      const step = key === '.' ? undefined : readStep(key);
      if (step === undefined) continue;
      const shown = memberOf(place.live, step)?.value;
      const wanted = memberOf(place.manifest, step)?.value;
      if (shown === undefined && !isEmpty(wanted)) return true;
      if (shown !== undefined && isObject(below)) pending.push({ fields: below, live: shown, manifest: wanted });
    }
  }
  return false;
}

/** What is owned below a field, and what stands there. */
interface Place {
  readonly fields: JsonObject;
  readonly live: unknown;
  readonly manifest: unknown;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === false || value === '' || value === 0 || value === 0n;
}
