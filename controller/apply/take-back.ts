import type { ReconcileContext } from '../reconcile/context.ts';
import { release } from './release.ts';

/**
 * Gives up again what this walk has given to others' objects, if the Graph went meanwhile: another controller, of whose teardown this one had
 * not heard, may have released before these writes came (graph.md 12.7). Costs one read in a walk that gave something.
 */
export async function takeBack(context: ReconcileContext): Promise<void> {
  const { given } = context.findings;
  if (given.length === 0 || (await context.isGraphWanted())) return;
  await Promise.all(given.map((entry) => context.limiter.run(() => release(entry, context))));
}
