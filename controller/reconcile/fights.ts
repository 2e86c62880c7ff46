/** Who rewrites what we write. */
export interface Rival {
  readonly field: string;
  readonly manager: string;
}

/** What a write did: put back what it had been before (`restored`), or brought what is wanted now and was not before (`changed`). */
export type Deed = 'restored' | 'changed';

/** A write that changed an object. */
export interface ObjectWrite {
  readonly object: string;
  readonly deed: Deed;
  /** When the reconcile began; its writes to one object count once. */
  readonly now: number;
  /** Whose field had to be taken, where that is known. */
  readonly rival: Rival | undefined;
}

/**
 * So many reconciles that wrote to one object within the window are a fight (graph.md 8.6). Five that put the same back: somebody else keeps
 * changing it. What is wanted may change often, as the values do that it is made of; but three times a second for a whole minute is how a Graph
 * goes on that feeds itself, alone or through another Graph, and nothing else would ever slow it (graph.md 15). Below that it costs little.
 */
const BARS: Readonly<Record<Deed, number>> = { restored: 5, changed: 200 };
/** A fight goes on while so many writes are left in the window, whatever began it: slowed down, it writes seldom. */
const ENOUGH = 5;
const WINDOW = 60_000;
const SHORTEST = 1000;
const LONGEST = 300_000;
/** So many changed objects are counted, lest a large Graph's first reconcile weighs: no Graph changes more of them three times a second. */
const MOST_CHANGED = 1000;

/** A fight over one object. */
export interface Fight {
  readonly object: string;
  readonly deed: Deed;
  readonly rival: Rival | undefined;
}

/** The writes of one deed to one object. */
interface Tally {
  readonly object: string;
  readonly deed: Deed;
  /** Latest last. */
  times: number[];
  rival: Rival | undefined;
  isFight: boolean;
}

/**
 * Tells when a Graph keeps writing to the same object, because somebody keeps changing it or because it feeds itself, and how long its reconciles
 * then wait.
 */
export class Fights {
  /** By object. */
  readonly #tallies: Readonly<Record<Deed, Map<string, Tally>>> = { restored: new Map(), changed: new Map() };
  #pause = 0;

  /** A reconcile wrote to an object. */
  wrote({ object, deed, now, rival }: ObjectWrite): void {
    const tallies = this.#tallies[deed];
    if (deed === 'changed' && tallies.size >= MOST_CHANGED && !tallies.has(object)) tallies.clear();
    const tally = tallies.get(object) ?? { object, deed, times: [], rival: undefined, isFight: false };
    tallies.set(object, tally);
    if (tally.times.at(-1) !== now) tally.times.push(now);
    if (tally.times.length > BARS[deed]) tally.times.shift();
    if (rival !== undefined) tally.rival = rival;
  }

  /** The fights at the end of a reconcile that began at `now`, and how long to hold the Graph; a quiet reconcile ends them. */
  judge(now: number): { readonly fights: readonly Fight[]; readonly hold: number } {
    const fights: Fight[] = [];
    let isFresh = false;
    for (const tally of [...this.#tallies.restored.values(), ...this.#tallies.changed.values()]) {
      this.#judgeOne(tally, now);
      if (!tally.isFight) continue;
      fights.push({ object: tally.object, deed: tally.deed, rival: tally.rival });
      isFresh ||= tally.times.at(-1) === now;
    }
    if (fights.length === 0) this.#pause = 0;
    else if (isFresh) this.#pause = Math.min(LONGEST, this.#pause === 0 ? SHORTEST : this.#pause * 2);
    return { fights, hold: isFresh ? this.#pause : 0 };
  }

  /** The Graph is another one than before: what it does now is judged anew. */
  forget(): void {
    this.#tallies.restored.clear();
    this.#tallies.changed.clear();
    this.#pause = 0;
  }

  #judgeOne(tally: Tally, now: number): void {
    const { object, deed } = tally;
    // Whoever is slowed down writes back seldom, to whichever object; what changes often must do so within the minute.
    const window = tally.isFight || deed === 'restored' ? Math.max(WINDOW, 2 * this.#pause * ENOUGH) : WINDOW;
    tally.times = tally.times.filter((time) => now - time < window);
    tally.isFight = tally.times.length >= (tally.isFight ? ENOUGH : BARS[deed]);
    if (tally.times.length === 0) this.#tallies[deed].delete(object);
  }
}
