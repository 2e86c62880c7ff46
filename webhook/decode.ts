import type { JsonObject, JsonValue, ResourceKind } from '../src/api/object.ts';
import { JsonError, parseExactJson } from './exact-json.ts';

/** Who asks, as the API server authenticated them. */
export interface Requester {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What the API server asks to have judged. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: Operation;
  readonly kind: ResourceKind;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty when the API server is still to generate it. */
  readonly name: string;
  readonly dryRun: boolean;
  readonly user: Requester;
  /** Empty when the request named none. */
  readonly fieldManager: string;
  /** The object as it would be stored; undefined on DELETE. */
  readonly object: JsonObject | undefined;
  /** The object as it is stored; undefined on CREATE. */
  readonly oldObject: JsonObject | undefined;
}

/** A body that cannot be judged: answered with this status and text, never with a verdict. */
export class BadReview extends Error {
  override readonly name = 'BadReview';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const REVIEW_VERSION = 'admission.k8s.io/v1';
const OPERATIONS: ReadonlySet<string> = new Set(['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] satisfies Operation[]);
const BYTE_ORDER_MARK = 0xfeff;

/** The admission request in the bytes of an AdmissionReview; throws a BadReview that says what is wrong (graph.md 14.6). */
export function decode(bytes: Uint8Array): AdmissionRequest {
  const review = asObject(readJson(bytes), 'the body');
  if (review['kind'] !== 'AdmissionReview') throw new BadReview(400, `kind: expected "AdmissionReview", found ${print(review['kind'])}`);
  if (review['apiVersion'] !== REVIEW_VERSION) {
    throw new BadReview(400, `apiVersion: expected "${REVIEW_VERSION}", found ${print(review['apiVersion'])}`);
  }
  const request = asObject(review['request'], 'request');
  const operation = readOperation(request['operation']);
  const object = optionalObject(request['object'], 'request.object');
  const oldObject = optionalObject(request['oldObject'], 'request.oldObject');
  if (object === undefined && (operation === 'CREATE' || operation === 'UPDATE')) {
    throw new BadReview(400, `request.object: expected an object on ${operation}, found ${print(request['object'])}`);
  }
  if (oldObject === undefined && operation === 'UPDATE') {
    throw new BadReview(400, `request.oldObject: expected an object on UPDATE, found ${print(request['oldObject'])}`);
  }
  const options = optionalObject(request['options'], 'request.options');
  const uid = text(request['uid'], 'request.uid');
  if (uid === '') throw new BadReview(400, 'request.uid: expected a text, found ""');
  return {
    uid,
    operation,
    kind: readKind(request['kind']),
    subresource: text(request['subResource'], 'request.subResource'),
    namespace: text(request['namespace'], 'request.namespace'),
    name: text(request['name'], 'request.name'),
    dryRun: request['dryRun'] === true,
    user: readRequester(request['userInfo']),
    fieldManager: text(options?.['fieldManager'], 'request.options.fieldManager'),
    object,
    oldObject,
  };
}

function readJson(bytes: Uint8Array): JsonValue {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BadReview(400, 'the body is not valid UTF-8');
  }
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) throw new BadReview(400, 'the body begins with a byte order mark, which JSON forbids');
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new BadReview(400, `the body is refused: ${error.message}`);
    throw error;
  }
}

function readOperation(value: JsonValue | undefined): Operation {
  if (typeof value === 'string' && OPERATIONS.has(value)) return value as Operation;
  throw new BadReview(400, `request.operation: expected one of ${[...OPERATIONS].join(', ')}, found ${print(value)}`);
}

function readKind(value: JsonValue | undefined): ResourceKind {
  const kind = asObject(value, 'request.kind');
  return {
    group: text(kind['group'], 'request.kind.group'),
    version: text(kind['version'], 'request.kind.version'),
    kind: text(kind['kind'], 'request.kind.kind'),
  };
}

function readRequester(value: JsonValue | undefined): Requester {
  const user = optionalObject(value, 'request.userInfo') ?? {};
  const extra = optionalObject(user['extra'], 'request.userInfo.extra') ?? {};
  return {
    username: text(user['username'], 'request.userInfo.username'),
    uid: text(user['uid'], 'request.userInfo.uid'),
    groups: texts(user['groups'], 'request.userInfo.groups'),
    extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, texts(values, 'request.userInfo.extra')])),
  };
}

function asObject(value: JsonValue | undefined, place: string): JsonObject {
  const object = optionalObject(value, place);
  if (object === undefined) throw new BadReview(400, `${place}: expected an object, found ${print(value)}`);
  return object;
}

function optionalObject(value: JsonValue | undefined, place: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return value;
  throw new BadReview(400, `${place}: expected an object, found ${print(value)}`);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: JsonValue | undefined, place: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw new BadReview(400, `${place}: expected a text, found ${print(value)}`);
}

function texts(value: JsonValue | undefined, place: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new BadReview(400, `${place}: expected a list, found ${print(value)}`);
  return value.map((element: JsonValue) => text(element, place));
}

const LONGEST_QUOTE = 60;

/** A value as a refusal names it: short texts are quoted, the rest is called by its type. */
function print(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return value.length > LONGEST_QUOTE ? 'a longer text' : JSON.stringify(value);
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value === 'bigint' ? 'number' : typeof value}`;
}
