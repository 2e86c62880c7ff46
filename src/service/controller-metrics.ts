import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { LATENCY_BUCKETS } from './metrics.ts';

const QUEUE_BUCKETS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.1, 1, 10, 100, 1000];

/** `workqueue_*` of one queue. Times are seconds. */
export class WorkqueueMetrics {
  readonly #labels: { readonly name: string; readonly controller: string };
  readonly #adds: Counter<'name' | 'controller'>;
  readonly #retries: Counter<'name' | 'controller'>;
  readonly #waited: Histogram<'name' | 'controller'>;
  readonly #worked: Histogram<'name' | 'controller'>;

  constructor(registry: Registry, name: string, state: { depth(): number; unfinishedSeconds(): number; longestSeconds(): number }) {
    this.#labels = { name, controller: name };
    const common = { labelNames: ['name', 'controller'] as const, registers: [registry] };
    this.#adds = new Counter({ name: 'workqueue_adds_total', help: 'Keys added to the queue', ...common });
    this.#retries = new Counter({ name: 'workqueue_retries_total', help: 'Keys added again after a failure', ...common });
    const buckets = QUEUE_BUCKETS;
    this.#waited = new Histogram({ name: 'workqueue_queue_duration_seconds', help: 'Time that a key waited', buckets, ...common });
    this.#worked = new Histogram({ name: 'workqueue_work_duration_seconds', help: 'Time that a turn took', buckets, ...common });
    const gauge = (metric: string, help: string, read: () => number): void => {
      const labels = this.#labels;
      new Gauge({
        name: metric,
        help,
        ...common,
        collect() {
          this.set(labels, read());
        },
      });
    };
    gauge('workqueue_depth', 'Keys that wait', () => state.depth());
    gauge('workqueue_unfinished_work_seconds', 'Sum of the ages of turns in progress', () => state.unfinishedSeconds());
    gauge('workqueue_longest_running_processor_seconds', 'Age of the oldest turn in progress', () => state.longestSeconds());
    this.#adds.inc(this.#labels, 0);
    this.#retries.inc(this.#labels, 0);
  }

  added(): void {
    this.#adds.inc(this.#labels);
  }

  retried(): void {
    this.#retries.inc(this.#labels);
  }

  started(waitedSeconds: number): void {
    this.#waited.observe(this.#labels, waitedSeconds);
  }

  finished(workedSeconds: number): void {
    this.#worked.observe(this.#labels, workedSeconds);
  }
}

/** How a reconcile ended, in the words of controller-runtime. */
export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** `controller_runtime_*` of one controller. */
export class ReconcileMetrics {
  readonly #controller: string;
  readonly #total: Counter<'controller' | 'result'>;
  readonly #errors: Counter<'controller'>;
  readonly #seconds: Histogram<'controller'>;
  readonly #active: Gauge<'controller'>;

  constructor(registry: Registry, controller: string, workers: number) {
    this.#controller = controller;
    const common = { labelNames: ['controller'] as const, registers: [registry] };
    this.#total = new Counter({
      name: 'controller_runtime_reconcile_total',
      help: 'Reconciles by result',
      labelNames: ['controller', 'result'],
      registers: [registry],
    });
    this.#errors = new Counter({ name: 'controller_runtime_reconcile_errors_total', help: 'Reconciles that failed', ...common });
    const buckets = LATENCY_BUCKETS;
    this.#seconds = new Histogram({ name: 'controller_runtime_reconcile_time_seconds', help: 'Time of a reconcile', buckets, ...common });
    this.#active = new Gauge({ name: 'controller_runtime_active_workers', help: 'Reconciles in progress', ...common });
    new Gauge({ name: 'controller_runtime_max_concurrent_reconciles', help: 'Most reconciles at the same time', ...common }).set(
      { controller },
      workers,
    );
    this.#errors.inc({ controller }, 0);
    this.#active.set({ controller }, 0);
  }

  started(): void {
    this.#active.inc({ controller: this.#controller });
  }

  ended(result: ReconcileResult, seconds: number): void {
    const controller = this.#controller;
    this.#active.dec({ controller });
    this.#seconds.observe({ controller }, seconds);
    this.#total.inc({ controller, result });
    if (result === 'error') this.#errors.inc({ controller });
  }
}

/** `status.state`, and what stands for a status without one. */
const GRAPH_STATES = ['ACTIVE', 'IN_PROGRESS', 'ERROR', 'DELETING', 'UNKNOWN'];

/** What is ours of the controller, and the leader election. */
export class ControllerMetrics {
  readonly #applies: Counter<'result'>;
  readonly #prunes: Counter<'result'>;
  readonly #restarts: Counter<'reason'>;
  readonly #eventsDropped: Counter<'reason'>;
  readonly #master: Gauge<'name'>;

  constructor(registry: Registry, state: { watches(): number; graphsByState(): ReadonlyMap<string, number> }) {
    const registers = [registry];
    this.#applies = new Counter({ name: 'kro_graph_applies_total', help: 'Applies by result', labelNames: ['result'], registers });
    this.#prunes = new Counter({ name: 'kro_graph_prunes_total', help: 'Prunes by result', labelNames: ['result'], registers });
    this.#restarts = new Counter({
      name: 'kro_graph_watch_restarts_total',
      help: 'Watches begun anew, by reason',
      labelNames: ['reason'],
      registers,
    });
    this.#eventsDropped = new Counter({
      name: 'kro_graph_events_dropped_total',
      help: 'Events not told',
      labelNames: ['reason'],
      registers,
    });
    this.#master = new Gauge({ name: 'leader_election_master_status', help: '1 while the Lease is held', labelNames: ['name'], registers });
    new Gauge({
      name: 'kro_graph_watches',
      help: 'Resources that are watched',
      registers,
      collect() {
        this.set(state.watches());
      },
    });
    new Gauge({
      name: 'kro_graph_graphs',
      help: 'Graphs by state',
      labelNames: ['state'],
      registers,
      collect() {
        this.reset();
        // Also of a cluster without Graphs there is something to see: that it is looked at.
        for (const word of GRAPH_STATES) this.set({ state: word }, 0);
        for (const [word, count] of state.graphsByState()) this.set({ state: word }, count);
      },
    });
  }

  applied(result: string, amount: number): void {
    this.#applies.inc({ result }, amount);
  }

  pruned(result: string): void {
    this.#prunes.inc({ result });
  }

  watchEnded(reason: string): void {
    this.#restarts.inc({ reason });
  }

  eventDropped(reason: string): void {
    this.#eventsDropped.inc({ reason });
  }

  /** Told before the election begins too: an alert cannot see what was never said. */
  leading(name: string, isHeld: boolean): void {
    this.#master.set({ name }, isHeld ? 1 : 0);
  }
}
