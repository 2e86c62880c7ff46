import { allEnded } from '../all-ended.ts';
import type { Limiter } from '../apply/limiter.ts';
import { release } from '../apply/release.ts';
import type { ActingContext } from '../reconcile/context.ts';
import type { Inventory } from './ledger.ts';
import type { Made } from './made.ts';
import { remove } from './remove.ts';

/** What settling needs beyond acting. */
export interface SettleContext extends ActingContext {
  readonly limiter: Limiter;
  /** Adds to the stored inventory, whatever that is by now; false: nobody looks into it any more. */
  readonly addToInventory: (made: Inventory) => Promise<boolean>;
}

/**
 * After a walk whose end could not be stored: another controller, of which this one had not heard, may have dropped the entries of what the walk
 * has made, or even have torn the Graph down (graph.md 12.7). The entries come back, or what was made goes.
 */
export async function settle(made: Made, context: SettleContext): Promise<void> {
  if (made.isEmpty || (await context.addToInventory(made.inventory))) return;
  const { managedResources, contributions } = made.inventory;
  await allEnded([
    ...managedResources.map((entry) => context.limiter.run(() => remove(entry, OPTIONS, context))),
    ...contributions.map((entry) => context.limiter.run(() => release(entry, context))),
  ]);
}

const OPTIONS = { isEarlierLeft: false, reason: 'DeleteFailed', otherwise: undefined } as const;
