import { LRUCache } from 'lru-cache';
import type { Graph } from '../../src/api/graph.ts';
import { ANNOTATION_RECONCILE, ANNOTATION_RECONCILE_AT, GRAPH_FINALIZER } from '../../src/api/names.ts';
import { Budget, type BudgetLimits } from '../../src/cel/budget.ts';
import type { AccessReviews } from '../../src/kube/access.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { allEnded } from '../all-ended.ts';
import type { Turn } from '../queue/workers.ts';
import type { Verdict } from '../status/conditions.ts';
import { GraphMoved, StatusWriter } from '../status/writer.ts';
import type { Subscriptions } from '../watch/subscriptions.ts';
import { applierOf, judgeCompiled, type Release, refuseOwnIdentity } from './accept.ts';
import type { Accounts } from './accounts.ts';
import type { ClusterFacts } from './cluster.ts';
import type { Counts, Log } from './context.ts';
import { runConverge } from './converge.ts';
import { runTeardown } from './deletion.ts';
import type { GraphStore, StoredGraph } from './graphs.ts';
import { GraphMemory } from './memory.ts';
import type { Programs } from './programs.ts';
import type { StartLists } from './reader.ts';
import { Report, type TellAbout } from './report.ts';
import type { SharedAnswers } from './shared-answers.ts';

/** What reconciles are made of; shared by all Graphs. */
export interface ReconcilerParts {
  /** The controller's own identity; refuses writes when the Lease may be lost. */
  readonly client: KubeClient;
  readonly graphs: GraphStore;
  readonly accounts: Accounts;
  readonly programs: Programs;
  readonly subscriptions: Subscriptions;
  readonly access: AccessReviews;
  readonly cluster: ClusterFacts;
  readonly startLists: StartLists;
  readonly sharedAnswers: SharedAnswers;
  readonly release: Release;
  readonly tellAbout: TellAbout;
  readonly counts: Counts;
  readonly log: (key: string, uid: string) => Log;
  /** What all expressions of one reconcile may spend. */
  readonly budget: BudgetLimits;
  /** What one of them may. */
  readonly expressionBudget: BudgetLimits;
  /** How many objects of one Graph are written at once. */
  readonly applyConcurrency: number;
  /** Labels that tell which controller is responsible for a Graph. */
  readonly shardKeys: readonly string[];
  /** Milliseconds of a clock that never goes back: differences count, not the value. */
  readonly now: () => number;
  /** Milliseconds since 1970, for what others read. */
  readonly timeOfDay: () => number;
  /** The Graph is another one than before: what it failed at is forgotten. */
  readonly encourage: (key: string) => void;
}

/** One turn of a Graph, from the stored object to the written status. */
export interface Session {
  readonly key: string;
  readonly stored: StoredGraph;
  readonly memory: GraphMemory;
  readonly writer: StatusWriter;
  readonly report: Report;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly began: number;
}

/** Reads what is, and moves it to what should be (architecture, A reconcile, room by room). One turn at a time for each key. */
export class Reconciler {
  readonly #parts: ReconcilerParts;
  readonly #memories = new Map<string, GraphMemory>();
  /** Bounds what the memories hold of manifests: those of Graphs that were reconciled long ago are rendered again. */
  readonly #rendered = new LRUCache<string, GraphMemory>({
    maxSize: MOST_RENDERED,
    sizeCalculation: ({ renderings }) => Math.max(1, renderings.size),
    dispose: ({ renderings }) => renderings.clear(),
  });

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  /** One turn. Throws what is broken around the Graph, never what its author can cause. */
  async reconcile(key: string, signal: AbortSignal): Promise<Turn> {
    const { graphs } = this.#parts;
    graphs.begin(key);
    try {
      return await this.#turn(key, signal);
    } catch (error) {
      // What was read is no longer so: anew, with what is.
      if (error instanceof GraphMoved) return { next: 'later', after: MOVED_PAUSE };
      throw error;
    } finally {
      graphs.end(key);
    }
  }

  /** Whether a Graph waits for a watch to open. */
  awaitsWatches(key: string): boolean {
    return this.#memories.get(key)?.awaitsWatches ?? false;
  }

  /**
   * Every answer about these Graphs is doubtful: another process may have acted meanwhile. Of those that went meanwhile nothing is left: while nobody
   * works nobody is told, and what they watched would be watched for ever.
   */
  forgetAll(): void {
    for (const key of [...this.#memories.keys()]) if (this.#parts.graphs.get(key) === undefined) this.#forget(key);
    this.#memories.clear();
    this.#rendered.clear();
  }

  async #turn(key: string, signal: AbortSignal): Promise<Turn> {
    const { graphs, client } = this.#parts;
    const stored = graphs.get(key);
    if (stored === undefined) return this.#forget(key);
    const { graph } = stored;
    const memory = this.#memoryOf(key, graph);
    graphs.dealt(key, graph.metadata.resourceVersion ?? '');
    const writer = new StatusWriter({ client, store: graphs, key, stored, signal });
    const log = this.#parts.log(key, memory.uid);
    const began = this.#parts.now();
    const { timeOfDay, tellAbout } = this.#parts;
    const report = new Report({ graph, writer, failing: memory.failing, now: timeOfDay, tellAbout });
    const session: Session = { key, stored, memory, writer, report, log, signal, began };
    if (memory.generation !== graph.metadata.generation) {
      this.#parts.encourage(key);
      memory.fights.forget();
    }
    memory.generation = graph.metadata.generation;
    if (graph.metadata.deletionTimestamp !== undefined) return this.#delete(session);
    if (graph.metadata.annotations?.[ANNOTATION_RECONCILE] === 'disabled') return suspend(session);
    return this.#converge(session);
  }

  async #delete(session: Session): Promise<Turn> {
    if (!session.stored.graph.metadata.finalizers?.includes(GRAPH_FINALIZER)) return this.#forget(session.key);
    const turn = await runTeardown(session, this.#parts);
    if (turn.next === 'done') this.#forget(session.key);
    return turn;
  }

  async #converge(session: Session): Promise<Turn> {
    const { key, stored, memory, writer, report } = session;
    const { graph } = stored;
    const { metadata } = graph;
    const at = metadata.annotations?.[ANNOTATION_RECONCILE_AT];
    if (memory.reconciledAt !== at && at !== undefined) {
      memory.forgetAnswers();
      this.#parts.access.forget(applierOf(graph));
    }
    memory.reconciledAt = at;
    const own = refuseOwnIdentity(graph, this.#parts.release);
    if (own !== undefined) return refuse(report, own);
    const { finalizers = [] } = metadata;
    const [compiled] = await allEnded([
      this.#parts.programs.of(key, graph),
      finalizers.includes(GRAPH_FINALIZER) ? undefined : writer.setFinalizers([...finalizers, GRAPH_FINALIZER]),
    ]);
    const accepted = judgeCompiled(compiled);
    if (compiled.program === undefined || accepted.status !== 'True') return refuse(report, accepted);
    const applierUser = applierOf(graph);
    const missing = this.#missingAccount(graph.metadata.namespace ?? '', applierUser);
    if (missing !== undefined) {
      await report.write({
        accepted,
        findings: [{ path: undefined, hardness: 'soft', trouble: { reason: 'DataPending', message: missing } }],
        watches: undefined,
        isDeleting: false,
      });
      return { next: 'backoff' };
    }
    const budget = new Budget(this.#parts.budget, this.#parts.expressionBudget);
    const turn = await runConverge({ ...session, program: compiled.program, accepted, applierUser, budget }, this.#parts);
    this.#rendered.set(key, memory);
    return turn;
  }

  #missingAccount(namespace: string, user: string): string | undefined {
    const name = user.split(':')[3] ?? '';
    return this.#parts.accounts.exists(namespace, name)
      ? undefined
      : `ServiceAccount "${name}" does not exist (yet) in namespace "${namespace}"`;
  }

  #memoryOf(key: string, { metadata: { uid = '' }, status }: Graph): GraphMemory {
    const known = this.#memories.get(key);
    if (known?.uid === uid) return known;
    if (known !== undefined) this.#parts.subscriptions.forget(key);
    const memory = new GraphMemory(uid, { contributions: status?.contributions ?? [], now: this.#parts.now() });
    this.#memories.set(key, memory);
    return memory;
  }

  #forget(key: string): Turn {
    this.#memories.delete(key);
    this.#rendered.delete(key);
    this.#parts.subscriptions.forget(key);
    this.#parts.programs.forget(key);
    this.#parts.encourage(key);
    return { next: 'done' };
  }
}

const MOVED_PAUSE = 20;

/** Characters of manifests, of all Graphs; in memory they take two to three times as many bytes. */
const MOST_RENDERED = 8 * 1024 * 1024;

/** A Graph that is not accepted writes nothing and keeps what it has (graph.md 8.1). */
async function refuse(report: Report, accepted: Verdict): Promise<Turn> {
  await report.write({ accepted, findings: undefined, watches: undefined, isDeleting: false });
  return { next: 'done' };
}

/** Nothing is done until the annotation goes (graph.md 12.9). */
async function suspend({ report }: Session): Promise<Turn> {
  const message = `suspended: the annotation ${ANNOTATION_RECONCILE} is "disabled"`;
  await report.write({
    accepted: report.formerAccepted(),
    findings: [{ path: undefined, hardness: 'hard', trouble: { reason: 'Suspended', message } }],
    watches: undefined,
    isDeleting: false,
  });
  return { next: 'done' };
}
