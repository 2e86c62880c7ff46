import type { Contribution, GraphStatus, ManagedResource } from '../../src/api/graph.ts';
import { type Identity, identityKey, parseApiVersion } from '../../src/api/object.ts';
import { type Listed, Unsent } from './unsent.ts';

/** How many entries each inventory may hold (graph.md 12.8). */
export const MOST_ENTRIES = 5000;

/** What is known of an entry's write in this process. */
type Progress = 'unknown' | 'intended' | 'sent' | 'applied';

interface Line {
  readonly entry: ManagedResource;
  readonly progress: Progress;
}

interface ContributionLine {
  readonly entry: Contribution;
  readonly progress: Progress;
}

/** Both inventories as they stand in a status. */
export interface Inventory {
  readonly managedResources: readonly ManagedResource[];
  readonly contributions: readonly Contribution[];
}

/**
 * What may be in the cluster because of this Graph: what its status says, what is about to be written, and what was (graph.md 12.1). It only
 * grows until something is known to be gone. Pure: `controller/status/writer.ts` persists it, before the write that it announces.
 */
export class Ledger {
  readonly #resources = new Map<string, Line>();
  readonly #contributions = new Map<string, ContributionLine>();
  /** The entries of both that the stored status does not announce, by their keys; every node asks whether there are any. */
  readonly #unpersisted = new Set<string>();
  readonly #unsent: Unsent;

  constructor(status: GraphStatus | undefined, unsent: Unsent = new Unsent()) {
    this.#unsent = unsent;
    unsent.begin(() => listOf(status));
    for (const stored of status?.managedResources ?? []) {
      const entry = normalized(stored);
      const key = identityKey(identityOf(entry));
      const isUnsent = entry.uid === undefined && unsent.has(key);
      this.#resources.set(key, { entry, progress: isUnsent ? 'intended' : 'unknown' });
    }
    for (const entry of status?.contributions ?? []) {
      const key = contributionKey(entry);
      this.#contributions.set(key, { entry, progress: unsent.has(key) ? 'intended' : 'unknown' });
    }
  }

  /** An object is about to be written. False: the inventory would hold too many. */
  intend(entry: ManagedResource): boolean {
    const key = identityKey(identityOf(entry));
    if (this.#resources.has(key)) return true;
    if (this.#resources.size >= MOST_ENTRIES) return false;
    this.#put(key, { entry, progress: 'intended' });
    this.#unsent.add(key);
    return true;
  }

  /** Fields are about to be given to another's object. False: the inventory would hold too many. */
  intendContribution(entry: Contribution): boolean {
    const key = contributionKey(entry);
    if (this.#contributions.has(key)) return true;
    if (this.#contributions.size >= MOST_ENTRIES) return false;
    this.#contributions.set(key, { entry, progress: 'intended' });
    this.#unpersisted.add(key);
    this.#unsent.add(key);
    return true;
  }

  /**
   * An object that is known to be gone is about to be created again, or one that others made in its place to be taken over. True: its entry had
   * a UID, and must be stored without one first. Whether nothing of it is left is not taken for certain: the entry stays until it is looked for
   * in vain.
   */
  intendAnew(entry: ManagedResource): boolean {
    const key = identityKey(identityOf(entry));
    const line = this.#resources.get(key);
    if (line?.entry.uid === undefined) return false;
    this.#resources.set(key, { entry, progress: 'unknown' });
    this.#unpersisted.add(key);
    return true;
  }

  /** The write of an intended object leaves this process now: from here on it may exist. */
  sent(identity: Identity): void {
    const key = identityKey(identity);
    const line = this.#resources.get(key);
    if (line?.progress === 'intended') this.#resources.set(key, { ...line, progress: 'sent' });
    this.#unsent.delete(key);
  }

  /** The write was refused: no object exists because of it. Only what this process knows to be its first write becomes unsent again. */
  refused(identity: Identity): void {
    const key = identityKey(identity);
    const line = this.#resources.get(key);
    if (line?.progress !== 'sent') return;
    this.#resources.set(key, { ...line, progress: 'intended' });
    this.#unsent.add(key);
  }

  /** The contribution's write leaves this process now. */
  contributionSent(entry: Contribution): void {
    const key = contributionKey(entry);
    const line = this.#contributions.get(key);
    if (line?.progress === 'intended') this.#contributions.set(key, { ...line, progress: 'sent' });
    this.#unsent.delete(key);
  }

  /** The contribution's write was refused. */
  contributionRefused(entry: Contribution): void {
    const key = contributionKey(entry);
    const line = this.#contributions.get(key);
    if (line?.progress !== 'sent') return;
    this.#contributions.set(key, { ...line, progress: 'intended' });
    this.#unsent.add(key);
  }

  /** Our fields were given up to another owner: the entry is an intent again, which must never delete by the UID that it had. */
  givenUp(entry: ManagedResource): void {
    const key = identityKey(identityOf(entry));
    this.#put(key, { entry, progress: 'intended' });
    this.#unsent.add(key);
  }

  /** The object is there, with this UID; also what tells that it is still as it was applied, be it by another controller. */
  applied(entry: ManagedResource & { readonly uid: string }): void {
    const key = identityKey(identityOf(entry));
    this.#put(key, { entry, progress: 'applied' });
    // What is there may have been found, and not written by this process: a turn whose end is not stored must not take it for never sent.
    this.#unsent.delete(key);
  }

  /** The fields are there, whoever sent them. */
  contributed(entry: Contribution): void {
    const key = contributionKey(entry);
    if (!this.#contributions.has(key)) this.#unpersisted.add(key);
    this.#contributions.set(key, { entry, progress: 'applied' });
    this.#unsent.delete(key);
  }

  /** An entry that had no UID is proved to be ours by its field manager (graph.md 12.3). */
  proved(entry: ManagedResource, uid: string): ManagedResource {
    const key = identityKey(identityOf(entry));
    const proved = { ...entry, uid };
    this.#put(key, { entry: proved, progress: this.#resources.get(key)?.progress === 'applied' ? 'applied' : 'unknown' });
    this.#unsent.delete(key);
    return proved;
  }

  /** The object is gone, is another's, or never was. That its write was never sent is remembered until the inventory is stored without it. */
  drop(entry: ManagedResource): void {
    const key = identityKey(identityOf(entry));
    this.#resources.delete(key);
    this.#unpersisted.delete(key);
  }

  /** The fields are given up, or went with their object. */
  dropContribution(entry: Contribution): void {
    const key = contributionKey(entry);
    this.#contributions.delete(key);
    this.#unpersisted.delete(key);
  }

  /** Drops intents whose write this process never sent, unless somebody still wants them (graph.md 12.1). */
  dropUnsent(isWanted: (entry: ManagedResource) => boolean, isContributionWanted: (entry: Contribution) => boolean): void {
    for (const { progress, entry } of [...this.#resources.values()]) if (progress === 'intended' && !isWanted(entry)) this.drop(entry);
    for (const { progress, entry } of [...this.#contributions.values()])
      if (progress === 'intended' && !isContributionWanted(entry)) this.dropContribution(entry);
  }

  /** Whether something is announced that the stored status does not have: then it must be persisted before it is written. */
  get hasUnpersisted(): boolean {
    return this.#unpersisted.size > 0;
  }

  /** `has` by the object's `identityKey`. */
  knows(key: string): boolean {
    return this.#resources.has(key);
  }

  /** Whether the inventory has an entry for the object. */
  has(entry: ManagedResource): boolean {
    return this.#resources.has(identityKey(identityOf(entry)));
  }

  /** The UID under which the inventory knows an object. */
  uidOf(identity: Identity): string | undefined {
    return this.#resources.get(identityKey(identity))?.entry.uid;
  }

  hasContribution(entry: Contribution): boolean {
    return this.#contributions.has(contributionKey(entry));
  }

  /** Whether every object of the inventory was applied in this reconcile. */
  get isAllApplied(): boolean {
    return (
      !some(this.#resources, (line) => line.progress !== 'applied') && !some(this.#contributions, (line) => line.progress !== 'applied')
    );
  }

  /** The entries that were there before this reconcile or are known by now, in the order of the inventory. */
  get entries(): readonly ManagedResource[] {
    return [...this.#resources.values()].map(({ entry }) => entry);
  }

  /** Whether this process knows that it never gave the contribution. */
  wasNeverContributed(entry: Contribution): boolean {
    return this.#contributions.get(contributionKey(entry))?.progress === 'intended';
  }

  get contributionEntries(): readonly Contribution[] {
    return [...this.#contributions.values()].map(({ entry }) => entry);
  }

  /** Whether this process knows that it never sent the entry's write. */
  wasNeverSent(entry: ManagedResource): boolean {
    return this.#resources.get(identityKey(identityOf(entry)))?.progress === 'intended';
  }

  /** The inventories as they should be stored; in apply order, entries of no known place after those of their wave. */
  inventory(placeOf: (entry: ManagedResource) => number): Inventory {
    const placed = this.entries.map((entry, at) => ({ entry, at, place: placeOf(entry) }));
    placed.sort((a, b) => a.place - b.place || a.at - b.at);
    return { managedResources: placed.map(({ entry }) => entry), contributions: this.contributionEntries };
  }

  /** The status was stored with this, which may have changed here since it was sent. */
  persisted(stored: Inventory): void {
    const listed = list(stored.managedResources, stored.contributions);
    for (const key of this.#unpersisted) {
      const uid = listed.get(key);
      // An object that is made anew is not announced by the UID of the one before it: whoever tears the Graph down would look for that one alone.
      const isAnnounced = uid === '' || (uid !== undefined && uid === this.#resources.get(key)?.entry.uid);
      if (isAnnounced) this.#unpersisted.delete(key);
    }
    this.#unsent.stored(listed, (key) => this.#resources.has(key) || this.#contributions.has(key));
  }

  /** What was made was added to the status that others, or the walk itself, had stored last. */
  added(before: GraphStatus, after: GraphStatus): void {
    this.#unsent.added(listOf(before), listOf(after));
  }

  /** What the status did not know at all is announced; an entry that it has stays announced, with or without its UID. */
  #put(key: string, line: Line): void {
    if (!this.#resources.has(key)) this.#unpersisted.add(key);
    this.#resources.set(key, line);
  }
}

/** The identity of an entry; its version is no part of it. */
export function identityOf(entry: Pick<ManagedResource, 'apiVersion' | 'kind' | 'name'> & { readonly namespace?: string }): Identity {
  return {
    group: parseApiVersion(entry.apiVersion)?.group ?? '',
    kind: entry.kind,
    namespace: entry.namespace ?? '',
    name: entry.name,
  };
}

/** An empty UID is none: no object has it, so that it would count for another object's (graph.md 12.3). */
function normalized(stored: ManagedResource): ManagedResource {
  const { uid, ...entry } = stored;
  return uid === '' ? entry : stored;
}

/** A text that is equal for the same fields of the same object. */
export function contributionKey(entry: Contribution): string {
  return `${identityKey(identityOf(entry))}\n${entry.fieldManager}\n${entry.subresource ?? ''}`;
}

function listOf(status: GraphStatus | undefined): Listed {
  return list(status?.managedResources ?? [], status?.contributions ?? []);
}

function list(managedResources: readonly ManagedResource[], contributions: readonly Contribution[]): Listed {
  const listed = new Map<string, string>();
  for (const entry of managedResources) listed.set(identityKey(identityOf(entry)), entry.uid ?? '');
  for (const entry of contributions) listed.set(contributionKey(entry), '');
  return listed;
}

function some<K, V>(map: ReadonlyMap<K, V>, test: (value: V) => boolean): boolean {
  for (const value of map.values()) if (test(value)) return true;
  return false;
}
