/** One cause of a refusal: its type (`FieldManagerConflict`, `FieldValueInvalid`, …), the field and the server's text. */
export interface ApiCause {
  readonly type: string;
  /** As the API server prints it (`.spec.replicas`, `metadata.name`); empty when the cause is about no field. */
  readonly field: string;
  /** May quote a value of the object: show it only where graph.md 13 allows. */
  readonly message: string;
}

/** What a `Status` of the API server says. */
export interface ApiRefusal {
  /** The HTTP status; 422 where the API server calls a manifest that does not fit its schema an internal error. */
  readonly code: number;
  /** `NotFound`, `Conflict`, `Invalid`, …; empty when the answer was no `Status`. */
  readonly reason: string;
  readonly message: string;
  readonly causes: readonly ApiCause[];
  /** The object or namespace that the answer is about; empty when it names none. */
  readonly name: string;
  /** The kind or resource of `name`, as the server prints it. */
  readonly about: string;
  /** Milliseconds that the server asks to wait; undefined when it does not ask. */
  readonly retryAfter: number | undefined;
}

/** The API server answered, and refused. Whoever catches it decides by `code`, `reason` and causes, never by the text. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly reason: string;
  readonly causes: readonly ApiCause[];
  readonly about: string;
  readonly objectName: string;
  readonly retryAfter: number | undefined;

  constructor(refusal: ApiRefusal) {
    super(refusal.message);
    this.code = refusal.code;
    this.reason = refusal.reason;
    this.causes = refusal.causes;
    this.about = refusal.about;
    this.objectName = refusal.name;
    this.retryAfter = refusal.retryAfter;
  }
}

/** `unreachable`: no connection; `cut`: it broke; `timeout`: no answer in time; `aborted`: the caller gave up; `garbled`: no JSON, or too much. */
export type ConnectionFailure = 'unreachable' | 'cut' | 'timeout' | 'aborted' | 'garbled';

/**
 * No answer came, or none that can be read. `mayHaveRun` tells whether the request may have been carried out all the same:
 * then an intent must stay in the inventory (graph.md 12.1).
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly failure: ConnectionFailure;
  readonly mayHaveRun: boolean;

  constructor(message: string, { failure, mayHaveRun, cause }: { failure: ConnectionFailure; mayHaveRun: boolean; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = failure;
    this.mayHaveRun = mayHaveRun;
  }
}

/**
 * Whether a request that ended in this error may have changed the cluster (graph.md 12.1). A refusal did not; no answer, and an answer
 * that a proxy or an overloaded server gives halfway (5xx), may have.
 */
export function mayHaveRun(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.mayHaveRun;
  if (error instanceof ApiError) return error.code >= 500;
  return true;
}

/** Any 404: the object, its namespace, or the kind is not there. */
export function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 404;
}

/** A 404 that names this object: it is gone, beyond doubt (graph.md 12.4). */
export function isObjectNotFound(error: unknown, { plural, name }: NamedResource): error is ApiError {
  if (!isNotFound(error) || error.reason !== 'NotFound' || error.objectName !== name) return false;
  return plural === 'namespaces' || !namesNamespace(error, name);
}

/** An object among those of a resource. */
interface NamedResource {
  readonly plural: string;
  readonly name: string;
}

/** A 404 since the namespace that would hold the object does not exist. */
export function isNamespaceNotFound(error: unknown, namespace: string): error is ApiError {
  return isNotFound(error) && namesNamespace(error, namespace);
}

/** A 404 that names no object: the server does not serve this resource, or this version of it. */
export function isKindNotServed(error: unknown): error is ApiError {
  return isNotFound(error) && error.objectName === '';
}

/** A 409 other than `AlreadyExists`: a resourceVersion or a UID that does not match, or fields that others own. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 409 && error.reason !== 'AlreadyExists';
}

/** A 409 of server-side apply: other managers own fields; `fieldConflicts` tells which (graph.md 9). */
export function isFieldConflict(error: unknown): error is ApiError {
  return isConflict(error) && error.causes.some((cause) => cause.type === 'FieldManagerConflict');
}

/** A create of what exists. */
export function isAlreadyExists(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 409 && error.reason === 'AlreadyExists';
}

/** Not allowed: by RBAC, by quota or by an admission plugin. */
export function isForbidden(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 403;
}

/** A create in a namespace that is being deleted. */
export function isNamespaceTerminating(error: unknown): error is ApiError {
  return isForbidden(error) && error.causes.some((cause) => cause.type === 'NamespaceTerminating');
}

/** The credentials are missing, wrong or expired. */
export function isUnauthorized(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 401;
}

/** The object does not hold to its schema or its validation (hard, graph.md 9). */
export function isInvalid(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 422 || error.reason === 'Invalid');
}

/** The resourceVersion is too old, or a continue token has expired: list again. */
export function isGone(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone');
}

/** The resource does not know this verb. */
export function isMethodNotAllowed(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 405;
}

/** The server is too busy. */
export function isTooManyRequests(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 429;
}

/** No answer in time: ours ran out, or the server's did. */
export function isTimeout(error: unknown): error is ApiError | ConnectionError {
  if (error instanceof ConnectionError) return error.failure === 'timeout';
  return error instanceof ApiError && (error.code === 504 || error.reason === 'Timeout' || error.reason === 'ServerTimeout');
}

/** The caller's own signal ended the request. */
export function isAborted(error: unknown): error is ConnectionError {
  return error instanceof ConnectionError && error.failure === 'aborted';
}

/** The cluster, not the request, is at fault: try again later, unchanged. */
export function isUnavailable(error: unknown): error is ApiError | ConnectionError {
  if (error instanceof ConnectionError) return error.failure !== 'aborted';
  return error instanceof ApiError && (error.code >= 500 || error.code === 429 || error.code === 401);
}

/** One field that another manager owns. */
export interface FieldConflict {
  readonly manager: string;
  /** `Apply` is a manager that applies, `Update` one that writes by other means. */
  readonly operation: 'Apply' | 'Update';
  readonly subresource: string;
  /** As the API server prints it: `.spec.replicas`. */
  readonly field: string;
}

/** The owners and fields of a server-side apply's 409; they stand in the causes' text alone, in a form that is stable. */
export function fieldConflicts(error: ApiError): readonly FieldConflict[] {
  return error.causes.filter((cause) => cause.type === 'FieldManagerConflict').map(readConflict);
}

const CONFLICT = /^conflict with ("(?:[^"\\]|\\.)*")(?: with subresource ("(?:[^"\\]|\\.)*"))?( using )?/;

function readConflict(cause: ApiCause): FieldConflict {
  const match = CONFLICT.exec(cause.message);
  return {
    manager: unquote(match?.[1]),
    operation: match?.[3] === undefined ? 'Apply' : 'Update',
    subresource: unquote(match?.[2]),
    field: cause.field,
  };
}

function unquote(text: string | undefined): string {
  if (text === undefined) return '';
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}

function namesNamespace(error: ApiError, namespace: string): boolean {
  return error.objectName === namespace && error.about === 'namespaces';
}
