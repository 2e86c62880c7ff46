import type { KubeClient, ObjectRef } from '../../src/kube/client.ts';
import { isGone } from '../../src/kube/error.ts';

/** An object as it was read. */
export interface SeenObject {
  readonly object: ObjectRef;
  readonly resourceVersion: string;
}

export interface Watching {
  readonly client: Pick<KubeClient, 'watch'>;
  readonly objects: readonly SeenObject[];
  /** So long it waits at most. */
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

/** What the server takes to end a watch by itself; a connection that is still silent then is dead. */
const GRACE_MILLISECONDS = 10_000;

/**
 * Watches objects, and returns when one of them has changed, when a watch has ended or its version is too old to go on from, when the time is
 * over, or at the signal: whoever waits reads the objects again. Throws when they cannot be watched.
 */
export async function untilChanged({ client, objects, milliseconds, signal }: Watching): Promise<void> {
  const timeoutSeconds = Math.max(1, Math.ceil(milliseconds / 1000));
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal, AbortSignal.timeout(timeoutSeconds * 1000 + GRACE_MILLISECONDS)]);
  const firstChange = async ({ object: { name, ...resource }, resourceVersion }: SeenObject): Promise<void> => {
    try {
      const options = { fieldSelector: `metadata.name=${name}`, resourceVersion, timeoutSeconds, signal: ended };
      for await (const { type } of client.watch(resource, options)) {
        if (type !== 'BOOKMARK') return;
      }
    } catch (error) {
      if (!ended.aborted && !isGone(error)) throw error;
    }
  };
  try {
    await Promise.race(objects.map(firstChange));
  } finally {
    over.abort();
  }
}
