import type { JsonObject, JsonValue, KubeObject, ObjectMeta } from '../api/object.ts';
import type { ResourceRef } from './resource.ts';

/** Every call may be given up by its signal, and has a time limit of its own (30 s unless told otherwise). */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeLimit?: number | undefined;
}

/** What every write may be told. */
export interface WriteOptions extends CallOptions {
  /** Answered as a real write, carried out by nobody. */
  readonly dryRun?: boolean | undefined;
  readonly fieldManager?: string | undefined;
  readonly subresource?: string | undefined;
  /** What the server does with unknown and duplicate fields; `Strict` refuses them. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
}

/** How to apply (server-side apply). */
export interface ApplyOptions extends Omit<WriteOptions, 'fieldManager'> {
  readonly manager: string;
  readonly force?: boolean | undefined;
  /** Refused with a conflict when the live object is another version, or none (graph.md 9). */
  readonly resourceVersion?: string | undefined;
}

/** What a write did. */
export interface Written {
  readonly object: KubeObject;
  readonly isCreated: boolean;
  /** The server's own warnings, such as that a version is deprecated. */
  readonly warnings: readonly string[];
}

/** How to delete; with `uid`, another object of the same name is a conflict (graph.md 12.2). */
export interface DeleteOptions extends CallOptions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly propagationPolicy: 'Foreground' | 'Background' | 'Orphan';
  readonly dryRun?: boolean | undefined;
}

/** Which objects to list or to watch. */
export interface Selection {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** One page of a list, or all of it when there is no `limit`. */
export interface ListOptions extends CallOptions, Selection {
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
}

/** A page of objects, each with apiVersion and kind. */
export interface ObjectList<T = KubeObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** Empty on the last page. */
  readonly continue: string;
}

/** An object of which only metadata was asked for. */
export interface ObjectMetadata {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** One event of a watch; a bookmark's object has a resourceVersion and nothing else that counts. An `ERROR` is thrown as ApiError. */
export interface WatchEvent<T = KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

/** A watch has no time limit but what the server is asked for, and the longest silence that is believed. */
export interface WatchOptions extends Selection {
  readonly signal?: AbortSignal | undefined;
  readonly resourceVersion?: string | undefined;
  /** Seconds after which the server ends the watch. */
  readonly timeoutSeconds: number;
  /** The server has accepted the watch. Some servers say so only with the first event. */
  readonly onOpen?: (() => void) | undefined;
}

/** What a patch is: a JSON merge patch (object) or a JSON patch (list of operations). */
export type Patch =
  | { readonly type: 'merge'; readonly body: JsonObject }
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] };

/** One operation of a JSON patch. */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'test';
  readonly path: string;
  readonly value?: JsonValue | undefined;
}

/** One object, by its resource and its name. */
export interface ObjectRef extends ResourceRef {
  readonly name: string;
}

/**
 * The API server as one user sees it, as plain JSON; integers beyond 2^53 are bigints. Every call throws ApiError for a refusal and
 * ConnectionError for no answer. Reads are repeated when a connection breaks; a write is repeated only if it surely was not carried out.
 */
export interface KubeClient {
  /** The user that is impersonated; undefined: the process's own identity. */
  readonly user: string | undefined;
  /** The same client, acting as a user; groups of a ServiceAccount are added by the API server. */
  as(user: string): KubeClient;
  /**
   * The same client, whose writes are sent only while `mayWrite` says so, asked at the last moment before each attempt: none starts when
   * the Lease may have been lost (graph.md 8.5). A write that is held back throws a ConnectionError `aborted` that surely did not run.
   */
  fenced(mayWrite: () => boolean): KubeClient;

  get(object: ObjectRef, options?: CallOptions & { readonly subresource?: string | undefined }): Promise<KubeObject>;
  getMetadata(object: ObjectRef, options?: CallOptions): Promise<ObjectMetadata>;
  list(resource: ResourceRef, options?: ListOptions): Promise<ObjectList>;
  listMetadata(resource: ResourceRef, options?: ListOptions): Promise<ObjectList<ObjectMetadata>>;

  create(resource: ResourceRef, manifest: unknown, options?: WriteOptions): Promise<Written>;
  apply(object: ObjectRef, manifest: JsonObject, options: ApplyOptions): Promise<Written>;
  patch(object: ObjectRef, patch: Patch, options?: WriteOptions): Promise<Written>;
  /** PUT: conditional on the manifest's metadata.resourceVersion where it has one. */
  replace(object: ObjectRef, manifest: unknown, options?: WriteOptions): Promise<Written>;
  /** PUT to the status subresource. */
  updateStatus(object: ObjectRef, manifest: unknown, options?: Omit<WriteOptions, 'subresource'>): Promise<Written>;
  /** Resolves to whether the object is gone; false: it waits for finalizers or its grace period. */
  delete(object: ObjectRef, options: DeleteOptions): Promise<boolean>;

  /** Events until the server ends the watch; a broken connection throws. Uses a connection of its own. */
  watch(resource: ResourceRef, options: WatchOptions): AsyncIterable<WatchEvent>;
  watchMetadata(resource: ResourceRef, options: WatchOptions): AsyncIterable<WatchEvent<ObjectMetadata>>;

  /** Any JSON document of the server (`/openapi/v3`, `/apis`); `etag` makes the request conditional. */
  getJson(
    path: string,
    options?: CallOptions & { readonly etag?: string | undefined; readonly accept?: string | undefined },
  ): Promise<JsonDocument>;
}

/** A JSON document of the server. */
export interface JsonDocument {
  /** Undefined when the server says that the document of this `etag` is still right (304). */
  readonly body: unknown;
  readonly etag: string | undefined;
}
