import type { ReviewClient } from './review-client.ts';

/** What a load came to. */
export interface LoadResult {
  readonly sent: number;
  readonly allowed: number;
  /** What else came, each once. */
  readonly failures: readonly string[];
}

/** Sends one review after the other on so many connections until the signal, and then waits for the answers that are due. */
export async function loadUntil(client: ReviewClient, lanes: number, signal: AbortSignal): Promise<LoadResult> {
  let sent = 0;
  let allowed = 0;
  const failures = new Set<string>();
  const lane = async (): Promise<void> => {
    while (!signal.aborted) {
      sent++;
      try {
        const { status, text, review } = await client.review();
        if (review?.response.allowed) allowed++;
        else failures.add(`${status} ${text.slice(0, 200)}`);
      } catch (error) {
        failures.add(String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { sent, allowed, failures: [...failures] };
}
