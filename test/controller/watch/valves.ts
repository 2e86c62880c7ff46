import { once } from 'node:events';
import type { Test } from 'tap';
import { WatchPool, type WatchScope } from '../../../controller/watch/reflectors.ts';
import { servedVersion } from '../../../controller/watch/served-version.ts';
import type { KubeClient, ObjectMetadata, WatchEvent, WatchOptions } from '../../../src/kube/client.ts';
import { systemClock } from '../../../src/kube/clock.ts';
import type { ServedResources } from '../../../src/kube/discovery.ts';
import { ApiError, type ApiRefusal } from '../../../src/kube/error.ts';

/** The answer to a path that no server knows: text, and no `Status`. */
export const NO_SUCH_PATH: Partial<ApiRefusal> = { code: 404 };

/** An API server with one resource, `valves`, and a pool of watches on it. */
export interface Valves {
  readonly pool: WatchPool;
  readonly client: KubeClient;
  /** The versions that were listed, as often as they were. */
  readonly lists: readonly string[];
  /** The scopes whose watches knew again after they began anew. */
  readonly renewed: readonly string[];
  /** From here on it is served in these versions alone. */
  serve(versions: readonly string[]): void;
}

/** Valves that are served in these versions; a list of another is refused. The pool is stopped at the end of the test. */
export function valvesIn(t: Test, versions: readonly string[], refusal: Partial<ApiRefusal> = NO_SUCH_PATH): Valves {
  let served = versions;
  const lists: string[] = [];
  const renewed: string[] = [];
  const client = {
    listMetadata: async ({ version }: WatchScope) => {
      lists.push(version);
      if (!served.includes(version))
        throw new ApiError({ code: 0, reason: '', message: '', causes: [], name: '', about: '', retryAfter: undefined, ...refusal });
      return { items: [], continue: '', resourceVersion: '1' };
    },
    watchMetadata: async function* (_resource: unknown, { onOpen, signal }: WatchOptions): AsyncGenerator<WatchEvent<ObjectMetadata>> {
      onOpen?.();
      yield { type: 'BOOKMARK', object: { metadata: { name: '', resourceVersion: '1' } } as ObjectMetadata };
      if (signal !== undefined && !signal.aborted) await once(signal, 'abort');
    },
  } as unknown as KubeClient;
  const pool = new WatchPool({
    client,
    clock: systemClock,
    random: () => 0,
    listener: { changed: () => {}, stateChanged: () => {}, renewed: (scope) => renewed.push(scope) },
    servedVersion: (scope) => servedVersion(scope, discovered(served)),
  });
  t.teardown(() => pool.stop());
  return {
    pool,
    client,
    lists,
    renewed,
    serve(now) {
      served = now;
    },
  };
}

/** Where valves are watched, as a Graph of this version names it. */
export function valvesScope(version: string): WatchScope {
  return { group: 'example.com', version, plural: 'valves', namespace: 'n' };
}

/** What discovery tells of valves. */
export function discovered(versions: readonly string[]): ServedResources {
  const resources = versions.map((version) => ({
    kind: { group: 'example.com', version, kind: 'Valve' },
    plural: 'valves',
    namespaced: true,
    verbs: ['list', 'watch'],
    hasStatus: false,
  }));
  return {
    resources,
    kinds: resources.map(({ kind }) => kind),
    find: ({ version }) => resources.find(({ kind }) => kind.version === version),
    versions: () => resources,
    isUnavailable: () => false,
  };
}
