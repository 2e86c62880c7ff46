import type { Condition, NotConvergedReason } from '../../src/api/graph.ts';
import type { Finding } from './summary.ts';

/** Since when a Graph has been failing without a break: what waits meanwhile, or is held as somebody wants it, is none (graph.md 13, Stalled). */
export class Failing {
  /** Undefined before the first look. */
  #since: number | 'not' | undefined;

  /** Takes in what a reconcile found; gives the milliseconds that the Graph has been failing. `conditions`: those of the status until now. */
  observe(findings: readonly Finding[], conditions: readonly Condition[] | undefined, now: number): number {
    if (!findings.some(({ hardness, trouble }) => hardness === 'hard' && FAILURES.has(trouble.reason))) {
      this.#since = 'not';
      return 0;
    }
    if (this.#since === undefined) this.#since = toldSince(conditions) ?? now;
    else if (this.#since === 'not') this.#since = now;
    return now - this.#since;
  }
}

/** What a controller before this one has told: the time when the Graph began to fail, or to wait, whichever was first. */
function toldSince(conditions: readonly Condition[] | undefined): number | undefined {
  const converged = conditions?.find(({ type }) => type === 'ResourcesConverged');
  if (converged?.status !== 'False' || !FAILURES.has(converged.reason)) return undefined;
  const since = Date.parse(converged.lastTransitionTime);
  return Number.isNaN(since) ? undefined : since;
}

const FAILURES: ReadonlySet<string> = new Set<NotConvergedReason>(['ApplyFailed', 'PruneFailed', 'ReleaseFailed', 'DeleteFailed']);
