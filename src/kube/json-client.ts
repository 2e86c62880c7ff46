import type { JsonObject, KubeObject } from '../api/object.ts';
import type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  JsonDocument,
  KubeClient,
  ListOptions,
  ObjectList,
  ObjectMetadata,
  ObjectRef,
  Patch,
  Selection,
  WatchEvent,
  WatchOptions,
  WriteOptions,
  Written,
} from './client.ts';
import { ConnectionError } from './error.ts';
import type { Http, HttpRequest } from './http.ts';
import { printJson } from './json.ts';
import { collectionPath, objectPath, type ResourceRef } from './resource.ts';
import { readEvents } from './watch-stream.ts';

const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const APPLY = 'application/apply-patch+yaml';
const PATCH_TYPES = { merge: 'application/merge-patch+json', json: 'application/json-patch+json' } as const;

/** A client of the API server behind these connections, as the process itself or as a user. */
export function createClient(http: Http, user?: string, mayWrite?: () => boolean): KubeClient {
  const send = (request: HttpRequest) => http.request({ ...request, user, mayStart: request.method === 'GET' ? undefined : mayWrite });

  const read = async (path: string, { signal, timeLimit }: CallOptions, accept: string): Promise<unknown> => {
    return (await send({ method: 'GET', path, signal, timeLimit, headers: { accept } })).body;
  };

  const write = async (request: HttpRequest): Promise<Written> => {
    const { status, body, headers } = await send(request);
    return { object: body as KubeObject, isCreated: status === 201, warnings: readWarnings(headers['warning']) };
  };

  async function list<T>(resource: ResourceRef, options: ListOptions, accept: string): Promise<ObjectList<T>> {
    const path = collectionPath(resource) + query({ ...selection(options), ...page(options) });
    return readList<T>(await read(path, options, accept));
  }

  async function* watch<T>(resource: ResourceRef, options: WatchOptions, accept: string): AsyncGenerator<WatchEvent<T>> {
    const { resourceVersion, timeoutSeconds, signal } = options;
    const parameters = { watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: String(timeoutSeconds), resourceVersion };
    const path = collectionPath(resource) + query({ ...selection(options), ...parameters });
    const { body } = await http.stream({ method: 'GET', path, headers: { accept }, user, signal });
    options.onOpen?.();
    try {
      yield* readEvents<T>(body);
    } catch (error) {
      throw error instanceof Error && error.name !== 'ApiError' && error.name !== 'ConnectionError' ? broken(path, error, signal) : error;
    }
  }

  return {
    user,
    as: (other) => createClient(http, other, mayWrite),
    fenced: (condition) => createClient(http, user, condition),

    get: async (object, options = {}) =>
      (await read(objectPath(object, object.name, options.subresource), options, 'application/json')) as KubeObject,
    getMetadata: async (object, options = {}) => (await read(objectPath(object, object.name), options, METADATA)) as ObjectMetadata,
    list: (resource, options = {}) => list<KubeObject>(resource, options, 'application/json'),
    listMetadata: (resource, options = {}) => list<ObjectMetadata>(resource, options, METADATA_LIST),

    create: async (resource, manifest, options = {}) =>
      write({ method: 'POST', path: collectionPath(resource) + query(writing(options)), body: printJson(manifest), ...call(options) }),
    apply: async (object, manifest, options) => write(applyRequest(object, manifest, options)),
    patch: async (object, patch, options = {}) => write(patchRequest(object, patch, options)),
    replace: async (object, manifest, options = {}) => write(replaceRequest(object, manifest, options)),
    updateStatus: async (object, manifest, options = {}) => write(replaceRequest(object, manifest, { ...options, subresource: 'status' })),
    delete: async (object, options) => {
      const { body } = await send(deleteRequest(object, options));
      return !hasDeletionTimestamp(body);
    },

    watch: (resource, options) => watch<KubeObject>(resource, options, 'application/json'),
    watchMetadata: (resource, options) => watch<ObjectMetadata>(resource, options, METADATA),

    getJson: async (path, { etag, accept = 'application/json', signal, timeLimit } = {}): Promise<JsonDocument> => {
      const headers = { accept, ...(etag !== undefined && { 'if-none-match': etag }) };
      const answer = await send({ method: 'GET', path, signal, timeLimit, headers });
      return { body: answer.status === 304 ? undefined : answer.body, etag: first(answer.headers['etag']) };
    },
  };
}

function applyRequest(object: ObjectRef, manifest: JsonObject, options: ApplyOptions): HttpRequest {
  const { manager, force, resourceVersion, subresource } = options;
  const parameters = { ...writing({ ...options, fieldManager: manager }), force: force ? 'true' : undefined };
  const body =
    resourceVersion === undefined ? manifest : { ...manifest, metadata: { ...(manifest['metadata'] as JsonObject), resourceVersion } };
  return {
    method: 'PATCH',
    path: objectPath(object, object.name, subresource) + query(parameters),
    body: printJson(body),
    headers: { 'content-type': APPLY },
    ...call(options),
  };
}

function patchRequest(object: ObjectRef, patch: Patch, options: WriteOptions): HttpRequest {
  return {
    method: 'PATCH',
    path: objectPath(object, object.name, options.subresource) + query(writing(options)),
    body: printJson(patch.body),
    headers: { 'content-type': PATCH_TYPES[patch.type] },
    ...call(options),
  };
}

function replaceRequest(object: ObjectRef, manifest: unknown, options: WriteOptions): HttpRequest {
  const path = objectPath(object, object.name, options.subresource) + query(writing(options));
  return { method: 'PUT', path, body: printJson(manifest), ...call(options) };
}

function deleteRequest(object: ObjectRef, options: DeleteOptions): HttpRequest {
  const { uid, resourceVersion, propagationPolicy, dryRun } = options;
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy,
    ...((uid !== undefined || resourceVersion !== undefined) && { preconditions: { uid, resourceVersion } }),
    ...(dryRun && { dryRun: ['All'] }),
  };
  return { method: 'DELETE', path: objectPath(object, object.name), body: printJson(body), ...call(options) };
}

function writing({ dryRun, fieldManager, fieldValidation }: WriteOptions): Record<string, string | undefined> {
  return { fieldManager, fieldValidation, dryRun: dryRun ? 'All' : undefined };
}

function call({ signal, timeLimit }: CallOptions): Pick<HttpRequest, 'signal' | 'timeLimit'> {
  return { signal, timeLimit };
}

function selection({ labelSelector, fieldSelector }: Selection): Record<string, string | undefined> {
  return { labelSelector, fieldSelector };
}

function page({ limit, continue: next, resourceVersion, resourceVersionMatch }: ListOptions): Record<string, string | undefined> {
  return { limit: limit?.toString(), continue: next, resourceVersion, resourceVersionMatch };
}

function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  return parts.length === 0 ? '' : `?${new URLSearchParams(parts)}`;
}

/** Items of a built-in kind's list bear no apiVersion and kind of their own; an empty metadata list has `items: null`. */
function readList<T>(body: unknown): ObjectList<T> {
  const { apiVersion, kind, metadata, items } = body as {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
    readonly items: readonly { readonly kind?: string }[] | null;
  };
  const itemKind = kind.replace(/List$/, '');
  return {
    items: (items ?? []).map((item) =>
      item.kind === undefined ? { apiVersion, kind: itemKind, ...item } : item,
    ) as readonly unknown[] as readonly T[],
    resourceVersion: metadata?.resourceVersion ?? '',
    continue: metadata?.continue ?? '',
  };
}

function hasDeletionTimestamp(body: unknown): boolean {
  const { kind, metadata } = body as { readonly kind?: string; readonly metadata?: { readonly deletionTimestamp?: string } };
  return kind !== 'Status' && metadata?.deletionTimestamp !== undefined;
}

const NO_WARNINGS: readonly string[] = [];

/** `299 - "text"`, several joined by commas or in a list. */
function readWarnings(header: string | string[] | undefined): readonly string[] {
  if (header === undefined) return NO_WARNINGS;
  const text = Array.isArray(header) ? header.join(', ') : header;
  return [...text.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map((match) => (match[1] ?? '').replace(/\\(.)/g, '$1'));
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function broken(path: string, cause: Error, signal: AbortSignal | undefined): ConnectionError {
  const failure = signal?.aborted ? 'aborted' : 'cut';
  return new ConnectionError(`watch ${path.split('?')[0]}: the connection broke`, { failure, mayHaveRun: false, cause });
}
