import type { Trouble } from '../../src/runtime/outcome.ts';

/** An update of an item that was refused, and what was refused. */
interface Refusal {
  readonly digest: string;
  readonly resourceVersion: string;
  readonly trouble: Trouble;
  /** Milliseconds from the refusal until it is tried again. */
  readonly wait: number;
  readonly until: number;
}

/** What is refused of an item: which manifest, on which version of its object. */
export interface RefusedUpdate {
  /** The item's identity. */
  readonly key: string;
  readonly digest: string;
  /** Undefined: not known. */
  readonly resourceVersion: string | undefined;
}

const SHORTEST = 1000;
const LONGEST = 300_000;
/** What is wrong with an object stays so until the manifest or the object changes: it is tried only now and then, when something else brings a turn. */
const INVALID = 60_000;

/**
 * Updates of items that were refused. One is not tried again before the manifest or the object changes, or its time has come: what others may mend
 * (a right, a policy) is tried ever more seldom, from 1 s to 5 min (graph.md 8.6).
 */
export class Refusals {
  readonly #refusals = new Map<string, Refusal>();

  /** The trouble of a refusal that still counts; undefined: try. */
  counts({ key, digest, resourceVersion }: RefusedUpdate, now: number): Trouble | undefined {
    const known = this.#refusals.get(key);
    const isSame = known?.digest === digest && known.resourceVersion === resourceVersion;
    return isSame && now < known.until ? known.trouble : undefined;
  }

  /** The update was refused. */
  note({ key, digest, resourceVersion = '' }: RefusedUpdate, trouble: Trouble, now: number): void {
    const former = this.#refusals.get(key);
    const isAgain = former?.digest === digest && former.trouble.mayHeal === true;
    const wait = trouble.mayHeal !== true ? INVALID : isAgain ? Math.min(former.wait * 2, LONGEST) : SHORTEST;
    this.#refusals.set(key, { digest, resourceVersion, trouble, wait, until: now + wait });
  }

  /** Milliseconds after which the item is to be tried again, where it is worth a turn. */
  again(key: string, now: number): number | undefined {
    const known = this.#refusals.get(key);
    return known?.trouble.mayHeal === true ? Math.max(0, known.until - now) : undefined;
  }

  /** The item was brought to its manifest. */
  forget(key: string): void {
    this.#refusals.delete(key);
  }

  get size(): number {
    return this.#refusals.size;
  }

  /** There are no other items any more. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#refusals.keys()) if (!keys.has(key)) this.#refusals.delete(key);
  }

  clear(): void {
    this.#refusals.clear();
  }
}
