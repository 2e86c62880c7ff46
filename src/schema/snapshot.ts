import type { ResourceKind } from '../api/object.ts';
import type { OpenApiSchema } from './openapi.ts';

/** What the compiler may know of one served kind. */
export interface ResourceSchema {
  readonly kind: ResourceKind;
  /** The resource's plural, as in URLs. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** The verbs that discovery lists, such as `get`, `list`, `patch`. */
  readonly verbs: ReadonlySet<string>;
  /** Whether the resource has a `status` subresource. */
  readonly hasStatus: boolean;
  /** The kind's OpenAPI schema, its `$ref`s resolved lazily; undefined when the server publishes none (then it is dyn). */
  readonly schema: OpenApiSchema | undefined;
  /** Equal while the schema is equal; a part of every cache key. */
  readonly hash: string;
}

/**
 * The schemas that a Graph is compiled against: immutable, and the compiler's only view of a cluster.
 * Kinds that were not asked for when it was loaded are absent.
 */
export interface SchemaSnapshot {
  /** Equal for snapshots whose schemas are equal. */
  readonly version: string;
  /** The kind as it is served; undefined when the cluster does not serve it. */
  get(kind: ResourceKind): ResourceSchema | undefined;
  /** The versions in which the cluster serves this group and kind, preferred first; empty when it does not. */
  versions(group: string, kind: string): readonly string[];
  /** All kinds that the cluster serves, for finding near names. */
  served(): readonly ResourceKind[];
}

/** Whether a kind is going: its objects can still be deleted, but none can be made or changed, since its CustomResourceDefinition is being deleted. */
export function isEnding({ verbs }: Pick<ResourceSchema, 'verbs'>): boolean {
  return verbs.has('delete') && !verbs.has('create') && !verbs.has('patch');
}
