import type { Identity } from '../../src/api/object.ts';
import type { Payload } from '../../src/compiler/program.ts';
import { quoteRefusal } from '../../src/engine/quote.ts';
import {
  ApiError,
  ConnectionError,
  isAborted,
  isConflict,
  isForbidden,
  isGone,
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
  if (isByAdmission(answer)) return hard(identity, `refused${byWhom(answer)}: ${quoteRefusal(answer, payload)}`, true);
  if (isInvalid(error)) return { ...hard(identity, quoteRefusal(answer, payload), false), isInvalid: true };
  if (isConflict(error)) return soft(identity, `changed by others at the same moment (${answer.reason})`);
  if (isGone(error)) return soft(identity, `what was being listed is too old by now (${answer.reason})`);
  if (isTooManyRequests(error) || isTimeout(error) || answer.code === 502 || answer.code === 503)
    return soft(identity, `the API server is busy (${answer.reason})`);
  return hard(identity, quoteRefusal(answer, payload), answer.code >= 500);
}

/** RBAC's refusals in our own words; those of quota and admission plugins as far as they may be quoted. */
function forbidden(error: ApiError, { user, plural, identity, payload }: Request): string {
  const where = identity.namespace === '' ? '' : ` in namespace "${identity.namespace}"`;
  // The authorizer refuses before the object is looked at, and says who may not do what; an admission plugin never names the user so.
  const [, verb, subresource = ''] = (error.causes.length === 0 && RBAC.exec(error.message)) || [];
  if (verb !== undefined) return `forbidden: ${user} may not ${verb} ${plural}${subresource}${where}`;
  return `forbidden${byWhom(error)}: ${quoteRefusal(error, payload)}`;
}

/** The verb and, where the right for one is missing, the subresource with its slash. */
const RBAC = /: User "[^"]*" cannot ([a-z]+) resource (?:"[^"/]*(\/[a-z]+)")?/;

/**
 * Whether a webhook or a policy refuses what is no invalid object: such a refusal may end (graph.md 13). The server itself gives each cause of
 * an invalid object a type.
 */
export function isByAdmission(error: ApiError): boolean {
  const isUntyped = error.causes.length > 0 && error.causes.every(({ type }) => type === '');
  return (isInvalid(error) && isUntyped) || byWhom(error) !== '';
}

const REFUSERS = [
  /^(admission webhook "[a-z0-9.-]+") denied the request/,
  / is forbidden: (ValidatingAdmissionPolicy '[a-z0-9.-]+') with binding /,
  / is forbidden: exceeded (quota: [a-z0-9.-]+),/,
];

/** Who refuses, if the answer says it in words that hold nothing of the object. */
function byWhom({ message }: ApiError): string {
  const refuser = REFUSERS.map((pattern) => pattern.exec(message)?.[1]).find((name) => name !== undefined);
  return refuser === undefined ? '' : ` by ${refuser}`;
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
