import t from 'tap';
import type { GraphStore } from '../../../controller/reconcile/graphs.ts';
import { GraphMoved, StatusWriter } from '../../../controller/status/writer.ts';
import type { Graph } from '../../../src/api/graph.ts';
import { ApiError } from '../../../src/kube/error.ts';
import { stub } from '../../support/stub.ts';
import { stubClient } from '../../support/stub-client.ts';

function refusal(code: number, reason: string): ApiError {
  return new ApiError({ code, reason, message: reason, causes: [], name: 'g', about: 'graphs', retryAfter: undefined });
}

t.test('a Graph that is gone when a refused write is looked into has moved: that is no failure of the reconcile', async (t) => {
  const metadata = { namespace: 'n', name: 'g', uid: 'u', resourceVersion: '1' };
  const graph: Graph = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata, spec: { nodes: [] } };
  const writer = new StatusWriter({
    client: stubClient({
      updateStatus: () => Promise.reject(refusal(409, 'Conflict')),
      get: () => Promise.reject(refusal(404, 'NotFound')),
    }),
    store: stub<GraphStore>('store', {}),
    key: 'n/g',
    stored: { graph, managedFieldsBytes: 0 },
    signal: new AbortController().signal,
  });
  await t.rejects(writer.write({ state: 'ACTIVE' }), GraphMoved);
});
