import type { Identity } from '../../src/api/object.ts';
import type { Payload } from '../../src/compiler/program.ts';
import { quoteRefusal } from '../../src/engine/quote.ts';
import {
  ApiError,
  ConnectionError,
  isAborted,
  isConflict,
  isForbidden,
  isInvalid,
  isKindNotServed,
  isNamespaceNotFound,
  isNamespaceTerminating,
  isNotFound,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
} from '../../src/kube/error.ts';
import type { Trouble } from '../../src/runtime/outcome.ts';

/** A refused request, as what it means for the node: soft or hard is decided here, once (graph.md 8.3). */
export interface Refused {
  readonly word: 'waiting' | 'failed';
  readonly trouble: Trouble;
  /** The server found the object wrong, not the moment or the user. */
  readonly isInvalid: boolean;
}

/** What was asked for, to explain why it was refused. */
export interface Request {
  readonly verb: 'get' | 'list' | 'patch' | 'delete';
  readonly user: string;
  readonly plural: string;
  readonly identity: Identity;
  /** The payload that the manifest was rendered from: what may be quoted of the server's text. */
  readonly payload: Payload | undefined;
}

/** The controller itself may not act as the applier: then nothing is read or written (graph.md 8.2). */
export class ImpersonationRefused extends Error {
  override readonly name = 'ImpersonationRefused';
}

/** Whether a refusal is about acting as this user, before what was asked for was even looked at. */
export function isImpersonationRefusal(error: unknown, user: string): boolean {
  return isForbidden(error) && error.about === 'serviceaccounts' && error.objectName === user.split(':')[3];
}

/** The meaning of an error for the node whose request it ended. What is no answer to that node (lost credentials, our own signal, a bug) is thrown on. */
export function explain(error: unknown, request: Request): Refused {
  if (isAborted(error) || isUnauthorized(error)) throw error;
  if (error instanceof ConnectionError) return soft(request.identity, `no answer from the API server (${error.failure})`);
  if (!(error instanceof ApiError)) throw error;
  if (request.plural !== 'serviceaccounts' && isImpersonationRefusal(error, request.user))
    throw new ImpersonationRefused(error.message, { cause: error });
  return explainAnswer(error, request);
}

function explainAnswer(answer: ApiError, request: Request): Refused {
  const { identity, payload } = request;
  const error: unknown = answer;
  if (isNamespaceTerminating(error))
    return waiting({ reason: 'NamespaceTerminating', identity, message: `namespace "${identity.namespace}" is being deleted` });
  if (isNamespaceNotFound(error, identity.namespace)) return hard(identity, `namespace "${identity.namespace}" does not exist`, true);
  if (isKindNotServed(error)) return pending(identity, 'the cluster does not serve this kind (yet)');
  if (isNotFound(error)) return pending(identity, 'does not exist');
  if (isForbidden(error)) return hard(identity, forbidden(answer, request), true);
  if (isInvalid(error)) return { ...hard(identity, quoteRefusal(answer, payload), false), isInvalid: true };
  if (isConflict(error)) return soft(identity, `changed by others at the same moment (${answer.reason})`);
  if (isTooManyRequests(error) || isTimeout(error) || answer.code === 502 || answer.code === 503)
    return soft(identity, `the API server is busy (${answer.reason})`);
  return hard(identity, quoteRefusal(answer, payload), answer.code >= 500);
}

/** RBAC's refusals in our own words; those of quota and admission plugins as far as they may be quoted. */
function forbidden(error: ApiError, { verb, user, plural, identity, payload }: Request): string {
  const where = identity.namespace === '' ? '' : ` in namespace "${identity.namespace}"`;
  if (isByAuthorizer(error)) return `forbidden: ${user} may not ${verb} ${plural}${where}`;
  return `forbidden: ${quoteRefusal(error, payload)}`;
}

/** The authorizer refuses before the object is looked at, and says who may not do what; an admission plugin never names the user so. */
function isByAuthorizer(error: ApiError): boolean {
  return error.causes.length === 0 && /: User "[^"]*" cannot [a-z]+ resource /.test(error.message);
}

function soft(identity: Identity, message: string): Refused {
  return waiting({ reason: 'ApplyFailed', identity, message });
}

function pending(identity: Identity, message: string): Refused {
  return waiting({ reason: 'DataPending', identity, message });
}

function waiting(trouble: Trouble): Refused {
  return { word: 'waiting', isInvalid: false, trouble };
}

function hard(identity: Identity, message: string, mayHeal: boolean): Refused {
  return { word: 'failed', isInvalid: false, trouble: { reason: 'ApplyFailed', identity, message, ...(mayHeal ? { mayHeal } : {}) } };
}
