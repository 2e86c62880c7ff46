import type { NodeKindName } from '../api/graph.ts';
import {
  type Identity,
  isNamespaceName,
  isUrlSegment,
  type JsonObject,
  type JsonValue,
  LONGEST_NAME,
  parseApiVersion,
  printResourceKind,
  type ResourceKind,
} from '../api/object.ts';
import type { ObjectRef } from '../kube/client.ts';
import type { Trouble } from '../runtime/outcome.ts';
import { isEnding, type ResourceSchema } from '../schema/snapshot.ts';

/** The object that a rendered manifest is about. */
export interface ObjectTarget {
  readonly resource: ResourceSchema;
  readonly identity: Identity;
  /** Where it lives in the API. */
  readonly ref: ObjectRef;
  readonly apiVersion: string;
}

/** Where a manifest goes, or why that cannot be told; `waiting`: its kind is not served (yet). */
export type Aim<T> = { readonly word: 'target'; readonly target: T } | { readonly word: 'waiting' | 'failed'; readonly trouble: Trouble };

/** The apiVersion and kind of a rendered manifest. */
export function kindOf(manifest: JsonObject): ResourceKind | string {
  const { apiVersion, kind } = manifest;
  if (typeof apiVersion !== 'string') return 'apiVersion must be a string';
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined) return `apiVersion "${apiVersion}" is not group/version`;
  if (typeof kind !== 'string' || kind === '') return 'kind must be a string that is not empty';
  return { ...parsed, kind };
}

/** Where a manifest is about to go. */
export interface AimInput {
  readonly manifest: JsonObject;
  readonly nodeKind: NodeKindName;
  /** As the cluster serves its kind; undefined: it does not. */
  readonly resource: ResourceSchema | undefined;
  readonly graphNamespace: string;
}

/**
 * The target of a rendered template, patch or named ref (graph.md 4, 9): namespaced kinds without a namespace get the Graph's, cluster-scoped
 * ones must not have one, and no field that only the server sets may be there.
 */
export function aim({ manifest, nodeKind, resource, graphNamespace }: AimInput): Aim<ObjectTarget> {
  const kind = kindOf(manifest);
  if (typeof kind === 'string') return failed(kind);
  if (resource === undefined) return notServed(kind);
  const { metadata } = manifest;
  if (!isObject(metadata)) return failed('metadata must be an object');
  const { name, namespace } = metadata;
  if (typeof name !== 'string' || name === '') return failed('metadata.name must be a string that is not empty');
  if (!isAbsent(namespace) && typeof namespace !== 'string') return failed('metadata.namespace must be a string');
  const place = typeof namespace === 'string' ? namespace : '';
  const misnamed = misnomer(name, place);
  if (misnamed !== undefined) return failed(misnamed);
  if (!resource.namespaced && place !== '')
    return failed(`metadata.namespace must not be set: ${printResourceKind(kind)} is cluster-scoped`);
  const missing = missingVerb(resource, nodeKind);
  if (missing === 'patch' && isEnding(resource)) return ending(kind);
  if (missing !== undefined) return failed(`${printResourceKind(kind)} does not support ${missing}`);
  const wrong =
    nodeKind === 'ref' ? undefined : (serverField(metadata) ?? (nodeKind === 'patch' ? patchMisfit(manifest, metadata) : undefined));
  if (wrong !== undefined) return failed(wrong);
  const target = targetOf({ kind, resource, namespace: resource.namespaced ? (place === '' ? graphNamespace : place) : '', name });
  return { word: 'target', target };
}

/** What no object can be called; the value itself is not told, since it may be a Secret's. */
function misnomer(name: string, namespace: string): string | undefined {
  if (name.length > LONGEST_NAME) return `metadata.name must not be longer than ${LONGEST_NAME} characters, found ${name.length}`;
  if (!isUrlSegment(name)) return 'metadata.name must not be "." or "..", nor contain "/" or "%"';
  if (namespace !== '' && !isNamespaceName(namespace))
    return 'metadata.namespace must be a DNS label: at most 63 lower-case letters, digits and "-", with a letter or digit at both ends';
  return undefined;
}

/** The target of an object whose identity is known. */
export function targetOf(object: {
  readonly kind: ResourceKind;
  readonly resource: ResourceSchema;
  readonly namespace: string;
  readonly name: string;
}): ObjectTarget {
  const { kind, resource, namespace, name } = object;
  const { group, version } = kind;
  return {
    resource,
    identity: { group, kind: kind.kind, namespace, name },
    ref: { group, version, plural: resource.plural, ...(namespace === '' ? {} : { namespace }), name },
    apiVersion: group === '' ? version : `${group}/${version}`,
  };
}

/** A kind that the cluster does not serve is waited for (graph.md 6.5). */
export function notServed(kind: ResourceKind): { readonly word: 'waiting'; readonly trouble: Trouble } {
  return { word: 'waiting', trouble: { reason: 'DataPending', message: `the cluster does not serve ${printResourceKind(kind)} (yet)` } };
}

/** A kind that is going may come back, as one that is not served may come. */
function ending(kind: ResourceKind): { readonly word: 'waiting'; readonly trouble: Trouble } {
  const message = `${printResourceKind(kind)} is going: its CustomResourceDefinition is being deleted`;
  return { word: 'waiting', trouble: { reason: 'DataPending', message } };
}

/** A manifest with the namespace of its target, and without the nulls that stand for what others set, as it is sent. */
export function inNamespace(manifest: JsonObject, { ref }: ObjectTarget): JsonObject {
  const metadata = isObject(manifest['metadata']) ? manifest['metadata'] : {};
  const given = Object.entries(metadata).filter(([name, value]) => !(isAbsent(value) && SET_BY_OTHERS.has(name)));
  const { namespace: _former, ...rest } = Object.fromEntries(given);
  return { ...manifest, metadata: ref.namespace === undefined ? rest : { ...rest, namespace: ref.namespace } };
}

const SERVER_FIELDS = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
];
const PATCH_REFUSES = ['ownerReferences', 'finalizers'];
const SET_BY_OTHERS: ReadonlySet<string> = new Set([...SERVER_FIELDS, ...PATCH_REFUSES]);

/** Null is no value: `creationTimestamp: null` is what `kubectl create --dry-run` prints. */
function serverField(metadata: JsonObject): string | undefined {
  const field = SERVER_FIELDS.find((name) => !isAbsent(metadata[name]));
  return field === undefined ? undefined : `metadata.${field} is set by the server alone`;
}

function patchMisfit(manifest: JsonObject, metadata: JsonObject): string | undefined {
  const refused = PATCH_REFUSES.find((name) => !isAbsent(metadata[name]));
  if (refused !== undefined) return `a patch may not touch metadata.${refused}`;
  const fields = Object.keys(manifest).filter((name) => !['apiVersion', 'kind', 'metadata', 'status'].includes(name));
  const marks = Object.keys(metadata).filter((name) => name !== 'name' && name !== 'namespace');
  const hasStatus = Object.hasOwn(manifest, 'status');
  const isGiven = fields.some((name) => !isAbsent(manifest[name])) || marks.some((name) => !isAbsent(metadata[name]));
  if (hasStatus && isGiven) return 'a patch may not mix status with other fields';
  return !hasStatus && fields.length + marks.length === 0 ? 'a patch must contribute at least one field' : undefined;
}

const NEEDED = { template: ['patch'], patch: ['patch'], ref: ['get'], def: [], graph: [] } as const satisfies Record<
  NodeKindName,
  readonly string[]
>;

function missingVerb(resource: ResourceSchema, nodeKind: NodeKindName): string | undefined {
  return resource.verbs.size === 0 ? undefined : NEEDED[nodeKind].find((verb) => !resource.verbs.has(verb));
}

function failed(message: string): { readonly word: 'failed'; readonly trouble: Trouble } {
  return { word: 'failed', trouble: { reason: 'ApplyFailed', message } };
}

function isAbsent(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
