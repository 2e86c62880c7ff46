import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { Limiter } from '../../../controller/apply/limiter.ts';
import { Ledger } from '../../../controller/inventory/ledger.ts';
import { type TeardownContext, tearDown } from '../../../controller/inventory/teardown.ts';
import { GraphMemory } from '../../../controller/reconcile/memory.ts';
import type { Coverage } from '../../../controller/watch/coverage.ts';
import type { ManagedResource } from '../../../src/api/graph.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import { ApiError } from '../../../src/kube/error.ts';
import { stub } from '../../support/stub.ts';

function entry(name: string, wave = 1): ManagedResource {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name, nodeID: 'a', wave, uid: `uid-${name}` };
}

const unauthorized = new ApiError({
  code: 401,
  reason: 'Unauthorized',
  message: '',
  causes: [],
  name: '',
  about: '',
  retryAfter: undefined,
});

const forbidden = new ApiError({
  code: 403,
  reason: 'Forbidden',
  message: '',
  causes: [],
  name: 'b',
  about: 'configmaps',
  retryAfter: undefined,
});

t.test('a teardown that must give up ends when all that it has begun has ended: the next turn meets nothing of it', async (t) => {
  const ended: string[] = [];
  const applier = stub<KubeClient>('applier', {
    delete: async ({ name }) => {
      if (name === 'refused') throw unauthorized;
      for (let turns = 0; turns < 10; turns++) await turn();
      ended.push(name);
      return true;
    },
  });
  const context = contextOf({ applier, ledger: new Ledger({ managedResources: [entry('slow'), entry('refused')] }) });
  await t.rejects(tearDown(context), { code: 401 });
  t.same(ended, ['slow']);
});

t.test(
  'a wave is deleted when the one after it is gone: in the foreground while an earlier one remains, the first in the background',
  async (t) => {
    const asked: string[] = [];
    const gone = new Set<string>();
    const applier = stub<KubeClient>('applier', {
      delete: async ({ name }, { uid, propagationPolicy }) => {
        asked.push(`${name} ${uid} ${propagationPolicy}`);
        return gone.has(name);
      },
    });
    const ledger = new Ledger({ managedResources: [entry('a', 1), entry('b', 2), entry('c', 3), entry('d', 3)] });
    const context = contextOf({ applier, ledger });
    const turnWith = async (...ended: string[]): Promise<readonly string[]> => {
      for (const name of ended) gone.add(name);
      asked.length = 0;
      const { isDone, findings } = await tearDown(context);
      const waits = findings.flatMap(({ hardness, trouble: { reason, identity } }) => `${hardness} ${reason} ${identity?.name}`);
      return [...asked, ...waits, isDone ? 'done' : 'not done'];
    };
    t.same(await turnWith('d'), ['d uid-d Foreground', 'c uid-c Foreground', 'soft WaitingForReadiness c', 'not done']);
    t.same(
      ledger.entries.map(({ name }) => name),
      ['a', 'b', 'c'],
    );
    // What a watch tells of its end is believed.
    t.same(await turnWith('b'), ['b uid-b Foreground', 'a uid-a Background', 'soft WaitingForReadiness a', 'not done']);
    t.same(await turnWith(), ['done']);
  },
);

t.test('what is refused is told, keeps the waves before it, and does not stop the others of its own', async (t) => {
  const applier = stub<KubeClient>('applier', {
    delete: async ({ name }) => {
      if (name === 'b') throw forbidden;
      return true;
    },
  });
  const told: string[] = [];
  const ledger = new Ledger({ managedResources: [entry('a', 1), entry('b', 2), entry('c', 2)] });
  const { isDone, findings } = await tearDown(
    contextOf({ applier, ledger, tell: (type, reason, note) => told.push(`${type} ${reason} ${note.split(':')[0]}`) }),
  );
  t.equal(isDone, false);
  t.same(
    findings.map(({ path, hardness, trouble: { reason } }) => [path, hardness, reason]),
    [[['a'], 'hard', 'DeleteFailed']],
  );
  t.same(
    ledger.entries.map(({ name }) => name),
    ['a', 'b'],
  );
  t.same(told, ['Warning DeleteFailed ConfigMap n/b']);
});

function contextOf(parts: Pick<TeardownContext, 'applier' | 'ledger'> & Partial<TeardownContext>): TeardownContext {
  return stub<TeardownContext>('context', {
    graphUid: 'g1',
    applierUser: 'system:serviceaccount:n:default',
    memory: new GraphMemory('g1'),
    coverage: stub<Coverage>('coverage', { object: async () => ({ isKnown: true, record: undefined }), observeGone: () => {} }),
    resolveServed: async (kind) => ({ word: 'served', kind, plural: 'configmaps', namespaced: true }),
    isNamespaceEnding: async () => false,
    hasGarbageCollector: async () => true,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    signal: new AbortController().signal,
    now: () => 0,
    limiter: new Limiter(5),
    otherwise: undefined,
    ...parts,
  });
}
