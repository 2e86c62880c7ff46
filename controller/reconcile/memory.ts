import type { Contribution } from '../../src/api/graph.ts';
import { printNodePath, templateManager } from '../../src/api/names.ts';
import { identityKey, type KubeObject } from '../../src/api/object.ts';
import type { Program } from '../../src/compiler/program.ts';
import type { Outcome } from '../../src/runtime/outcome.ts';
import { Refusals } from '../apply/refusals.ts';
import { contributionKey, type Inventory, identityOf } from '../inventory/ledger.ts';
import { Unsent } from '../inventory/unsent.ts';
import type { RenderedNode } from '../nodes/rendered.ts';
import { Failing } from '../status/failing.ts';
import { Fights } from './fights.ts';
import type { ProgramForesight } from './look-ahead.ts';
import { Renderings } from './renderings.ts';

/** The last answer that the API server gave the applier about an object. */
export interface Answer {
  readonly uid: string;
  readonly resourceVersion: string;
  /** Digest of the manifest that was applied, or that the object was found to agree with. */
  readonly digest: string;
  /** What our manager owned then (`watch/record.ts`). */
  readonly mark: string | undefined;
  /** It owned a field that the object does not show: then an equal mark proves nothing of another version (`engine/unseen.ts`). */
  readonly ownsUnseen: boolean;
  /** The object, where somebody reads it. */
  readonly object: KubeObject | undefined;
}

/** Milliseconds for which a write that got no answer may still be carried out (graph.md 12.1). */
export const UNANSWERED = 70_000;

/**
 * The same for what a process before this one may have sent before it was killed: its connections ended with it, and the API server gives up a
 * request whose connection has ended.
 */
const INHERITED = 10_000;

/** Instead of the time of a first look: no write is under way, so that a single look in vain is enough. */
export const ANSWERED = Number.NEGATIVE_INFINITY;

/** Answers, with those that the present reconcile uses marked. */
export class Answers {
  readonly #answers = new Map<string, Answer>();
  readonly #used = new Set<string>();

  get size(): number {
    return this.#answers.size;
  }

  get(key: string): Answer | undefined {
    const answer = this.#answers.get(key);
    if (answer !== undefined) this.#used.add(key);
    return answer;
  }

  set(key: string, answer: Answer): void {
    this.#answers.set(key, answer);
    this.#used.add(key);
  }

  delete(key: string): void {
    this.#answers.delete(key);
  }

  clear(): void {
    this.#answers.clear();
  }

  /** A reconcile begins: nothing is used yet. */
  begin(): void {
    this.#used.clear();
  }

  /** Forgets what the nodes that were dealt with have not used: objects that are no longer rendered. `open`: the paths of the other nodes. */
  sweep(open: ReadonlySet<string>): void {
    for (const key of this.#answers.keys()) if (!this.#used.has(key) && !open.has(nodeOf(key))) this.#answers.delete(key);
    this.#used.clear();
  }
}

/** The node path that the key of an answer begins with. */
function nodeOf(key: string): string {
  return key.split('\n', 1)[0] ?? '';
}

/** A list that was read for a selector. */
export interface ListAnswer {
  readonly query: string;
  readonly scope: string;
  readonly items: readonly KubeObject[];
}

/**
 * What this process remembers of a Graph between reconciles: only what saves requests or keeps time. Losing it costs reads, and nothing else
 * (graph.md 12.7).
 */
export class GraphMemory {
  readonly uid: string;
  /** The field manager of the Graph's template objects. */
  readonly manager: string;
  /** The applier whose answers these are. */
  applier = '';
  /** By node path and identity. */
  readonly answers = new Answers();
  readonly renderings = new Renderings<RenderedNode>();
  readonly foresights = new WeakMap<Program, ProgramForesight>();
  /** By node path. */
  readonly lists = new Map<string, ListAnswer>();
  readonly unsent = new Unsent();
  /** When entries without a UID were first looked for in vain since their last write, by identity. */
  readonly unproved = new Map<string, number>();
  /**
   * When the last write of a contribution got no answer, by the ledger's keys; an answer to a later one settles it. At first of all that are known:
   * the process before this one may have been killed with each of them on its way.
   */
  readonly unanswered = new Map<string, number>();
  /** Objects that prune or teardown has seen go, by UID. */
  readonly gone = new Set<string>();
  /** Objects that are being deleted, by UID. */
  readonly doomed = new Set<string>();
  readonly refusals = new Refusals();
  /** The prune that a person was asked about last, by its token, and what it deletes (graph.md 12.9). */
  askedPrune: { readonly token: string; readonly keys: ReadonlySet<string> } | undefined;
  /** Identities that were foreseen and turned out otherwise. */
  readonly mistaken = new Set<string>();
  readonly fights = new Fights();
  readonly failing = new Failing();
  /** The generation that was reconciled last. */
  generation: number | undefined;
  /** The value of the reconcile-at annotation that was last obeyed. */
  reconciledAt: string | undefined;
  /** How much of the Graph is left to tear down, and since when. */
  teardown: { readonly left: number; readonly since: number } | undefined;
  /** Whether a watch was not open yet when the last reconcile ended. */
  awaitsWatches = false;

  constructor(uid: string, inherited: { readonly contributions: readonly Contribution[]; readonly now: number } = NOTHING) {
    this.uid = uid;
    this.manager = templateManager(uid);
    for (const entry of inherited.contributions) this.unanswered.set(contributionKey(entry), inherited.now - UNANSWERED + INHERITED);
  }

  /** The time since which an entry without a UID is looked for: now, if that begins now. */
  beginToLook(identity: string, now: number): number {
    const since = this.unproved.get(identity) ?? now;
    this.unproved.set(identity, since);
    return since;
  }

  /**
   * The stored inventory holds these entries and no others: what is remembered of those that went is of no use any more. A Graph whose objects
   * come and go for months would else remember each of them.
   */
  keepOnly({ managedResources, contributions }: Inventory): void {
    const perObject = [this.gone, this.doomed, this.unproved, this.refusals];
    if (perObject.every(({ size }) => size === 0) && this.unanswered.size === 0) return;
    const uids = new Set(managedResources.map(({ uid }) => uid));
    const identities = new Set(managedResources.map((entry) => identityKey(identityOf(entry))));
    // What has its UID is looked for no more; a Graph at rest has nothing here, so that this costs it nothing.
    const looked = new Set(managedResources.filter(({ uid }) => uid === undefined).map((entry) => identityKey(identityOf(entry))));
    const given = new Set(contributions.map(contributionKey));
    for (const seen of [this.gone, this.doomed]) for (const uid of seen) if (!uids.has(uid)) seen.delete(uid);
    for (const key of this.unproved.keys()) if (!looked.has(key)) this.unproved.delete(key);
    this.refusals.keepOnly(identities);
    for (const key of this.unanswered.keys()) if (!given.has(key)) this.unanswered.delete(key);
  }

  /**
   * Forgets what the end of a walk shows to be of no use any more: answers about what is no longer rendered, and the lists of nodes that read no
   * more. One node that fails for ever keeps nothing of the others.
   */
  sweep(outcomes: readonly Outcome[]): void {
    this.answers.sweep(pathsOf(outcomes.filter(({ word }) => word === 'blocked' || word === 'waiting' || word === 'failed')));
    if (this.lists.size === 0) return;
    const present = pathsOf(outcomes.filter(({ word }) => word !== 'skipped'));
    for (const path of this.lists.keys()) if (!present.has(path)) this.lists.delete(path);
  }

  /** Forgets every answer: another applier, or all must be looked at again. */
  forgetAnswers(): void {
    this.answers.clear();
    this.lists.clear();
    this.refusals.clear();
  }
}

const NOTHING = { contributions: [], now: 0 };

function pathsOf(outcomes: readonly Outcome[]): ReadonlySet<string> {
  return new Set(outcomes.map(({ path }) => printNodePath(path)));
}
