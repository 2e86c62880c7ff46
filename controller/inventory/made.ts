import type { Contribution, ManagedResource } from '../../src/api/graph.ts';
import { identityKey } from '../../src/api/object.ts';
import { contributionKey, type Inventory, identityOf } from './ledger.ts';

/** What one walk has made, or may have made: objects that the inventory knew by no UID, and fields of others' objects. */
export class Made {
  readonly #objects = new Map<string, ManagedResource>();
  readonly #contributions = new Map<string, Contribution>();

  /** An object's first write leaves this process, or was answered: then with its UID. */
  object(entry: ManagedResource): void {
    this.#objects.set(identityKey(identityOf(entry)), entry);
  }

  /** The write was refused, or given up again. */
  noObject(entry: ManagedResource): void {
    this.#objects.delete(identityKey(identityOf(entry)));
  }

  /** Fields are about to be given. */
  contribution(entry: Contribution): void {
    this.#contributions.set(contributionKey(entry), entry);
  }

  /** The write was refused, or changed nothing. */
  noContribution(entry: Contribution): void {
    this.#contributions.delete(contributionKey(entry));
  }

  /** All of it is in the stored inventory. */
  clear(): void {
    this.#objects.clear();
    this.#contributions.clear();
  }

  get isEmpty(): boolean {
    return this.#objects.size + this.#contributions.size === 0;
  }

  get inventory(): Inventory {
    return { managedResources: [...this.#objects.values()], contributions: [...this.#contributions.values()] };
  }
}

/**
 * An inventory with what was made in it (graph.md 12.1). Where it knows an object by another UID than ours, nobody can say which one lives: the
 * entry becomes an intent, which is proved by the field manager before anything is deleted.
 */
export function withMade({ managedResources, contributions }: Inventory, made: Inventory): Inventory {
  const objects = new Map(managedResources.map((entry) => [identityKey(identityOf(entry)), entry]));
  for (const entry of made.managedResources) {
    const key = identityKey(identityOf(entry));
    const known = objects.get(key);
    if (known === undefined) objects.set(key, entry);
    else if (known.uid !== undefined && known.uid !== entry.uid) objects.set(key, withoutUid(known));
  }
  const given = new Map([...contributions, ...made.contributions].map((entry) => [contributionKey(entry), entry]));
  return { managedResources: [...objects.values()], contributions: [...given.values()] };
}

function withoutUid({ uid: _uid, ...entry }: ManagedResource): ManagedResource {
  return entry;
}
