/** The entries of both inventories by the ledger's keys, each with its UID or ''. */
export type Listed = ReadonlyMap<string, string>;

/**
 * The intents whose write this process has not sent, by the ledger's keys, from one reconcile to the next (graph.md 12.1). What is dropped is
 * forgotten only as the inventory is stored without it: the turn may end before that.
 */
export class Unsent {
  readonly #keys = new Set<string>();
  #stored: Listed | undefined;

  /** A reconcile begins with this inventory. Where another controller wrote it, that one may have sent what this one has not: nothing is known. */
  begin(inventory: () => Listed): void {
    if (this.#keys.size > 0 && !isSame(inventory(), this.#stored)) this.#keys.clear();
  }

  /** This process has stored the inventory; `isKnown` tells what it may store later. */
  stored(inventory: Listed, isKnown: (key: string) => boolean): void {
    this.#stored = inventory;
    for (const key of this.#keys) if (!inventory.has(key) && !isKnown(key)) this.#keys.delete(key);
  }

  /** This process has added to what was stored, whatever that was by then: it is known as before only if nobody else wrote it meanwhile. */
  added(before: Listed, after: Listed): void {
    if (isSame(before, this.#stored)) this.#stored = after;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    this.#keys.add(key);
  }

  delete(key: string): void {
    this.#keys.delete(key);
  }

  get size(): number {
    return this.#keys.size;
  }
}

function isSame(inventory: Listed, stored: Listed | undefined): boolean {
  if (inventory.size !== stored?.size) return false;
  for (const [key, uid] of inventory) if (stored.get(key) !== uid) return false;
  return true;
}
