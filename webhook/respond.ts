import type { Diagnostic } from '../src/diagnostic/diagnostic.ts';
import { inPathOrder } from '../src/diagnostic/diagnostic.ts';
import { printMessage } from '../src/diagnostic/print.ts';
import type { AdmissionRequest } from './decode.ts';
import type { Verdict } from './verdict.ts';
import { printWarnings } from './warnings.ts';

/** The answer that the API server takes, as it goes over the wire. */
export interface AdmissionReview {
  readonly apiVersion: 'admission.k8s.io/v1';
  readonly kind: 'AdmissionReview';
  readonly response: AdmissionResponse;
}

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: DenialStatus;
  readonly warnings?: readonly string[];
}

export interface DenialStatus {
  readonly status: 'Failure';
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: {
    readonly name: string;
    readonly group: string;
    readonly kind: string;
    readonly causes: readonly Cause[];
  };
}

/** One mistake: its code, where it stands, and what to do. */
export interface Cause {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

/**
 * After 422 and 409, `kubectl apply --force` and Flux with `force` delete the live Graph and all that it manages (graph.md 14.1):
 * so an update is answered with neither.
 */
const DENIALS = {
  CREATE: { code: 422, reason: 'Invalid' },
  UPDATE: { code: 400, reason: 'BadRequest' },
} as const;

const LATE = { code: 504, reason: 'Timeout' } as const;
const UNREADABLE = { code: 503, reason: 'ServiceUnavailable' } as const;

/** The AdmissionReview that tells a verdict; kubectl prints one line for each error (graph.md 14.1, 14.2). */
export function respond(request: AdmissionRequest, verdict: Verdict): AdmissionReview {
  switch (verdict.word) {
    case 'allowed':
      return review({ uid: request.uid, allowed: true, ...withWarnings(printWarnings(verdict.warnings)) });
    case 'denied':
      return review({
        uid: request.uid,
        allowed: false,
        status: denial(request, verdict.errors),
        ...withWarnings(printWarnings(verdict.warnings)),
      });
    case 'undecided':
      return review({
        uid: request.uid,
        allowed: false,
        status: { status: 'Failure', ...(verdict.isLate ? LATE : UNREADABLE), message: printMessage(verdict.why) },
      });
    default:
      return verdict satisfies never;
  }
}

function review(response: AdmissionResponse): AdmissionReview {
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}

function withWarnings(warnings: readonly string[]): Pick<AdmissionResponse, 'warnings'> {
  return warnings.length === 0 ? {} : { warnings };
}

function denial(request: AdmissionRequest, errors: readonly Diagnostic[]): DenialStatus {
  const { code, reason } = request.operation === 'UPDATE' ? DENIALS.UPDATE : DENIALS.CREATE;
  const causes = fitting(inPathOrder(errors));
  const subject = request.name === '' ? 'the Graph' : `the Graph "${request.name}"`;
  const lines = causes.map(({ field, message }) => (field === '' ? `* ${message}` : `* ${field}: ${message}`));
  return {
    status: 'Failure',
    code,
    reason,
    message: `${subject} has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}:\n${lines.join('\n')}`,
    details: { name: request.name, group: request.kind.group, kind: request.kind.kind, causes },
  };
}

function toCause(diagnostic: Diagnostic): Cause {
  return { reason: diagnostic.code, field: diagnostic.path.toString(), message: withoutImmutable(printMessage(diagnostic)) };
}

/**
 * Tools delete and recreate an object when a denial says "is immutable" or "immutable field" (operations.md 2). We never do, but a quoted
 * expression may: a soft hyphen keeps it readable. The mere name, such as that of a ConfigMap's field, stays.
 */
function withoutImmutable(text: string): string {
  return text.replace(/(\bis\s+im)(mutable)/gi, '$1\u00AD$2').replace(/(im)(mutable\s+field)/gi, '$1\u00AD$2');
}

/** Characters of all causes; they stand in the answer twice, and the API server takes answers of 3 MiB. */
const MOST_CHARACTERS = 512 * 1024;

/** All causes if they fit into an answer, else the first ones and how many more there are: no more are printed than fit. */
function fitting(errors: readonly Diagnostic[]): readonly Cause[] {
  const causes: Cause[] = [];
  let characters = 0;
  for (const error of errors) {
    const cause = toCause(error);
    characters += cause.field.length + cause.message.length;
    if (characters > MOST_CHARACTERS) {
      const more = errors.length - causes.length;
      return [...causes, { reason: 'limit/errors', field: '', message: `and ${more} more errors, which do not fit here` }];
    }
    causes.push(cause);
  }
  return causes;
}
