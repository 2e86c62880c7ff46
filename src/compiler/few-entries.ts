/**
 * The entries of an object in one array, name and value by turns, made at its full length. A Map would serve as well, but it is twice to five
 * times as large where there are two or three entries, as in most objects of a manifest: of a fleet's Programs such Maps were a sixth. Its
 * loop makes no objects.
 */
export class FewEntries<T> {
  readonly #flat: (string | T)[];

  /** All entries are to be put in before anything else is asked. */
  constructor(size: number) {
    this.#flat = new Array<string | T>(2 * size);
  }

  /** Puts in the entry of a position. */
  put(at: number, name: string, value: T): void {
    this.#flat[2 * at] = name;
    this.#flat[2 * at + 1] = value;
  }

  /** What `convert` makes of each entry. */
  map<U>(convert: (value: T) => U): FewEntries<U> {
    const entries = new FewEntries<U>(this.size);
    for (let at = 0; at < this.size; at++) entries.put(at, this.#name(at), convert(this.#value(at)));
    return entries;
  }

  get size(): number {
    return this.#flat.length / 2;
  }

  get(name: string): T | undefined {
    for (let at = 0; at < this.size; at++) if (this.#name(at) === name) return this.#value(at);
    return undefined;
  }

  forEach(visit: (value: T, name: string) => void): void {
    for (let at = 0; at < this.size; at++) visit(this.#value(at), this.#name(at));
  }

  *values(): IterableIterator<T> {
    for (let at = 0; at < this.size; at++) yield this.#value(at);
  }

  *[Symbol.iterator](): IterableIterator<[string, T]> {
    for (let at = 0; at < this.size; at++) yield [this.#name(at), this.#value(at)];
  }

  #name(at: number): string {
    return this.#flat[2 * at] as string;
  }

  #value(at: number): T {
    return this.#flat[2 * at + 1] as T;
  }
}
