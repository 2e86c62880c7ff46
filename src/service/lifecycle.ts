import { setTimeout as sleep } from 'node:timers/promises';

/** What a lifecycle says; a logger fits. */
export interface LifecycleLog {
  info(fields: object, message: string): void;
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

/** SIGTERM: not ready, serve on, stop the parts in the reverse order of their start, exit; within a deadline (operations.md 1). */
export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #parts: { readonly name: string; readonly stop: Stop }[] = [];
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
    this.#parts.push({ name, stop });
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
    if (serveOn > 0) await sleep(serveOn, undefined, { signal: late }).catch(() => {});
    let failed = false;
    for (const { name, stop } of this.#parts.toReversed()) {
      current = name;
      try {
        await stop(late);
      } catch (error) {
        failed = true;
        log.error({ error, part: name }, 'a part did not stop cleanly');
      }
    }
    clearTimeout(last);
    for (const [event, listener] of this.#listeners) process.off(event, listener);
    log.info({}, 'ended');
    process.exit(failed ? 1 : code);
  }

  #onSignal(name: string): void {
    // Whoever asks twice does not want to wait.
    if (this.#ended !== undefined) {
      this.#options.log.error({ why: name }, 'ending at once');
      this.#options.process.exit(1);
      return;
    }
    void this.end(name);
  }

  #crash(error: unknown, what: string): void {
    this.#options.log.fatal({ error }, what);
    this.#options.process.exit(1);
  }
}
