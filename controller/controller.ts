import { randomUUID } from 'node:crypto';
import type { Registry } from 'prom-client';
import { API_GROUP, GRAPH_KIND } from '../src/api/names.ts';
import { EXPRESSION_LIMITS } from '../src/cel/budget.ts';
import { DEFAULT_LIMITS } from '../src/compiler/limits.ts';
import { selectorKeys } from '../src/engine/shard.ts';
import { AccessReviews } from '../src/kube/access.ts';
import type { KubeClient } from '../src/kube/client.ts';
import type { Clock } from '../src/kube/clock.ts';
import { isAborted, isKindNotServed } from '../src/kube/error.ts';
import { EventRecorder } from '../src/kube/events.ts';
import { whoAmI } from '../src/kube/identity.ts';
import type { ReflectorState } from '../src/kube/reflector.ts';
import type { ChangedKind } from '../src/kube/schema-changes.ts';
import { SchemaWatch } from '../src/kube/schema-watch.ts';
import { SchemaCatalog } from '../src/kube/schemas.ts';
import { ControllerMetrics, ReconcileMetrics, WorkqueueMetrics } from '../src/service/controller-metrics.ts';
import type { Log } from '../src/service/log.ts';
import type { ValuesOf } from '../src/service/option.ts';
import type { CONTROLLER } from '../src/service/options.ts';
import { Backoff } from './queue/backoff.ts';
import { runWorkers, type Turn, type WorkersEnd } from './queue/workers.ts';
import { Workqueue } from './queue/workqueue.ts';
import { Accounts } from './reconcile/accounts.ts';
import { ClusterFacts } from './reconcile/cluster.ts';
import { GraphStore } from './reconcile/graphs.ts';
import { Programs } from './reconcile/programs.ts';
import { StartLists } from './reconcile/reader.ts';
import { Reconciler } from './reconcile/reconciler.ts';
import { SharedAnswers } from './reconcile/shared-answers.ts';
import { eventsAbout } from './tell.ts';
import { WatchPool } from './watch/reflectors.ts';
import { servedVersion } from './watch/served-version.ts';
import { Subscriptions } from './watch/subscriptions.ts';

/** What a controller is made of. */
export interface ControllerOptions {
  readonly settings: ValuesOf<typeof CONTROLLER>;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly registry: Registry;
  /** The release's other users, which no Graph may act as either. */
  readonly otherUsers: readonly string[];
  readonly observeCompile: (seconds: number, isValid: boolean) => void;
  /** The pod or the host, for Events. */
  readonly instance: string;
  /** Whether a write may start at this instant. */
  readonly mayWrite: () => boolean;
}

/** The second door: watches Graphs and everything that they use, and works through the queue of those that something became of. */
export class Controller {
  readonly metrics: ControllerMetrics;
  readonly #options: ControllerOptions;
  readonly #queue: Workqueue;
  readonly #backoff: Backoff;
  readonly #graphs: GraphStore;
  readonly #accounts: Accounts;
  readonly #catalog: SchemaCatalog;
  readonly #schemaWatch: SchemaWatch;
  readonly #pool: WatchPool;
  readonly #programs: Programs;
  readonly #reconciler: Reconciler;
  readonly #events: EventRecorder;
  readonly #reconciles: ReconcileMetrics;
  readonly #queueMetrics: WorkqueueMetrics;
  /** The users that no Graph may act as; filled when the API server has said who this process is. */
  readonly #ownUsers = new Set<string>();
  readonly #turns = new Map<string, number>();
  readonly #stopping = new AbortController();
  #learning: Promise<void> = Promise.resolve();
  #graphsState: ReflectorState = { word: 'idle' };

  constructor(options: ControllerOptions) {
    this.#options = options;
    const { settings, client, clock, random, log, registry } = options;
    const now = (): number => clock.now();
    const { watchNamespaces: namespaces } = settings;
    this.metrics = new ControllerMetrics(registry, { watches: () => this.#pool.size, graphsByState: () => this.#countStates() });
    this.#queueMetrics = new WorkqueueMetrics(registry, 'graph', {
      depth: () => this.#queue.depth,
      unfinishedSeconds: () => this.#ages().reduce((sum, age) => sum + age, 0),
      longestSeconds: () => Math.max(0, ...this.#ages()),
    });
    this.#reconciles = new ReconcileMetrics(registry, 'graph', settings.concurrency);
    this.#queue = new Workqueue({
      observer: { added: () => this.#queueMetrics.added(), taken: (_depth, waited) => this.#queueMetrics.started(waited / 1000) },
    });
    this.#queue.pause();
    this.#backoff = new Backoff({ min: settings.backoffMin, max: settings.backoffMax });
    const wake = (key: string): void => this.#queue.add(key);
    const onWatchEnd = (reason: string): void => this.metrics.watchEnded(reason);
    this.#graphs = new GraphStore({
      client,
      clock,
      random,
      namespaces,
      labelSelector: settings.shardSelector,
      // Whoever changes the Graph itself may end a fight: it is not held any more.
      changed: (key) => {
        this.#queue.release(key);
        wake(key);
      },
      onState: (state) => this.#noteGraphs(state),
      onWatchEnd,
    });
    this.#accounts = new Accounts({ client, clock, random, namespaces, changed: (namespace) => this.#wakeNamespace(namespace) });
    this.#catalog = new SchemaCatalog({ client, clock });
    this.#schemaWatch = new SchemaWatch({
      client,
      catalog: this.#catalog,
      clock,
      random,
      onError: (error) => log.warn({ error }, 'changes of schemas are not seen at this moment'),
    });
    this.#catalog.onChange((changes) => this.#schemasChanged(changes));
    const subscriptions: Subscriptions = new Subscriptions(
      new WatchPool({
        client,
        clock,
        random,
        listener: {
          changed: (change) => subscriptions.changed(change),
          stateChanged: (scope) => this.#watchChanged(scope, subscriptions),
          renewed: (scope) => subscriptions.renewed(scope),
        },
        servedVersion: (scope) => servedVersion(scope, this.#catalog.current),
        onWatchEnd,
      }),
      wake,
    );
    this.#pool = subscriptions.pool;
    this.#programs = new Programs({
      catalog: this.#catalog,
      limits: { ...DEFAULT_LIMITS, collectionSize: settings.limitsCollectionSize, steps: settings.limitsCompileSteps },
      observe: options.observeCompile,
    });
    this.#events = new EventRecorder({
      client,
      controller: `${API_GROUP}/graph-controller`,
      instance: options.instance,
      clock,
      random,
      onDropped: (reason, error) => {
        this.metrics.eventDropped(reason);
        if (error !== undefined) log.debug({ error }, 'an Event was not told');
      },
    });
    this.#reconciler = new Reconciler({
      client: client.fenced(options.mayWrite),
      graphs: this.#graphs,
      accounts: this.#accounts,
      programs: this.#programs,
      subscriptions,
      access: new AccessReviews(client, clock),
      cluster: new ClusterFacts({ client, catalog: this.#catalog, graphs: this.#graphs, now }),
      startLists: new StartLists((milliseconds, action) => void setTimeout(action, milliseconds).unref()),
      sharedAnswers: new SharedAnswers(),
      release: { users: this.#ownUsers },
      tellAbout: eventsAbout(this.#events, now),
      counts: this.metrics,
      log: (key, uid) => {
        const [namespace, name] = key.split('/');
        return log.child({ controller: 'graph', namespace, name, uid, reconcileID: randomUUID() });
      },
      budget: { steps: settings.limitsReconcileSteps, size: RECONCILE_SIZE * EXPRESSION_LIMITS.size },
      expressionBudget: { steps: settings.limitsExpressionSteps, size: EXPRESSION_LIMITS.size },
      applyConcurrency: settings.applyConcurrency,
      shardKeys: selectorKeys(settings.shardSelector),
      now,
      timeOfDay: () => clock.date().getTime(),
      encourage: (key) => this.#backoff.forget(key),
    });
  }

  /** Begins to watch; nothing is reconciled before `work`. */
  start(): void {
    this.#graphs.start();
    this.#accounts.start();
    this.#schemaWatch.start();
    this.#learning = this.#learn(this.#stopping.signal);
  }

  /** Why the controller is not ready; undefined: it is. */
  fault(): string | undefined {
    const state = this.#graphsState;
    if (state.word === 'refused')
      return isKindNotServed(state.error) ? 'the Graph CRD is not installed' : 'the controller may not list and watch Graphs';
    if (!this.#graphs.hasSynced()) return 'the Graphs have not been listed yet';
    if (!this.#accounts.hasSynced()) return 'the ServiceAccounts have not been listed yet';
    return this.#ownUsers.size === 0 ? 'the API server has not yet said who this process is' : undefined;
  }

  /** Reconciles until it is told to stop, and ends when the turns in flight have ended. */
  async work(end: WorkersEnd): Promise<void> {
    await this.#prepare(AbortSignal.any([end.stop, end.abort]));
    // Another process may have acted since this one did.
    this.#reconciler.forgetAll();
    this.#queue.resume();
    for (const key of this.#graphs.keys()) this.#queue.add(key);
    try {
      await runWorkers(
        {
          queue: this.#queue,
          backoff: this.#backoff,
          concurrency: this.#options.settings.concurrency,
          run: (key, turn) => this.#run(key, turn),
          failed: (key, error) => this.#failed(key, error),
        },
        end,
      );
    } finally {
      this.#queue.pause();
    }
  }

  /** Ends every watch; Events that wait are sent. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the controller is ending'));
    this.#queue.close();
    await this.#learning;
    await this.#events.stop(AbortSignal.timeout(EVENTS_PATIENCE));
    await Promise.all([this.#graphs.stop(), this.#accounts.stop(), this.#schemaWatch.stop(), this.#pool.stop()]);
  }

  /** Asks who this process is, and what is served: what comes later is news. */
  async #learn(signal: AbortSignal): Promise<void> {
    const { client, clock, log, otherUsers } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#catalog.served();
        for (const user of [(await whoAmI(client, { signal })).user, ...otherUsers]) this.#ownUsers.add(user);
        return;
      } catch (error) {
        if (!signal.aborted) log.warn({ error }, 'the API server does not answer; it is asked again');
      }
      await clock.sleep(LEARN_PAUSE, signal);
    }
  }

  async #prepare(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.fault() !== undefined) await this.#options.clock.sleep(PREPARE_PAUSE, signal);
    signal.throwIfAborted();
  }

  async #run(key: string, signal: AbortSignal): Promise<Turn> {
    const began = performance.now();
    this.#reconciles.started();
    this.#turns.set(key, began);
    let result: 'success' | 'error' | 'requeue' | 'requeue_after' = 'error';
    try {
      const turn = await this.#reconciler.reconcile(key, signal);
      result = turn.next === 'done' ? 'success' : turn.next === 'backoff' ? 'requeue' : 'requeue_after';
      if (turn.next === 'backoff') this.#queueMetrics.retried();
      return turn;
    } finally {
      const seconds = (performance.now() - began) / 1000;
      this.#turns.delete(key);
      this.#reconciles.ended(result, seconds);
      this.#queueMetrics.finished(seconds);
    }
  }

  #failed(key: string, error: unknown): void {
    const [namespace, name] = key.split('/');
    // The turn itself was not ended: its write was held back.
    if (isAborted(error)) this.#options.log.info({ namespace, name }, 'left, since the Lease is lost');
    else this.#options.log.error({ error, namespace, name }, 'a reconcile failed');
  }

  #noteGraphs(state: ReflectorState): void {
    const { log } = this.#options;
    this.#graphsState = state;
    if (state.word === 'refused')
      log.error(
        { error: state.error },
        isKindNotServed(state.error)
          ? 'the Graph CRD is not installed: waiting for it'
          : 'Graphs may not be listed and watched: trying again',
      );
    if (state.word === 'retrying') log.warn({ error: state.error }, 'Graphs are not seen at this moment');
  }

  #wakeNamespace(namespace: string): void {
    for (const key of this.#graphs.keys()) if (key.startsWith(`${namespace}/`)) this.#queue.add(key);
  }

  #watchChanged(scope: string, subscriptions: Subscriptions): void {
    for (const key of subscriptions.usersOf(scope)) if (this.#reconciler.awaitsWatches(key)) this.#queue.add(key);
  }

  /** Kinds have come, changed or gone: exactly the Graphs that use them are compiled again (graph.md 11). */
  #schemasChanged(kinds: readonly ChangedKind[]): void {
    if (kinds.some(({ group, kind }) => group === API_GROUP && kind === GRAPH_KIND)) this.#graphs.tryAgain();
    this.#pool.beginAnew(new Set(kinds.map(({ group }) => group)));
    for (const key of this.#programs.usersOf(kinds)) this.#queue.add(key);
  }

  #ages(): number[] {
    const now = performance.now();
    return [...this.#turns.values()].map((began) => (now - began) / 1000);
  }

  /** Those of a candidate are counted by the leader. */
  #countStates(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    if (!this.#options.mayWrite()) return counts;
    for (const [, { status }] of this.#graphs.entries()) {
      const state = status?.state ?? 'UNKNOWN';
      counts.set(state, (counts.get(state) ?? 0) + 1);
    }
    return counts;
  }
}

/** A reconcile may hold so many times what one expression may. */
const RECONCILE_SIZE = 10;
const PREPARE_PAUSE = 50;
const LEARN_PAUSE = 1000;
const EVENTS_PATIENCE = 2000;
