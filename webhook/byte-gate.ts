import type { Clock } from '../src/kube/clock.ts';

export interface ByteGateOptions {
  /** Bytes that may be inside at once; the eldest body that still arrives may exceed it, so that there is always one that gets on. */
  readonly most: number;
  /** So long a body may take to arrive, without the time for which it had to wait, when others want its room. */
  readonly patience: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** One body's way in and out. */
export interface Passage {
  /** Counts a chunk that has come; tells whether more may be read now. */
  take(bytes: number): boolean;
  /** Resolves to true when more may be read, or to false when the signal comes first. */
  wait(signal: AbortSignal): Promise<boolean>;
  /** The body has come as a whole, and is of this size. */
  complete(bytes: number): void;
  /** It has been answered, or given up. */
  leave(): void;
}

interface Body {
  readonly began: number;
  readonly onSlow: () => void;
  /** How long it had to wait, in all. */
  waited: number;
  /** Lets it in; undefined while it does not wait. */
  enter: (() => void) | undefined;
}

/** What a chunk costs besides its bytes, so that a body that comes byte by byte does not cost more than is counted. */
const CHUNK_BYTES = 256;
const LOOK_MILLISECONDS = 250;

/** Bounds the bytes of bodies that have come and are not answered yet; what is only announced takes no room (graph.md 14.6). */
export class ByteGate {
  readonly #options: ByteGateOptions;
  /** Bodies that still arrive, the eldest first. */
  readonly #arriving = new Set<Body>();
  #inside = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(options: ByteGateOptions) {
    this.#options = options;
  }

  /** Bytes that are inside. */
  get bytes(): number {
    return this.#inside;
  }

  /** A body begins to arrive; the listener is told when it takes too long and others want its room. Whoever opens must leave. */
  open(onSlow: () => void): Passage {
    const body: Body = { began: this.#options.clock.now(), onSlow, waited: 0, enter: undefined };
    this.#arriving.add(body);
    let counted = 0;
    const count = (bytes: number): void => {
      this.#inside += bytes - counted;
      counted = bytes;
    };
    const end = (bytes: number): void => {
      count(bytes);
      this.#arriving.delete(body);
      this.#admit();
    };
    return {
      take: (bytes) => {
        count(counted + bytes + CHUNK_BYTES);
        return this.#hasRoom(body);
      },
      wait: (signal) => this.#wait(body, signal),
      complete: end,
      leave: () => end(0),
    };
  }

  async #wait(body: Body, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const { clock } = this.#options;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const giveUp = (): void => resolve(false);
    const since = clock.now();
    body.enter = () => resolve(true);
    signal.addEventListener('abort', giveUp, { once: true });
    this.#looking ??= setInterval(() => this.#look(), LOOK_MILLISECONDS).unref();
    try {
      return await promise;
    } finally {
      body.enter = undefined;
      body.waited += clock.now() - since;
      signal.removeEventListener('abort', giveUp);
    }
  }

  #hasRoom(body: Body): boolean {
    const [eldest] = this.#arriving;
    return this.#inside < this.#options.most || body === eldest;
  }

  #admit(): void {
    for (const body of this.#arriving) {
      if (!this.#hasRoom(body)) return;
      body.enter?.();
    }
  }

  /** While somebody waits: bodies that do not come, though nobody holds them up, are told. */
  #look(): void {
    const bodies = [...this.#arriving];
    if (bodies.every(({ enter }) => enter === undefined)) {
      clearInterval(this.#looking);
      this.#looking = undefined;
      return;
    }
    const { clock, patience } = this.#options;
    for (const { enter, began, waited, onSlow } of bodies) {
      if (enter === undefined && clock.now() - began - waited > patience) onSlow();
    }
  }
}
