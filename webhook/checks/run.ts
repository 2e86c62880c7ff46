import { type Diagnostic, defineDiagnostic } from '../../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../../src/diagnostic/path.ts';
import { ApiError, ConnectionError } from '../../src/kube/error.ts';
import { beforeAbort } from '../before-abort.ts';
import type { Check, ClusterView, Policy, Subject } from './check.ts';
import { CHECKS, type CheckName } from './index.ts';

const late = defineDiagnostic({
  code: 'check/late',
  severity: 'warning',
  message: ({ topic }: { topic: string }) => `not checked in time: ${topic}`,
  hint: () => 'the API server is slow to answer; try again',
});

const unanswered = defineDiagnostic({
  code: 'check/unanswered',
  severity: 'warning',
  message: ({ topic, why }: { topic: string; why: string }) => `not checked (${why}): ${topic}`,
  hint: () => "see the webhook's log",
});

/** What checks found: `errors` where the policy is to deny. A check that ended without an answer is in `unanswered`. */
export interface Findings {
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  /** Checks whose policy is to deny, and which the cluster did not answer. */
  readonly unanswered: readonly Diagnostic[];
  /** Why, for the log. */
  readonly troubles: readonly unknown[];
}

export interface CheckRun {
  readonly subject: Subject;
  readonly cluster: ClusterView;
  readonly policies: Readonly<Record<CheckName, Policy>>;
  /** Only those that judge the account (graph.md 14.3). */
  readonly onlyOfAccount: boolean;
  /** Aborted when time is up. */
  readonly signal: AbortSignal;
}

/** Asks today's cluster, all checks at once; those that are late say so (graph.md 14.2). */
export async function runChecks({ subject, cluster, policies, onlyOfAccount, signal }: CheckRun): Promise<Findings> {
  const names = (Object.keys(CHECKS) as CheckName[]).filter((name) => {
    return policies[name] !== 'off' && (CHECKS[name].isOfAccount || !onlyOfAccount);
  });
  const results = await Promise.all(names.map(async (name) => ({ name, ...(await runCheck(CHECKS[name], { subject, cluster, signal })) })));
  const isDenying = ({ name }: { name: CheckName }): boolean => policies[name] === 'deny';
  return {
    errors: results.filter(isDenying).flatMap(({ found }) => found.map(asError)),
    warnings: results.flatMap((result) => (isDenying(result) ? [] : [...result.found, ...result.open])),
    unanswered: results.filter(isDenying).flatMap(({ open }) => open),
    troubles: results.flatMap(({ trouble }) => (trouble === undefined ? [] : [trouble])),
  };
}

interface CheckResult {
  readonly found: readonly Diagnostic[];
  readonly open: readonly Diagnostic[];
  readonly trouble?: unknown;
}

async function runCheck(check: Check, run: Pick<CheckRun, 'subject' | 'cluster' | 'signal'>): Promise<CheckResult> {
  const { topic } = check;
  const place = { path: FieldPath.root };
  try {
    return { found: await beforeAbort(check.run(run.subject, run.cluster, run.signal), run.signal), open: [] };
  } catch (error) {
    if (run.signal.aborted) return { found: [], open: [late({ topic }, place)] };
    if (error instanceof ApiError) return { found: [], open: [unanswered({ topic, why: error.reason }, place)], trouble: error };
    if (error instanceof ConnectionError) return { found: [], open: [unanswered({ topic, why: 'no connection' }, place)], trouble: error };
    throw error;
  }
}

function asError(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: 'error' };
}
