import type { Backoff } from './backoff.ts';
import type { Workqueue } from './workqueue.ts';

/** What becomes of a key after its turn. */
export type Turn =
  /** All is as it should be; an event brings the next turn. */
  | { readonly next: 'done' }
  /** All is well, and there is something to look at after so many milliseconds. */
  | { readonly next: 'later'; readonly after: number }
  /** Not there yet: again after the key's backoff, or sooner if `within` milliseconds are less; an event brings it at once. */
  | { readonly next: 'backoff'; readonly within?: number | undefined }
  /** Slowed down: no turn before so many milliseconds, whatever happens (graph.md 8.6). */
  | { readonly next: 'hold'; readonly after: number };

/** What workers need. */
export interface WorkersOptions {
  readonly queue: Workqueue;
  readonly backoff: Backoff;
  /** How many keys are worked on at once. */
  readonly concurrency: number;
  /** One turn; what it throws is a bug or broken infrastructure, and ends in backoff. */
  readonly run: (key: string, signal: AbortSignal) => Promise<Turn>;
  /** Told of what a turn threw. */
  readonly failed: (key: string, error: unknown) => void;
}

/** When workers end. */
export interface WorkersEnd {
  /** No turn begins any more; those in flight come to their end. */
  readonly stop: AbortSignal;
  /** Those in flight are ended too. */
  readonly abort: AbortSignal;
}

/** Runs workers until they are told to stop and the turns in flight have ended. */
export async function runWorkers(options: WorkersOptions, end: WorkersEnd): Promise<void> {
  await Promise.all(Array.from({ length: options.concurrency }, () => work(options, end)));
}

async function work(options: WorkersOptions, { stop, abort }: WorkersEnd): Promise<void> {
  const { queue } = options;
  const signal = AbortSignal.any([stop, abort]);
  for (let key = await queue.take(signal); key !== undefined; key = await queue.take(signal)) {
    const turn = await attempt(options, key, abort);
    requeue(options, key, turn);
    queue.done(key);
  }
}

async function attempt({ run, failed }: WorkersOptions, key: string, signal: AbortSignal): Promise<Turn> {
  try {
    return await run(key, signal);
  } catch (error) {
    if (!signal.aborted) failed(key, error);
    return { next: 'backoff' };
  }
}

function requeue({ queue, backoff }: WorkersOptions, key: string, turn: Turn): void {
  switch (turn.next) {
    case 'done':
      backoff.forget(key);
      return;
    case 'later':
      backoff.forget(key);
      queue.addAfter(key, turn.after);
      return;
    case 'backoff':
      queue.addAfter(key, Math.min(backoff.next(key), turn.within ?? Number.POSITIVE_INFINITY));
      return;
    case 'hold':
      queue.hold(key, turn.after);
      queue.addAfter(key, turn.after);
      return;
    default:
      turn satisfies never;
  }
}
