import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { CompileLimits } from '../src/compiler/limits.ts';
import type { Diagnostic } from '../src/diagnostic/diagnostic.ts';
import { type CompileMessage, type SchemaPart, type ThreadMessage, unpackReport } from './compile-message.ts';
import type { PlanSteps } from './plan.ts';

/** What to compile: the bytes of a review, against these parts of the cluster's schemas. */
export interface CompileJob {
  readonly review: Uint8Array;
  readonly parts: readonly SchemaPart[];
}

/** `late`: the signal came first; `exhausted`: it needs more memory than a thread has; `failed`: our bug. */
export type NotCompiledReason = 'late' | 'exhausted' | 'failed';

/** Why a job has no result. */
export class NotCompiled extends Error {
  override readonly name = 'NotCompiled';
  readonly reason: NotCompiledReason;

  constructor(reason: NotCompiledReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

export interface CompilePoolOptions {
  /** How many threads compile. */
  readonly threads: number;
  readonly limits: CompileLimits;
  /** What a plan on dry run may take. */
  readonly planSteps: PlanSteps;
  /** So long a compilation may run until its thread is ended; one whose answer is due earlier, since it had to wait, may still finish. */
  readonly mostMilliseconds: number;
  /** What one thread's heap may hold. */
  readonly heap: { readonly oldMegabytes: number; readonly youngMegabytes: number };
  /** Told when a thread ends by itself. */
  readonly onFault: (error: unknown) => void;
  /** Told of each compilation that came to its end; the time for which it had to wait is not in it. */
  readonly observe: (seconds: number, isValid: boolean) => void;
  /** The program of a thread; another one in tests. */
  readonly program?: URL;
}

interface Ticket {
  readonly id: number;
  readonly job: CompileJob;
  readonly settle: (result: readonly Diagnostic[] | NotCompiled) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly known: Set<string>;
  isReady: boolean;
  ticket: Ticket | undefined;
  /** When the ticket's job was sent. */
  started: number;
}

const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? './compile-thread.ts' : './compile-thread.js', import.meta.url);
const RESTART_MILLISECONDS = 1000;
/** A thread that knows more parts than this is replaced by a new one, so that schemas of kinds that changed do not stay for ever. */
const MOST_PARTS = 500;

/**
 * Threads that compile, so that the main thread stays free to answer (graph.md 14.6). A job whose signal comes before its result is given
 * up; when it has had its time its thread is ended and another one takes its place, whatever the job was doing.
 */
export class CompilePool {
  readonly #options: CompilePoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #queue: Ticket[] = [];
  readonly #readiness = Promise.withResolvers<void>();
  #nextId = 1;
  #isClosed = false;

  constructor(options: CompilePoolOptions) {
    this.#options = options;
    for (let index = 0; index < options.threads; index++) this.#start();
  }

  /** Resolves when the first thread has loaded the compiler. */
  get ready(): Promise<void> {
    return this.#readiness.promise;
  }

  /** All that is wrong with the Graph of a review; throws NotCompiled. */
  async compile(job: CompileJob, signal: AbortSignal): Promise<readonly Diagnostic[]> {
    if (signal.aborted) throw new NotCompiled('late', 'no time was left to compile');
    const { promise, resolve } = Promise.withResolvers<readonly Diagnostic[] | NotCompiled>();
    const ticket = { id: this.#nextId++, job, settle: resolve };
    const giveUp = (): void => this.#giveUp(ticket);
    signal.addEventListener('abort', giveUp, { once: true });
    this.#queue.push(ticket);
    this.#dispatch();
    try {
      const result = await promise;
      if (result instanceof NotCompiled) throw result;
      return result;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Ends all threads; jobs that wait are given up. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const tickets = [...this.#queue.splice(0), ...[...this.#threads].flatMap(({ ticket }) => ticket ?? [])];
    for (const ticket of tickets) ticket.settle(new NotCompiled('late', 'the process is ending'));
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #dispatch(): void {
    for (const thread of this.#threads) {
      if (!thread.isReady || thread.ticket !== undefined) continue;
      const ticket = this.#queue.shift();
      if (ticket === undefined) return;
      this.#send(thread, ticket);
    }
  }

  #send(thread: Thread, ticket: Ticket): void {
    thread.ticket = ticket;
    thread.started = performance.now();
    const { review, parts } = ticket.job;
    const bytes = new Uint8Array(review).buffer;
    const newParts = parts.filter(({ hash }) => !thread.known.has(hash));
    for (const { hash } of newParts) thread.known.add(hash);
    const message: CompileMessage = {
      word: 'compile',
      id: ticket.id,
      review: bytes,
      parts: parts.map(({ hash }) => hash),
      newParts,
      limits: this.#options.limits,
      planSteps: this.#options.planSteps,
    };
    thread.worker.postMessage(message, [bytes]);
  }

  #giveUp(ticket: Ticket): void {
    const waiting = this.#queue.indexOf(ticket);
    if (waiting !== -1) this.#queue.splice(waiting, 1);
    ticket.settle(new NotCompiled('late', waiting === -1 ? 'compiling took too long' : 'the compiler was busy with other Graphs'));
    const thread = [...this.#threads].find((candidate) => candidate.ticket === ticket);
    if (thread !== undefined) void this.#endLater(thread, ticket);
  }

  /** Under load many jobs begin late: to end their threads at once would leave no thread that works. */
  async #endLater(thread: Thread, ticket: Ticket): Promise<void> {
    const left = this.#options.mostMilliseconds - (performance.now() - thread.started);
    if (left > 0) await sleep(left, undefined, { ref: false });
    if (this.#threads.has(thread) && thread.ticket === ticket) this.#replace(thread);
  }

  #start(): void {
    const { program = PROGRAM, heap } = this.#options;
    const resourceLimits = { maxOldGenerationSizeMb: heap.oldMegabytes, maxYoungGenerationSizeMb: heap.youngMegabytes };
    const worker = new Worker(program, { resourceLimits, stdout: false, stderr: false });
    const thread: Thread = { worker, known: new Set(), isReady: false, ticket: undefined, started: 0 };
    this.#threads.add(thread);
    worker.on('message', (message: ThreadMessage) => this.#receive(thread, message));
    worker.on('error', (error: NodeJS.ErrnoException) => this.#crash(thread, error));
    worker.on('exit', (code) => this.#crash(thread, new Error(`exit code ${code}`)));
  }

  #receive(thread: Thread, message: ThreadMessage): void {
    if (message.word === 'ready') {
      thread.isReady = true;
      this.#readiness.resolve();
    } else if (thread.ticket?.id === message.id) {
      const { ticket } = thread;
      thread.ticket = undefined;
      ticket.settle(message.word === 'compiled' ? this.#read(thread, message.report) : failed(message.stack));
      if (thread.known.size > MOST_PARTS) this.#replace(thread);
    }
    this.#dispatch();
  }

  #read({ started }: Thread, report: ArrayBuffer): readonly Diagnostic[] {
    const seconds = (performance.now() - started) / 1000;
    const diagnostics = unpackReport(report);
    this.#options.observe(
      seconds,
      diagnostics.every(({ severity }) => severity !== 'error'),
    );
    return diagnostics;
  }

  /** A thread ended by itself: out of memory, or it could not start at all. */
  #crash(thread: Thread, error: NodeJS.ErrnoException): void {
    if (this.#isClosed || !this.#threads.has(thread)) return;
    this.#options.onFault(error);
    const isExhausted = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    thread.ticket?.settle(
      isExhausted
        ? new NotCompiled('exhausted', 'compiling takes more memory than a Graph may use')
        : new NotCompiled('failed', 'a compiler thread ended', error),
    );
    this.#replace(thread);
  }

  #replace(thread: Thread): void {
    this.#threads.delete(thread);
    thread.ticket = undefined;
    void thread.worker.terminate();
    if (this.#isClosed) return;
    if (thread.isReady) this.#start();
    else void sleep(RESTART_MILLISECONDS, undefined, { ref: false }).then(() => this.#isClosed || this.#start());
  }
}

function failed(stack: string): NotCompiled {
  return new NotCompiled('failed', 'the compiler threw', stack);
}
