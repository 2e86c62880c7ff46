interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

/** Lets bodies in while there is room for their bytes, in the order of their arrival; the others are not read yet (graph.md 14.6). */
export class ByteGate {
  readonly #most: number;
  readonly #queue: Waiting[] = [];
  #inside = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes that are inside. */
  get bytes(): number {
    return this.#inside;
  }

  /** Resolves to true when there is room, or to false when the signal comes first. Whoever got in must leave. */
  async enter(bytes: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#queue.length === 0 && this.#hasRoom(bytes)) {
      this.#inside += bytes;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting = { bytes, enter: () => resolve(true) };
    const giveUp = (): void => {
      const index = this.#queue.indexOf(waiting);
      if (index === -1) return;
      this.#queue.splice(index, 1);
      resolve(false);
      this.#admit();
    };
    this.#queue.push(waiting);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  leave(bytes: number): void {
    this.#inside -= bytes;
    this.#admit();
  }

  #admit(): void {
    for (let next = this.#queue[0]; next !== undefined && this.#hasRoom(next.bytes); next = this.#queue[0]) {
      this.#queue.shift();
      this.#inside += next.bytes;
      next.enter();
    }
  }

  /** One body always fits, however large, when nothing else is inside. */
  #hasRoom(bytes: number): boolean {
    return this.#inside === 0 || this.#inside + bytes <= this.#most;
  }
}
