import t from 'tap';
import { Ledger } from '../../../controller/inventory/ledger.ts';
import { remove } from '../../../controller/inventory/remove.ts';
import type { ActingContext, Served } from '../../../controller/reconcile/context.ts';
import { GraphMemory } from '../../../controller/reconcile/memory.ts';
import type { Coverage } from '../../../controller/watch/coverage.ts';
import { ManagerLists, recordOf } from '../../../controller/watch/record.ts';
import type { ManagedResource } from '../../../src/api/graph.ts';
import type { ObjectMeta } from '../../../src/api/object.ts';
import type { DeleteOptions, KubeClient, ObjectRef } from '../../../src/kube/client.ts';
import { ApiError } from '../../../src/kube/error.ts';
import { stub } from '../../support/stub.ts';

const entry: ManagedResource = { apiVersion: 'example.com/v1', kind: 'Thing', namespace: 'n', name: 'x', nodeID: 'a', wave: 1, uid: 'u1' };
const seen: ObjectMeta = { name: 'x', namespace: 'n', uid: 'u1', resourceVersion: '1' };
const retained: ObjectMeta = { ...seen, resourceVersion: '2', annotations: { 'kro.run/on-delete': 'retain' } };

function apiError(code: number, reason: string, name: string): ApiError {
  return new ApiError({ code, reason, message: reason, causes: [], name, about: 'things', retryAfter: undefined });
}
const conflict = apiError(409, 'Conflict', 'x');
const notServed = apiError(404, 'NotFound', '');
const noObject = apiError(404, 'NotFound', 'x');
const forbidden = apiError(403, 'Forbidden', 'x');

type Answer = boolean | ApiError;

interface Cluster {
  /** What a watch knows of the object. */
  readonly watched?: ObjectMeta;
  /** What a read gives. */
  readonly live?: ObjectMeta | ApiError;
  /** What deletes give, one after another. */
  readonly deletes: readonly Answer[];
  /** The version that discovery tells, as it is known and as it is now; undefined: none. */
  readonly served?: readonly [known: string | undefined, current: string | undefined];
  /** The API server behind the kind's group does not answer. */
  readonly isUnavailable?: boolean;
}

/** Removes the entry; gives what came of it, and the requests that it took. */
async function removeIn({
  watched,
  live,
  deletes,
  served = ['v1', 'v1'],
  isUnavailable,
}: Cluster): Promise<readonly [word: string, requests: string[]]> {
  const requests: string[] = [];
  const answers = [...deletes];
  const applier = stub<KubeClient>('applier', {
    delete: async (ref: ObjectRef, { uid, resourceVersion }: DeleteOptions) => {
      requests.push(`delete ${ref.version} ${uid} ${resourceVersion ?? 'any'}`);
      const answer = answers.shift();
      if (typeof answer === 'boolean') return answer;
      throw answer ?? new Error('one delete more than expected');
    },
    getMetadata: async () => {
      requests.push('read');
      if (live === undefined) throw noObject;
      if (live instanceof ApiError) throw live;
      return { apiVersion: 'example.com/v1', kind: 'Thing', metadata: live };
    },
    // What retain asks for: an object that nobody has applied needs no more.
    get: async () => {
      requests.push('retain');
      return { apiVersion: 'example.com/v1', kind: 'Thing', metadata: retained };
    },
  });
  const context = stub<ActingContext>('context', {
    graphUid: 'g1',
    applier,
    applierUser: 'system:serviceaccount:n:default',
    ledger: new Ledger({ managedResources: [entry] }),
    memory: new GraphMemory('g1'),
    coverage: stub<Coverage>('coverage', {
      object: async () => ({ isKnown: true, record: watched === undefined ? undefined : recordOf(watched, new ManagerLists()) }),
      observe: () => {},
      observeGone: () => {},
    }),
    resolveServed: async (kind, least): Promise<Served> => {
      if (isUnavailable) return { word: 'unavailable' };
      const version = least === 'current' ? served[1] : served[0];
      if (version === undefined) return { word: 'unserved' };
      return { word: 'served', kind: { ...kind, version }, plural: 'things', namespaced: true };
    },
    isNamespaceEnding: async () => false,
    hasGarbageCollector: async () => true,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    signal: new AbortController().signal,
    now: () => 0,
  });
  const { word } = await remove(entry, { isEarlierLeft: false, reason: 'DeleteFailed', otherwise: undefined }, context);
  return [word, requests];
}

const ROWS: readonly [title: string, cluster: Cluster, word: string, requests: readonly string[]][] = [
  ['what a watch knows is deleted as it is known', { watched: seen, deletes: [true] }, 'gone', ['delete v1 u1 1']],
  [
    'what was retained before the watch told it is only let go',
    { watched: seen, live: retained, deletes: [conflict] },
    'gone',
    ['delete v1 u1 1', 'read', 'retain'],
  ],
  [
    'what has changed otherwise is deleted as it is read',
    { watched: seen, live: { ...seen, resourceVersion: '2' }, deletes: [conflict, true] },
    'gone',
    ['delete v1 u1 1', 'read', 'delete v1 u1 any'],
  ],
  [
    'another object of the name is left alone',
    { watched: seen, live: { ...seen, uid: 'u2' }, deletes: [conflict] },
    'gone',
    ['delete v1 u1 1', 'read'],
  ],
  [
    'so is one that has taken its place since nothing was known of it',
    { live: { ...seen, uid: 'u2' }, deletes: [conflict] },
    'gone',
    ['delete v1 u1 any', 'read'],
  ],
  [
    'a conflict about the object itself is a refusal, which is tried again',
    { live: seen, deletes: [conflict] },
    'refused',
    ['delete v1 u1 any', 'read'],
  ],
  [
    'a conflict that may not be looked into is a refusal too, and ends neither the other removals nor the reconcile',
    { live: forbidden, deletes: [conflict] },
    'refused',
    ['delete v1 u1 any', 'read'],
  ],
  ['what stands behind an API server that does not answer is not taken for gone', { deletes: [], isUnavailable: true }, 'refused', []],
  ['of a kind that is not served it is gone', { deletes: [], served: [undefined, undefined] }, 'gone', []],
  ['what a watch does not know is deleted by its UID', { deletes: [true] }, 'gone', ['delete v1 u1 any']],
  ['a 404 that names the object is its end', { deletes: [noObject] }, 'gone', ['delete v1 u1 any']],
  [
    'of a version that went the object is deleted in another',
    { deletes: [notServed, true], served: ['v1', 'v2'] },
    'gone',
    ['delete v1 u1 any', 'delete v2 u1 any'],
  ],
  ['of a kind that went it is gone', { deletes: [notServed], served: ['v1', undefined] }, 'gone', ['delete v1 u1 any']],
  [
    'while discovery lags nothing is taken for gone',
    { deletes: [notServed, notServed] },
    'unproved',
    ['delete v1 u1 any', 'delete v1 u1 any'],
  ],
];

for (const [title, cluster, word, requests] of ROWS) {
  t.test(title, async (t) => {
    t.strictSame(await removeIn(cluster), [word, requests]);
  });
}
