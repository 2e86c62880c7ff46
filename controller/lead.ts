import type { Clock } from '../src/kube/clock.ts';
import type { Tenure } from '../src/kube/tenure.ts';
import type { WorkersEnd } from './queue/workers.ts';

/** Works while this process is the leader, again and again, until it is told to end; a lost Lease aborts the work at once. */
export async function leadAgain(
  options: {
    readonly tenure: (signal: AbortSignal) => Promise<Tenure>;
    readonly work: (end: WorkersEnd) => Promise<void>;
    readonly clock: Clock;
    readonly onError: (error: unknown) => void;
  },
  { stop, abort }: WorkersEnd,
): Promise<void> {
  while (!stop.aborted) {
    try {
      const tenure = await options.tenure(stop);
      await options.work({ stop, abort: AbortSignal.any([abort, tenure.signal]) });
    } catch (error) {
      if (stop.aborted) return;
      options.onError(error);
      await options.clock.sleep(1000, stop);
    }
  }
}

/** The tenure of a process that does not compete: it holds for ever. */
export function everlastingTenure(): Tenure {
  return { isHeld: () => true, signal: new AbortController().signal };
}
