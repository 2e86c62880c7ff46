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

function entry(name: string): ManagedResource {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name, nodeID: 'a', wave: 1, uid: `uid-${name}` };
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
  const context = stub<TeardownContext>('context', {
    graphUid: 'g1',
    applier,
    applierUser: 'system:serviceaccount:n:default',
    ledger: new Ledger({ managedResources: [entry('slow'), entry('refused')] }),
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
  });
  await t.rejects(tearDown(context), { code: 401 });
  t.same(ended, ['slow']);
});
