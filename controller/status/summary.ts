import type { GraphState, NotConvergedReason } from '../../src/api/graph.ts';
import { type NodePath, printNodePath } from '../../src/api/names.ts';
import { printIdentity } from '../../src/api/object.ts';
import type { Outcome, Trouble } from '../../src/runtime/outcome.ts';
import { joinLines, type Verdict } from './conditions.ts';

/** A trouble, whose it is, and whether it waits for a person. */
export interface Finding {
  /** Undefined for what is about the Graph as a whole. */
  readonly path: NodePath | undefined;
  readonly hardness: 'hard' | 'soft' | 'warning';
  readonly trouble: Trouble;
}

/** What a reconcile found out, as far as its status tells it. */
export interface Findings {
  readonly accepted: Verdict;
  /** In apply order; undefined: nothing was walked. */
  readonly findings: readonly Finding[] | undefined;
  readonly watches: Verdict | undefined;
  /** The Graph is being torn down. */
  readonly isDeleting: boolean;
}

/** What a status says, and what is expected to happen next. */
export interface Summary {
  readonly verdicts: readonly Verdict[];
  readonly state: GraphState;
  readonly health: Health;
}

/** `idle`: nothing is wrong and nothing will happen, since a person wants it so. */
export type Health = 'ready' | 'progressing' | 'stalled' | 'idle';

/** After so long a failure that others may mend counts as stalled (graph.md 13). */
const PATIENCE = 120_000;

/** The findings of one node's outcome. */
export function findingsOf(outcome: Outcome): Finding[] {
  const { path } = outcome;
  switch (outcome.word) {
    case 'skipped':
    case 'blocked':
      return [];
    case 'failed':
      return outcome.trouble.map((trouble) => ({ path, hardness: 'hard', trouble }));
    case 'waiting':
      return outcome.trouble.map((trouble) => ({ path, hardness: 'soft', trouble }));
    default: {
      // readyWhen that does not hold (yet) is soft; readyWhen that cannot be evaluated is a mistake.
      const { notReady } = outcome;
      const hardness = notReady?.reason === 'WaitingForReadiness' ? 'soft' : 'hard';
      const waiting: Finding[] = notReady === undefined ? [] : [{ path, hardness, trouble: notReady }];
      return [...waiting, ...(outcome.warnings ?? []).map((trouble): Finding => ({ path, hardness: 'warning', trouble }))];
    }
  }
}

/**
 * What the conditions say: hard outranks soft, among equals the first in apply order gives the reason, and the message names every trouble
 * (graph.md 13). `failingFor`: the milliseconds that the Graph has been failing without a break.
 */
export function summarize(found: Findings, failingFor: number): Summary {
  const { accepted, findings } = found;
  const converged = convergedVerdict(findings);
  const ready = readyVerdict(accepted, converged);
  const health = healthOf(found, converged, failingFor);
  const verdicts = [
    accepted,
    ...(converged === undefined ? [] : [converged]),
    ready,
    ...(found.watches === undefined ? [] : [found.watches]),
    flag({ type: 'Reconciling', holds: health === 'progressing', ready }),
    flag({ type: 'Stalled', holds: health === 'stalled', ready }),
  ];
  return { verdicts, health, state: found.isDeleting ? 'DELETING' : STATES[health] };
}

/** A finding as one line: node path, object and cause. */
export function printFinding({ path, trouble }: Finding): string {
  const who = [
    ...(path === undefined ? [] : [printNodePath(path)]),
    ...(trouble.identity === undefined ? [] : [printIdentity(trouble.identity)]),
  ];
  return [...who, trouble.message].join(': ');
}

const STATES = { ready: 'ACTIVE', progressing: 'IN_PROGRESS', stalled: 'ERROR', idle: 'IN_PROGRESS' } as const satisfies Record<
  Health,
  GraphState
>;

function convergedVerdict(findings: readonly Finding[] | undefined): Verdict | undefined {
  if (findings === undefined) return undefined;
  const type = 'ResourcesConverged';
  const ranked = rank(findings);
  const [decisive] = ranked;
  if (decisive === undefined || decisive.hardness === 'warning')
    return { type, status: 'True', reason: 'Applied', message: joinLines(ranked.map(printFinding)) };
  return { type, status: 'False', reason: decisive.trouble.reason, message: joinLines(ranked.map(printFinding)) };
}

const ORDER = { hard: 0, soft: 1, warning: 2 } as const;

function rank(findings: readonly Finding[]): Finding[] {
  return findings
    .map((finding, at) => ({ finding, at }))
    .sort((a, b) => ORDER[a.finding.hardness] - ORDER[b.finding.hardness] || a.at - b.at)
    .map(({ finding }) => finding);
}

function readyVerdict(accepted: Verdict, converged: Verdict | undefined): Verdict {
  const type = 'Ready';
  if (accepted.status === 'False') return { ...accepted, type };
  if (converged === undefined) return { type, status: 'Unknown', reason: 'Pending', message: 'nothing has been applied yet' };
  return { ...converged, type, status: accepted.status === 'True' || converged.status === 'False' ? converged.status : 'Unknown' };
}

/** Reasons that somebody must act upon although nothing is wrong in the Graph. */
const HELD: ReadonlySet<NotConvergedReason> = new Set(['PruneHeld']);

function healthOf(found: Findings, converged: Verdict | undefined, failingFor: number): Health {
  if (found.accepted.status === 'False') return 'stalled';
  if (converged?.status === 'True' && found.accepted.status === 'True') return 'ready';
  if (converged?.reason === 'Suspended') return 'idle';
  const hard = (found.findings ?? []).filter(({ hardness }) => hardness === 'hard');
  if (hard.some(({ trouble }) => trouble.mayHeal !== true || HELD.has(trouble.reason))) return 'stalled';
  return hard.length > 0 && failingFor >= PATIENCE ? 'stalled' : 'progressing';
}

interface Flag {
  readonly type: 'Reconciling' | 'Stalled';
  readonly holds: boolean;
  readonly ready: Verdict;
}

function flag({ type, holds, ready: { reason, message } }: Flag): Verdict {
  return holds ? { type, status: 'True', reason, message } : { type, status: 'False', reason: 'Inactive', message: '' };
}
