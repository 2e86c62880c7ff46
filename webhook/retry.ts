import type { Clock } from '../src/kube/clock.ts';

/** Tries until it succeeds or the signal is aborted; between attempts it waits a second. What goes wrong is told. */
export async function untilDone(
  attempt: () => Promise<void>,
  { clock, signal, onError }: { clock: Clock; signal: AbortSignal; onError: (error: unknown) => void },
): Promise<void> {
  while (!signal.aborted) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
    }
    await clock.sleep(1000, signal);
  }
}
