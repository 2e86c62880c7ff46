import type { Payload, PayloadEntries } from './program.ts';

/**
 * The entries of an object in one array, name and payload by turns. A Map would serve as well, but it is five times as large where there are
 * two or three entries, as in most objects of a manifest: of a fleet's Programs such Maps were a sixth.
 */
export class FewEntries implements PayloadEntries {
  readonly #flat: readonly (string | Payload)[];

  private constructor(flat: readonly (string | Payload)[]) {
    this.#flat = flat;
  }

  /** What `convert` makes of each entry; the array is made at its full length, with no spare room. */
  static from<T>(entries: ReadonlyMap<string, T>, convert: (entry: T) => Payload): FewEntries {
    const flat = new Array<string | Payload>(2 * entries.size);
    let at = 0;
    for (const [name, entry] of entries) {
      flat[at++] = name;
      flat[at++] = convert(entry);
    }
    return new FewEntries(flat);
  }

  get(name: string): Payload | undefined {
    for (let at = 0; at < this.#flat.length; at += 2) if (this.#flat[at] === name) return this.#flat[at + 1] as Payload;
    return undefined;
  }

  *values(): IterableIterator<Payload> {
    for (let at = 1; at < this.#flat.length; at += 2) yield this.#flat[at] as Payload;
  }

  *[Symbol.iterator](): IterableIterator<[string, Payload]> {
    for (let at = 0; at < this.#flat.length; at += 2) yield [this.#flat[at] as string, this.#flat[at + 1] as Payload];
  }
}
