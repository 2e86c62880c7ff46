/** Any JSON value as we hold it; integers beyond 2^53 are bigints, so that int64 stays exact (graph.md 7). */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A Kubernetes kind as an apiVersion and kind name it. */
export interface ResourceKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The metadata of an object as the API server sends it; the members that this project reads. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** One entry of `metadata.managedFields`. */
export interface ManagedFieldsEntry {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: JsonObject;
  readonly subresource?: string;
}

/** An object of the API server: JSON with a type and metadata. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** What makes two manifests the same object: never the version (graph.md, Terms). */
export interface Identity {
  readonly group: string;
  readonly kind: string;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** What names of groups and versions are written with. */
const API_NAME = /^[A-Za-z0-9.-]+$/;
const KIND_NAME = /^[A-Za-z0-9._-]+$/;

/** Splits `apps/v1` or `v1`; undefined when it is not group/version. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } | undefined {
  const slash = apiVersion.indexOf('/');
  const group = slash === -1 ? '' : apiVersion.slice(0, slash);
  const version = apiVersion.slice(slash + 1);
  return slash === 0 || !API_NAME.test(version) || (group !== '' && !API_NAME.test(group)) ? undefined : { group, version };
}

/** Whether a cluster may serve a kind of this name: none holds white space or a slash. */
export function isKindName(kind: string): boolean {
  return KIND_NAME.test(kind);
}

const NO_SEGMENT = /^\.\.?$|[/%]/;
const NAMESPACE_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** Of the name of an object. */
export const LONGEST_NAME = 253;

/** Whether a name can be a part of a URL, as that of every object must; many kinds ask for more. */
export function isUrlSegment(name: string): boolean {
  return !NO_SEGMENT.test(name);
}

/** Whether a namespace can have this name: a label of DNS. */
export function isNamespaceName(name: string): boolean {
  return NAMESPACE_NAME.test(name);
}

/** `apps/v1`, or `v1` for the core group. */
export function printApiVersion({ group, version }: Pick<ResourceKind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `apps/v1 Deployment`. */
export function printResourceKind(kind: ResourceKind): string {
  return `${printApiVersion(kind)} ${kind.kind}`;
}

/** A text that is equal for equal identities, and for no others; a key of maps and sets. */
export function identityKey(identity: Identity): string {
  return `${identity.group}/${identity.kind}/${identity.namespace}/${identity.name}`;
}

/** For people: `Deployment team-a/web`, `Namespace team-a`, `Widget.example.com team-a/w`. */
export function printIdentity(identity: Identity): string {
  const kind = identity.group === '' || identity.group === 'apps' ? identity.kind : `${identity.kind}.${identity.group}`;
  return `${kind} ${identity.namespace === '' ? '' : `${identity.namespace}/`}${identity.name}`;
}
