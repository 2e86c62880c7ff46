import type { Contribution, ManagedResource } from '../../src/api/graph.ts';
import type { Inventory, Ledger } from '../inventory/ledger.ts';
import { sizeOf } from '../inventory/size.ts';

/** What announcing needs. */
export interface AnnouncerOptions {
  readonly ledger: Ledger;
  readonly placeOf: (entry: ManagedResource) => number;
  /** How many bytes the Graph with these inventories may still grow by (graph.md 12.8). */
  readonly roomBeside: (inventory: Inventory) => number;
  /** Stores the inventories. */
  readonly store: (inventory: Inventory) => Promise<void>;
}

/**
 * Puts intents into the stored inventory before what they announce is written (graph.md 8.5). What many nodes announce at the same time goes into
 * one write.
 */
export class Announcer {
  readonly #options: AnnouncerOptions;
  #storing: Promise<void> | undefined;
  /** Bytes that are left. Measured once, since the whole Graph is printed for that and each of its nodes may announce something. */
  #room: number | undefined;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  /** Takes these into the inventory, which is not stored yet; false: it would be too large, and none of them may be written. */
  intend(entries: readonly ManagedResource[], contributions: readonly Contribution[]): boolean {
    const { ledger, roomBeside, placeOf } = this.#options;
    const fresh = entries.filter((entry) => !ledger.has(entry));
    const freshContributions = contributions.filter((entry) => !ledger.hasContribution(entry));
    if (fresh.length + freshContributions.length === 0) return true;
    this.#room ??= roomBeside(ledger.inventory(placeOf));
    const size = sizeOf({ managedResources: fresh, contributions: freshContributions });
    const isCounted = fresh.every((entry) => ledger.intend(entry)) && freshContributions.every((entry) => ledger.intendContribution(entry));
    if (isCounted && size <= this.#room) {
      this.#room -= size;
      return true;
    }
    for (const entry of fresh) ledger.drop(entry);
    for (const entry of freshContributions) ledger.dropContribution(entry);
    return false;
  }

  /** Resolves when all that was intended is stored: then it may be written. */
  async stored(): Promise<void> {
    while (this.#options.ledger.hasUnpersisted) {
      this.#storing ??= this.#store().finally(() => {
        this.#storing = undefined;
      });
      await this.#storing;
    }
  }

  /** Both: resolves when all of these are stored; false: none of them may be written. */
  async announce(entries: readonly ManagedResource[], contributions: readonly Contribution[]): Promise<boolean> {
    if (!this.intend(entries, contributions)) return false;
    await this.stored();
    return true;
  }

  async #store(): Promise<void> {
    const { ledger, placeOf, store } = this.#options;
    // Let others that are announced at the same moment come along.
    await new Promise((resolve) => setImmediate(resolve));
    const inventory = ledger.inventory(placeOf);
    await store(inventory);
    ledger.persisted(inventory);
  }
}
