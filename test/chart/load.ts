import type { Test } from 'tap';
import type { Cluster } from '../cluster/cluster.ts';
import { greeting } from './graphs.ts';

/** What a load came to. */
export interface Load {
  readonly sent: number;
  /** Answers other than "created", each once. */
  readonly failures: readonly string[];
}

/** A load that runs until it is told to end. */
export interface RunningLoad {
  readonly end: () => Promise<Load>;
}

/** Creates a right Graph by dry run again and again, in so many lanes: each one makes the API server ask the webhook. */
export function startLoad(
  t: Pick<Test, 'teardown'>,
  { admin }: Cluster,
  { namespace, lanes = 4 }: { namespace: string; lanes?: number },
): RunningLoad {
  const path = `/apis/kro.run/v1alpha1/namespaces/${namespace}/graphs?dryRun=All`;
  const failures = new Set<string>();
  let sent = 0;
  let isEnding = false;
  const lane = async (index: number): Promise<void> => {
    while (!isEnding) {
      sent += 1;
      try {
        const { status, body } = await admin.request({ method: 'POST', path, body: greeting(`load-${index}`) });
        if (status !== 201) failures.add(`${status} ${body['message']}`);
      } catch (error) {
        failures.add(String(error));
      }
    }
  };
  const lanesRunning = Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  const end = async (): Promise<Load> => {
    isEnding = true;
    await lanesRunning;
    return { sent, failures: [...failures] };
  };
  t.teardown(end);
  return { end };
}
