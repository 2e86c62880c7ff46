import { NotCompiled } from './compile-pool.ts';
import { BadReview } from './decode.ts';
import type { AdmissionObserver, Answered } from './server.ts';
import type { Verdict } from './verdict.ts';

/** What the log is told; pino fits. */
export interface ObserverLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What is counted; WebhookMetrics fits. */
export interface ObserverMetrics {
  started(): void;
  ended(code: number, seconds: number): void;
  denied(code: string): void;
  warned(code: string): void;
}

const MOST_CODES = 20;

/** Counts and logs each request, without anything of the object but its name (operations.md 8). */
export function createObserver(log: ObserverLog, metrics: ObserverMetrics): AdmissionObserver {
  return {
    began: () => metrics.started(),
    answered: (answered) => {
      metrics.ended(answered.status, answered.milliseconds / 1000);
      if (answered.verdict !== undefined) count(answered.verdict, metrics);
      tell(answered, log);
    },
  };
}

function count(verdict: Verdict, metrics: ObserverMetrics): void {
  switch (verdict.word) {
    case 'undecided':
      metrics.denied(verdict.why.code);
      break;
    case 'denied':
      for (const { code } of verdict.errors) metrics.denied(code);
      for (const { code } of verdict.warnings) metrics.warned(code);
      break;
    case 'allowed':
      for (const { code } of verdict.warnings) metrics.warned(code);
      break;
    default:
      verdict satisfies never;
  }
}

function tell({ request, verdict, status, milliseconds, bytes, error }: Answered, log: ObserverLog): void {
  const fields = {
    ...(request === undefined
      ? {}
      : {
          uid: request.uid,
          user: request.user.username,
          operation: request.operation,
          dryRun: request.dryRun,
          namespace: request.namespace,
          name: request.name,
        }),
    code: status,
    ms: Math.round(milliseconds * 10) / 10,
    bytes,
  };
  if (error instanceof BadReview) log.warn({ ...fields, why: error.message }, 'request refused');
  else if (error !== undefined) log.error({ ...fields, error: withStack(error) }, 'request failed');
  else if (verdict === undefined) log.warn(fields, 'request not answered');
  else log.info({ ...fields, verdict: verdict.word, ...codesOf(verdict) }, 'request judged');
}

/** The stack of the thread that failed says more than that of the pool. */
function withStack(error: unknown): unknown {
  return error instanceof NotCompiled && typeof error.cause === 'string' ? { message: error.message, stack: error.cause } : error;
}

function codesOf(verdict: Verdict): { readonly errors?: readonly string[]; readonly warnings?: readonly string[] } {
  const codes = (list: readonly { readonly code: string }[]): string[] => [...new Set(list.map(({ code }) => code))].slice(0, MOST_CODES);
  if (verdict.word === 'undecided') return { errors: [verdict.why.code] };
  const warnings = verdict.warnings.length === 0 ? {} : { warnings: codes(verdict.warnings) };
  return verdict.word === 'denied' ? { errors: codes(verdict.errors), ...warnings } : warnings;
}
