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
  return holds(entry.fieldsV1, wanted, live);
}

function holds(fields: JsonObject, wanted: JsonValue | undefined, live: JsonValue | undefined): boolean {
  const names = Object.keys(fields).filter((name) => name !== '.');
  if (names.length === 0) return isEqualJson(wanted, live);
  if (Array.isArray(wanted)) return Array.isArray(live) && holdsInList(fields, names, wanted, live);
  const [wantedObject, liveObject] = [asObject(wanted), asObject(live)];
  if (wantedObject === undefined || liveObject === undefined) return false;
  if (names.length !== Object.keys(wantedObject).length) return false;
  return names.every((name) => {
    const field = name.slice(2);
    if (!name.startsWith('f:') || !Object.hasOwn(wantedObject, field)) return false;
    return holds(asObject(fields[name]) ?? {}, wantedObject[field], liveObject[field]);
  });
}

function holdsInList(fields: JsonObject, names: readonly string[], wanted: readonly JsonValue[], live: readonly JsonValue[]): boolean {
  if (names.length !== wanted.length) return false;
  return names.every((name) => {
    const value = parse(name.slice(2));
    if (name.startsWith('v:')) return wanted.some((item) => isEqualJson(item, value)) && live.some((item) => isEqualJson(item, value));
    const key = asObject(value);
    if (!name.startsWith('k:') || key === undefined) return false;
    const matching = wanted.filter((item) => matches(item, key, 'may lack a default'));
    const [liveItem] = live.filter((item) => matches(item, key, 'whole'));
    return matching.length === 1 && liveItem !== undefined && holds(asObject(fields[name]) ?? {}, matching[0], liveItem);
  });
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
