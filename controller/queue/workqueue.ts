import { type Clock, systemClock } from './clock.ts';

/** What a queue tells of itself, for metrics. */
export interface QueueObserver {
  added(depth: number): void;
  /** A worker has taken a key that had waited for so many milliseconds. */
  taken(depth: number, waited: number): void;
}

/**
 * Keys that wait for a worker: each at most once, first come first served, so that a busy key never goes before the others. A key that is
 * added while a worker has it comes back when that worker is done, so that no two workers ever have the same key.
 */
export class Workqueue {
  readonly #clock: Clock;
  readonly #observer: QueueObserver | undefined;
  /** In order of arrival, with the time of arrival. */
  readonly #waiting = new Map<string, number>();
  readonly #active = new Set<string>();
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, { readonly due: number; readonly cancel: () => void }>();
  readonly #heldUntil = new Map<string, number>();
  /** Keys that a worker has and that were released meanwhile. */
  readonly #released = new Set<string>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #isClosed = false;
  #isPaused = false;

  constructor({ clock = systemClock, observer }: { clock?: Clock; observer?: QueueObserver } = {}) {
    this.#clock = clock;
    this.#observer = observer;
  }

  /** Keys that wait for a worker, those that wait for their time not counted. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** Wants a turn for the key, now; a delay that runs for it ends. A key that is held waits until then. */
  add(key: string): void {
    const held = (this.#heldUntil.get(key) ?? 0) - this.#clock.now();
    if (held > 0) {
      this.#delay(key, held);
      return;
    }
    this.#heldUntil.delete(key);
    this.#undelay(key);
    this.#enqueue(key);
  }

  /** Wants a turn for the key after so many milliseconds, or sooner if it has one sooner. */
  addAfter(key: string, milliseconds: number): void {
    const held = (this.#heldUntil.get(key) ?? 0) - this.#clock.now();
    this.#delay(key, Math.max(milliseconds, held));
  }

  /**
   * Until then the key has no turn, whatever adds it: it is in a fight (graph.md 8.6). Void if the key was released since its worker took it: the
   * worker judged by what was before.
   */
  hold(key: string, milliseconds: number): void {
    if (!this.#released.has(key)) this.#heldUntil.set(key, this.#clock.now() + milliseconds);
  }

  /** Ends a hold; what wants a turn has it at its time. */
  release(key: string): void {
    this.#heldUntil.delete(key);
    if (this.#active.has(key)) this.#released.add(key);
  }

  /** The next key, when there is one; undefined: the queue is closed, or the signal has come. Whoever takes a key says `done`. */
  async take(signal?: AbortSignal): Promise<string | undefined> {
    if (this.#isClosed || signal?.aborted) return undefined;
    const [first] = this.#waiting;
    if (first !== undefined) return this.#hand(first[0], first[1]);
    return new Promise((resolve) => {
      const taker = (key: string | undefined): void => {
        signal?.removeEventListener('abort', leave);
        resolve(key);
      };
      const leave = (): void => {
        this.#takers.splice(this.#takers.indexOf(taker), 1);
        resolve(undefined);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#takers.push(taker);
    });
  }

  /** The worker is done with the key. */
  done(key: string): void {
    this.#active.delete(key);
    this.#released.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Drops what waits, and takes nothing until `resume`: nobody works, and what waits for nobody is no backlog. Call it when no worker has a key. */
  pause(): void {
    this.#isPaused = true;
    this.#drop();
  }

  /** Takes keys again. Whoever resumes adds those that there are. */
  resume(): void {
    this.#isPaused = false;
  }

  /** Nothing more comes out; what was waiting is dropped. */
  close(): void {
    this.#isClosed = true;
    this.#drop();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #drop(): void {
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    this.#waiting.clear();
  }

  #enqueue(key: string): void {
    if (this.#isClosed || this.#isPaused) return;
    if (this.#active.has(key)) {
      this.#again.add(key);
      return;
    }
    if (this.#waiting.has(key)) return;
    this.#waiting.set(key, this.#clock.now());
    this.#observer?.added(this.#waiting.size);
    const taker = this.#takers.shift();
    if (taker !== undefined) taker(this.#hand(key, this.#clock.now()));
  }

  #hand(key: string, since: number): string {
    this.#waiting.delete(key);
    this.#active.add(key);
    this.#observer?.taken(this.#waiting.size, this.#clock.now() - since);
    return key;
  }

  #delay(key: string, milliseconds: number): void {
    if (this.#isClosed || this.#isPaused) return;
    const due = this.#clock.now() + milliseconds;
    const running = this.#delayed.get(key);
    if (running !== undefined && running.due <= due) return;
    running?.cancel();
    const cancel = this.#clock.after(milliseconds, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { due, cancel });
  }

  #undelay(key: string): void {
    this.#delayed.get(key)?.cancel();
    this.#delayed.delete(key);
  }
}
