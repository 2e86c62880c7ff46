import type { ResourceKind } from '../src/api/object.ts';
import { uses } from '../src/compiler/uses.ts';
import { type Diagnostic, defineDiagnostic } from '../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../src/diagnostic/path.ts';
import { ApiError, ConnectionError } from '../src/kube/error.ts';
import type { SchemaSnapshot } from '../src/schema/snapshot.ts';
import type { ClusterView, Policy, Subject } from './checks/check.ts';
import type { CheckName } from './checks/index.ts';
import { ACCOUNT_PLACE } from './checks/place.ts';
import { type Findings, runChecks } from './checks/run.ts';
import { targetsOf } from './checks/targets.ts';
import type { SchemaPart } from './compile-message.ts';
import { type CompileJob, NotCompiled } from './compile-pool.ts';
import type { AdmissionRequest } from './decode.ts';
import { accountOf, isStamped, scrutinyOf } from './exempt.ts';
import { setApart } from './unavailable.ts';
import { ALLOWED, type Verdict } from './verdict.ts';
import { PLAN_CODE } from './warnings.ts';

/** The schemas that a Graph is compiled against: for this thread, and as parts for the threads that compile. */
export interface LoadedSchemas {
  readonly snapshot: SchemaSnapshot;
  readonly parts: readonly SchemaPart[];
  /** Kinds of which it is not known whether they are served: the server of their group does not answer. */
  readonly unavailable: readonly ResourceKind[];
}

/** Where schemas come from. Both throw ApiError or ConnectionError, and heed the signal. */
export interface Schemas {
  load(kinds: readonly ResourceKind[], signal: AbortSignal): Promise<LoadedSchemas>;
  /** The same, as they are at this moment. */
  reload(kinds: readonly ResourceKind[], signal: AbortSignal): Promise<LoadedSchemas>;
}

/** Compiles the Graph of a review; throws NotCompiled. */
export interface Compiler {
  compile(job: CompileJob, signal: AbortSignal): Promise<readonly Diagnostic[]>;
}

/** A ServiceAccount of this release. */
export interface ReleaseAccount {
  readonly namespace: string;
  readonly name: string;
}

export type Policies = Readonly<Record<CheckName | 'unknownKinds', Policy>>;

/** What a verdict depends on besides the request. */
export interface AdmitContext {
  readonly schemas: Schemas;
  readonly compiler: Compiler;
  readonly cluster: ClusterView;
  readonly policies: Policies;
  /** The verdict on what could not be judged in time, or without the cluster (graph.md 14.6). */
  readonly onDeadline: 'deny' | 'warn';
  readonly releaseAccounts: readonly ReleaseAccount[];
  /** Codes of the compiler's warnings that say that a kind is not served: `unknownKinds` is their policy. */
  readonly unservedCodes: ReadonlySet<string>;
  /** Told of what stood in the way of a verdict; for the log. */
  readonly onTrouble: (error: unknown) => void;
}

/** One request, with the bytes that it was decoded from. */
export interface Admission {
  readonly request: AdmissionRequest;
  readonly review: Uint8Array;
  /** Aborted when the answer is due. */
  readonly signal: AbortSignal;
  /** Aborted earlier: what is left then belongs to the checks. */
  readonly compileSignal: AbortSignal;
}

const ofRelease = defineDiagnostic({
  code: 'service-account/of-release',
  severity: 'error',
  message: ({ account }: { account: string }) => `no Graph may act as the ServiceAccount "${account}": it is kro-graph's own`,
  hint: () => 'choose another serviceAccountName, or move the Graph to another namespace',
});

const notCompiled = defineDiagnostic({
  code: 'limit/deadline',
  severity: 'warning',
  message: ({ why }: { why: string }) => `the Graph was not checked in time: ${why}`,
  hint: () => 'try again; if it stays so, split the Graph or make its expressions smaller',
});

const unreadable = defineDiagnostic({
  code: 'schema/unreadable',
  severity: 'warning',
  message: ({ why }: { why: string }) => `the Graph was not checked: the schemas of the cluster cannot be read (${why})`,
  hint: () => 'try again in a moment',
});

/** The verdict on one request, from exemption to checks: the whole of graph.md 14 in order. */
export async function admit(admission: Admission, context: AdmitContext): Promise<Verdict> {
  const scrutiny = scrutinyOf(admission.request);
  if (scrutiny === 'none') return ALLOWED;
  const account = judgeAccount(admission.request, context);
  if (scrutiny === 'account') {
    const findings = await check(admission, context, { served: () => undefined, onlyOfAccount: true });
    return verdictOf({ compiled: { errors: account, warnings: [], unanswered: [] }, findings, context });
  }
  const compiled = await compile(admission, context);
  if (compiled.word === 'undecided') {
    if (account.length > 0) return { word: 'denied', errors: account, warnings: [] };
    if (context.onDeadline === 'deny' && !isStamped(admission.request)) return compiled;
    const findings = await check(admission, context, { served: () => undefined, onlyOfAccount: false });
    return verdictOf({ compiled: { errors: [], warnings: [compiled.why], unanswered: [] }, findings, context });
  }
  const findings = await check(admission, context, { served: (kind) => compiled.schemas.snapshot.get(kind), onlyOfAccount: false });
  const judged = byPolicy(compiled, admission.request, context);
  return verdictOf({ compiled: { ...judged, errors: [...account, ...judged.errors] }, findings, context });
}

/** A Graph must not borrow the rights of this project's own processes (graph.md 14.3). */
function judgeAccount({ object, namespace }: AdmissionRequest, { releaseAccounts }: AdmitContext): Diagnostic[] {
  const account = accountOf(object);
  const isOwn = releaseAccounts.some((own) => own.namespace === namespace && own.name === account);
  return isOwn ? [ofRelease({ account }, ACCOUNT_PLACE)] : [];
}

interface Compiled {
  readonly word: 'compiled';
  readonly diagnostics: readonly Diagnostic[];
  /** What it was compiled against. */
  readonly schemas: LoadedSchemas;
}

type CompileOutcome = Compiled | Extract<Verdict, { word: 'undecided' }>;

/** Compiles against the cluster's schemas; before a denial that rests on a custom kind, that kind's schema is read again (graph.md 14.6). */
async function compile({ request, review, compileSignal: signal }: Admission, context: AdmitContext): Promise<CompileOutcome> {
  const { schemas, compiler } = context;
  const kinds = uses(request.object?.['spec']);
  try {
    const first = await schemas.load(kinds, signal);
    const compiled: Compiled = {
      word: 'compiled',
      diagnostics: await compiler.compile({ review, parts: first.parts }, signal),
      schemas: first,
    };
    const usesCustom = kinds.some((kind) => first.snapshot.get(kind)?.schema?.isStandard !== true);
    if (!usesCustom || byPolicy(compiled, request, context).errors.length === 0) return compiled;
    const second = await schemas.reload(kinds, signal);
    if (isSame(first, second)) return { ...compiled, schemas: second };
    return { word: 'compiled', diagnostics: await compiler.compile({ review, parts: second.parts }, signal), schemas: second };
  } catch (error) {
    return undecided(error, signal, context);
  }
}

function isSame(first: LoadedSchemas, second: LoadedSchemas): boolean {
  return first.parts.length === second.parts.length && first.parts.every(({ hash }, index) => hash === second.parts[index]?.hash);
}

function undecided(error: unknown, signal: AbortSignal, { onTrouble }: AdmitContext): CompileOutcome {
  const place = { path: FieldPath.root };
  if (error instanceof NotCompiled && error.reason !== 'failed') {
    onTrouble(error);
    return { word: 'undecided', isLate: error.reason === 'late', why: notCompiled({ why: error.message }, place) };
  }
  if (signal.aborted || error instanceof ApiError || error instanceof ConnectionError) {
    onTrouble(error);
    const refusal = error instanceof ApiError ? error.reason : 'no connection to the API server';
    const why = signal.aborted ? 'no answer in time' : refusal;
    return { word: 'undecided', isLate: signal.aborted, why: unreadable({ why }, place) };
  }
  throw error;
}

interface Judged {
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  /** What a policy is to deny, and nobody can tell now. */
  readonly unanswered: readonly Diagnostic[];
}

/** A kind that is not served goes by its policy; a stamped child only warns of what its author could not know (graph.md 14.2, 14.5). */
function byPolicy({ diagnostics, schemas }: Compiled, request: AdmissionRequest, { policies, unservedCodes }: AdmitContext): Judged {
  const isUnserved = ({ code }: Diagnostic): boolean => unservedCodes.has(code);
  const { unserved, unknown } = setApart({
    diagnostics: policies.unknownKinds === 'off' ? [] : diagnostics.filter(isUnserved),
    unavailable: schemas.unavailable,
    spec: request.object?.['spec'],
  });
  const others = diagnostics.filter((diagnostic) => !isUnserved(diagnostic));
  const wrong = others.filter(({ severity }) => severity === 'error');
  const warned = others.filter(({ severity }) => severity === 'warning');
  const denies = policies.unknownKinds === 'deny';
  const stamped = isStamped(request);
  return {
    errors: [...(stamped ? [] : wrong), ...(denies ? unserved : [])],
    warnings: [...(stamped ? wrong : []), ...warned, ...(denies ? [] : [...unserved, ...unknown])],
    unanswered: denies ? unknown : [],
  };
}

interface CheckScope {
  readonly served: Subject['served'];
  readonly onlyOfAccount: boolean;
}

async function check({ request, signal }: Admission, context: AdmitContext, { served, onlyOfAccount }: CheckScope): Promise<Findings> {
  const { namespace, object, user } = request;
  const subject = { requester: user, namespace, account: accountOf(object), targets: targetsOf(object?.['spec']), served };
  const { cluster, policies, onTrouble } = context;
  const findings = await runChecks({ subject, cluster, policies, onlyOfAccount, signal });
  for (const trouble of findings.troubles) onTrouble(trouble);
  return findings;
}

function verdictOf({ compiled, findings, context }: { compiled: Judged; findings: Findings; context: AdmitContext }): Verdict {
  const errors = [...compiled.errors, ...findings.errors];
  const warnings = [...compiled.warnings, ...findings.warnings];
  // What a Graph would do is of no use where it may not.
  if (errors.length > 0) return { word: 'denied', errors, warnings: warnings.filter(({ code }) => code !== PLAN_CODE) };
  const unanswered = [...compiled.unanswered, ...findings.unanswered];
  const [why] = unanswered;
  if (why !== undefined && context.onDeadline === 'deny') return { word: 'undecided', why, isLate: compiled.unanswered.length === 0 };
  return { word: 'allowed', warnings: [...warnings, ...unanswered] };
}
