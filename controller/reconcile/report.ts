import type { Condition, Graph } from '../../src/api/graph.ts';
import type { Inventory } from '../inventory/ledger.ts';
import { setConditions, type Verdict } from '../status/conditions.ts';
import type { Failing } from '../status/failing.ts';
import { type Findings, type Summary, summarize } from '../status/summary.ts';
import type { StatusChange, StatusWriter } from '../status/writer.ts';
import type { Tell } from './context.ts';

/** Gives the voice of one Graph. */
export type TellAbout = (graph: Graph) => Tell;

/** What a reconcile says at its end, and where it says it: conditions, state and Events (graph.md 13). */
export class Report {
  readonly tell: Tell;
  readonly #writer: StatusWriter;
  readonly #generation: number;
  readonly #failing: Failing;
  readonly #now: () => number;

  constructor(options: {
    readonly graph: Graph;
    readonly writer: StatusWriter;
    readonly failing: Failing;
    /** Milliseconds since 1970. */
    readonly now: () => number;
    readonly tellAbout: TellAbout;
  }) {
    this.#writer = options.writer;
    this.#generation = options.graph.metadata.generation ?? 0;
    this.#failing = options.failing;
    this.#now = options.now;
    this.tell = options.tellAbout(options.graph);
  }

  /** The intents, with the verdict on the Graph: everything else stays as it was judged for the generation before (graph.md 8.5). */
  async writeIntents(accepted: Verdict, inventory: Inventory, applier: Pick<StatusChange, 'appliedServiceAccount'>): Promise<void> {
    const under: Verdict[] = [
      accepted,
      { type: 'Reconciling', status: 'True', reason: 'Applying', message: 'objects are being applied' },
      { type: 'Stalled', status: 'False', reason: 'Inactive', message: '' },
    ];
    const before = this.#writer.status.conditions;
    if (before?.some(({ type }) => type === 'Ready') !== true) under.push(NO_RESULT);
    const conditions = this.#conditions(under);
    await this.#writer.write({ ...inventory, ...applier, conditions, state: 'IN_PROGRESS' });
    if (!isTold(before, accepted)) this.#tellAccepted(accepted);
  }

  /** The end of a reconcile: one write if anything differs, and Events for what is news. */
  async write(found: Findings, change: StatusChange = {}): Promise<Summary> {
    const before = this.#writer.status.conditions;
    const summary = summarize(found, this.#failing.observe(found.findings ?? [], before, this.#now()));
    const hasChanged = await this.#writer.write({
      ...change,
      observedGeneration: this.#generation,
      // What has no verdict this time holds for this generation too: whoever waits for one reads it so (operations.md 6).
      conditions: this.#conditions(summary.verdicts).map((condition) => ({ ...condition, observedGeneration: this.#generation })),
      state: summary.state,
    });
    if (hasChanged) this.#tellNews(before, summary);
    return summary;
  }

  /** The verdict on the Graph as it was last given. */
  formerAccepted(): Verdict {
    const former = this.#writer.status.conditions?.find(({ type }) => type === 'Accepted');
    if (former === undefined) return { type: 'Accepted', status: 'Unknown', reason: 'Pending', message: 'not compiled yet' };
    const { status, reason, message } = former;
    return { type: 'Accepted', status, reason, message };
  }

  #conditions(verdicts: readonly Verdict[]): Condition[] {
    // To the second, as the API server keeps it.
    const now = new Date(Math.floor(this.#now() / 1000) * 1000).toISOString().replace('.000Z', 'Z');
    return setConditions(this.#writer.status.conditions, verdicts, { generation: this.#generation, now });
  }

  #tellNews(before: readonly Condition[] | undefined, { verdicts }: Summary): void {
    for (const verdict of verdicts) {
      const isSame = isTold(before, verdict);
      const former = before?.find(({ type }) => type === verdict.type);
      if (isSame && former?.message === verdict.message) continue;
      if (verdict.type === 'Accepted') this.#tellAccepted(verdict);
      if (verdict.type === 'ResourcesConverged') this.#tellConverged(verdict, isSame);
    }
  }

  #tellAccepted({ status, reason, message }: Verdict): void {
    if (status === 'True') this.tell('Normal', 'Accepted', 'the Graph compiles');
    if (status === 'False') this.tell('Warning', reason, message);
  }

  #tellConverged({ status, reason, message }: Verdict, isSame: boolean): void {
    if (status === 'True' && !isSame) this.tell('Normal', 'Applied', 'everything is applied and ready');
    if (status === 'False' && !QUIET.has(reason)) this.tell('Warning', reason, message);
  }
}

/** A person who waits for a Graph that has never had a result is told that there is none yet (graph.md 13, Ready). */
const NO_RESULT: Verdict = { type: 'Ready', status: 'Unknown', reason: 'Pending', message: 'nothing has been applied yet' };

/** Whether the conditions said so already, whatever their message. */
function isTold(before: readonly Condition[] | undefined, { type, status, reason }: Verdict): boolean {
  return before?.some((former) => former.type === type && former.status === status && former.reason === reason) ?? false;
}

/** What is no more than waiting. */
const QUIET: ReadonlySet<string> = new Set(['WaitingForReadiness', 'DataPending', 'Suspended']);
