import type { Clock } from '../src/kube/clock.ts';
import type { Tenure } from '../src/kube/tenure.ts';

/** Works while this process is the leader, again and again, until the signal comes. `work` ends when its own signal is aborted. */
export async function leadAgain(
  options: {
    readonly tenure: (signal: AbortSignal) => Promise<Tenure>;
    readonly work: (signal: AbortSignal) => Promise<void>;
    readonly clock: Clock;
    readonly onError: (error: unknown) => void;
  },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const tenure = await options.tenure(signal);
      await options.work(AbortSignal.any([signal, tenure.signal]));
    } catch (error) {
      if (signal.aborted) return;
      options.onError(error);
      await options.clock.sleep(1000, signal);
    }
  }
}

/** The tenure of a process that does not compete: it holds for ever. */
export function everlastingTenure(): Tenure {
  return { isHeld: () => true, signal: new AbortController().signal };
}
