/** Ends what has been silent for too long. */
export interface SilenceLimit {
  /** Aborted by the parent, or by silence. */
  readonly signal: AbortSignal;
  /** Something was heard: the silence begins anew; with `limit`, it is from now on at most so long (milliseconds). */
  heard(limit?: number): void;
  /** No limit any more. */
  end(): void;
}

/** A signal that is aborted with its parent, or when nothing was heard for so long. */
export function silenceLimit(parent: AbortSignal, longest: number): SilenceLimit {
  const controller = new AbortController();
  const abort = (): void => controller.abort(parent.reason);
  parent.addEventListener('abort', abort);
  if (parent.aborted) abort();
  const arm = (limit: number): NodeJS.Timeout => setTimeout(() => controller.abort(new Error(`silent for ${limit} ms`)), limit).unref();
  let limit = longest;
  let timer = arm(limit);
  return {
    signal: controller.signal,
    heard: (shorter) => {
      if (shorter === undefined || shorter >= limit) {
        timer.refresh();
        return;
      }
      clearTimeout(timer);
      limit = shorter;
      timer = arm(limit);
    },
    end: () => {
      clearTimeout(timer);
      parent.removeEventListener('abort', abort);
    },
  };
}
