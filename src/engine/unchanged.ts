import { isEqualJson } from '../api/is-equal-json.ts';
import type { JsonObject, JsonValue, ManagedFieldsEntry } from '../api/object.ts';

/**
 * Whether applying `manifest` again would change nothing: exactly the fields that it names are owned by `entry`, and the live object has its
 * values in them (graph.md 9). True only when that is certain; a value that the server writes in another form than the manifest is taken for
 * a change, which costs one apply and nothing else.
 */
export function isUnchanged(manifest: JsonObject, live: JsonObject, entry: ManagedFieldsEntry | undefined): boolean {
  if (entry?.fieldsV1 === undefined || entry.apiVersion !== manifest['apiVersion']) return false;
  const { apiVersion: _version, kind: _kind, metadata, ...rest } = manifest;
  const { name: _name, namespace: _namespace, uid: _uid, resourceVersion: _resourceVersion, ...identityless } = asObject(metadata) ?? {};
  const wanted: JsonObject = Object.keys(identityless).length === 0 ? rest : { ...rest, metadata: identityless };
  return holds({ fields: entry.fieldsV1, wanted, live });
}

/** Fields that an entry owns below one place, and what stands there. */
interface Place {
  readonly fields: JsonObject;
  readonly wanted: JsonValue | undefined;
  readonly live: JsonValue | undefined;
}

/** Depth costs no stack: managedFields nest as deep as the objects. */
function holds(whole: Place): boolean {
  const pending = [whole];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { fields, wanted, live } = place;
    const names = Object.keys(fields).filter((name) => name !== '.');
    if (names.length === 0) {
      if (!isEqualJson(wanted, live)) return false;
      continue;
    }
    const members = Array.isArray(wanted) ? itemsOf(fields, names, wanted, live) : fieldsOf(fields, names, wanted, live);
    if (members === undefined) return false;
    for (const member of members) pending.push(member);
  }
  return true;
}

/** What must hold of the fields of an object; undefined: it does not. */
function fieldsOf(
  fields: JsonObject,
  names: readonly string[],
  wanted: JsonValue | undefined,
  live: JsonValue | undefined,
): readonly Place[] | undefined {
  const [wantedObject, liveObject] = [asObject(wanted), asObject(live)];
  if (wantedObject === undefined || liveObject === undefined) return undefined;
  if (names.length !== Object.keys(wantedObject).length) return undefined;
  const places: Place[] = [];
  for (const name of names) {
    const field = name.slice(2);
    if (!name.startsWith('f:') || !Object.hasOwn(wantedObject, field)) return undefined;
    places.push({ fields: asObject(fields[name]) ?? {}, wanted: wantedObject[field], live: liveObject[field] });
  }
  return places;
}

/** What must hold of the items of a list; undefined: it does not. */
function itemsOf(
  fields: JsonObject,
  names: readonly string[],
  wanted: readonly JsonValue[],
  live: JsonValue | undefined,
): readonly Place[] | undefined {
  if (!Array.isArray(live) || names.length !== wanted.length) return undefined;
  const places: Place[] = [];
  for (const name of names) {
    const value = parse(name.slice(2));
    if (name.startsWith('v:')) {
      if (![wanted, live].every((items) => items.some((item) => isEqualJson(item, value)))) return undefined;
      continue;
    }
    const key = asObject(value);
    if (!name.startsWith('k:') || key === undefined) return undefined;
    const matching = wanted.filter((item) => matches(item, key, 'may lack a default'));
    const [liveItem] = live.filter((item) => matches(item, key, 'whole'));
    if (matching.length !== 1 || liveItem === undefined) return undefined;
    places.push({ fields: asObject(fields[name]) ?? {}, wanted: matching[0], live: liveItem });
  }
  return places;
}

function matches(item: JsonValue, key: JsonObject, how: 'whole' | 'may lack a default'): boolean {
  const object = asObject(item);
  if (object === undefined) return false;
  return Object.entries(key).every(([field, value]) =>
    Object.hasOwn(object, field) ? isEqualJson(object[field], value) : how === 'may lack a default',
  );
}

function parse(text: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return null;
  }
}

function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
