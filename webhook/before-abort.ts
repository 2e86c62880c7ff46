/**
 * The result of work; throws the signal's reason when that comes first. For work that does not heed the signal itself, or is shared with
 * others: it goes on, and whoever asks next finds it done.
 */
export async function beforeAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => {});
    aborted.catch(() => {});
  }
}
