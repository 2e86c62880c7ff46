import type { KubeClient } from '../../src/kube/client.ts';
import { isForbidden } from '../../src/kube/error.ts';
import type { ActingContext } from '../reconcile/context.ts';

/**
 * Does something as the applier of the status and, where that one may not, as the one of the present spec (graph.md 12.4). If neither may, it is
 * the first refusal that counts.
 */
export async function asEither<T>(
  context: ActingContext,
  otherwise: KubeClient | undefined,
  action: (context: ActingContext) => Promise<T>,
): Promise<T> {
  try {
    return await action(context);
  } catch (first) {
    if (otherwise === undefined || !isForbidden(first)) throw first;
    try {
      return await action({ ...context, applier: otherwise });
    } catch (second) {
      throw isForbidden(second) ? first : second;
    }
  }
}
