import { setTimeout as sleep } from 'node:timers/promises';

/** What a lifecycle says; a logger fits. */
export interface LifecycleLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  fatal(fields: object, message: string): void;
}

/** The process as a lifecycle sees it; `process` fits. */
export interface LifecycleProcess {
  on(event: string, listener: (...args: readonly unknown[]) => void): unknown;
  off(event: string, listener: (...args: readonly unknown[]) => void): unknown;
  exit(code: number): void;
}

/** How a process ends. */
export interface LifecycleOptions {
  readonly process: LifecycleProcess;
  readonly log: LifecycleLog;
  /** So long it goes on serving after it said that it is not ready. */
  readonly serveOn: number;
  /** From the signal to the end of the process. */
  readonly deadline: number;
}

type Stop = (signal: AbortSignal) => Promise<void> | void;

interface Part {
  readonly name: string;
  readonly stop: Stop;
  readonly patience: number;
}

/**
 * SIGTERM: not ready, serve on, stop the parts in the reverse order of their start, exit; within a deadline (operations.md 1). The exit code is
 * 0 when every part that owes something to others has stopped, and 1, with the reason in the log, when one of them has not.
 */
export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #parts: Part[] = [];
  readonly #stopping = new AbortController();
  readonly #listeners: ReadonlyMap<string, (...args: readonly unknown[]) => void>;
  #ended: Promise<void> | undefined;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.#listeners = new Map<string, (...args: readonly unknown[]) => void>([
      ['SIGTERM', () => this.#onSignal('SIGTERM')],
      ['SIGINT', () => this.#onSignal('SIGINT')],
      ['uncaughtException', (error) => this.#crash(error, 'uncaught exception')],
      ['unhandledRejection', (error) => this.#crash(error, 'unhandled rejection')],
    ]);
    for (const [event, listener] of this.#listeners) options.process.on(event, listener);
  }

  /** Aborted when the process begins to end: from then on it is not ready. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Registers how a part that was started just now is stopped. Its signal is aborted shortly before the deadline. */
  add(name: string, stop: Stop): void {
    this.#parts.push({ name, stop, patience: Number.POSITIVE_INFINITY });
  }

  /** The same for a part that owes nothing to anybody: when it takes longer than that, or fails, the log says so and the end goes on. */
  addReader(name: string, stop: Stop, patience = 2000): void {
    this.#parts.push({ name, stop, patience });
  }

  /** Ends the process; the same end for all who ask. Exit code 1 when something went wrong, the given one otherwise. */
  end(why: string, code = 0): Promise<void> {
    this.#ended ??= this.#end(why, code);
    return this.#ended;
  }

  async #end(why: string, code: number): Promise<void> {
    const { log, serveOn, deadline, process } = this.#options;
    log.info({ why }, 'ending');
    this.#stopping.abort(new Error(why));
    const late = AbortSignal.timeout(Math.max(0, deadline - Math.min(1000, deadline / 10)));
    let current = 'serving on';
    const last = setTimeout(() => {
      log.fatal({ part: current }, 'not ended in time');
      process.exit(1);
    }, deadline);
    // What did not start has served nobody.
    if (serveOn > 0 && code === 0) await sleep(serveOn, undefined, { signal: late }).catch(() => {});
    let failed = false;
    for (const part of this.#parts.toReversed()) {
      current = part.name;
      if (!(await this.#stop(part, late))) failed = true;
    }
    clearTimeout(last);
    for (const [event, listener] of this.#listeners) process.off(event, listener);
    log.info({}, 'ended');
    process.exit(failed ? 1 : code);
  }

  /** Tells whether it did what it owes. */
  async #stop({ name, stop, patience }: Part, late: AbortSignal): Promise<boolean> {
    const { log } = this.#options;
    const isOwing = patience === Number.POSITIVE_INFINITY;
    try {
      const stopped = Promise.resolve(stop(late));
      if (isOwing) await stopped;
      else if (!(await isDoneWithin(patience, stopped))) log.warn({ part: name }, 'a part is left behind: it does not stop');
      return true;
    } catch (error) {
      if (isOwing) log.error({ error, part: name }, 'a part did not stop cleanly');
      else log.warn({ error, part: name }, 'a part did not stop cleanly');
      return !isOwing;
    }
  }

  #onSignal(name: string): void {
    if (this.#ended === undefined) {
      void this.end(name);
    } else if (name === 'SIGINT') {
      // A person who asks twice does not want to wait. Kubelet may send SIGTERM again, and means the first one.
      this.#options.log.error({ why: name }, 'ending at once');
      this.#options.process.exit(1);
    }
  }

  #crash(error: unknown, what: string): void {
    this.#options.log.fatal({ error }, what);
    this.#options.process.exit(1);
  }
}

async function isDoneWithin(milliseconds: number, work: Promise<void>): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(milliseconds, false, { signal: over.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    over.abort();
    work.catch(() => {});
  }
}
