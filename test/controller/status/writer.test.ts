import t from 'tap';
import type { GraphStore } from '../../../controller/reconcile/graphs.ts';
import { GraphMoved, StatusWriter } from '../../../controller/status/writer.ts';
import type { Graph } from '../../../src/api/graph.ts';
import type { KubeObject } from '../../../src/api/object.ts';
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

const changes: readonly (readonly [what: string, metadata: Readonly<Record<string, unknown>>])[] = [
  ['labels, which stamped Graphs inherit', { labels: { shard: 'b' } }],
  ['annotations', { annotations: { 'kro.run/reconcile': 'disabled' } }],
  ['spec', { generation: 2 }],
  ['finalizers', { finalizers: ['example.com/hold'] }],
  ['end', { deletionTimestamp: '2026-01-01T00:00:00Z' }],
  ['whole object, which was made anew,', { uid: 'v' }],
];
for (const [what, change] of changes) {
  t.test(
    `a Graph whose ${what}, others change during a reconcile has moved, and nothing of this reconcile is stored over that`,
    async (t) => {
      const metadata = { namespace: 'n', name: 'g', uid: 'u', resourceVersion: '1', labels: { shard: 'a' } };
      const graph: Graph = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata, spec: { nodes: [] } };
      const changed: Graph = { ...graph, metadata: { ...metadata, ...change, resourceVersion: '2' } };
      const sent: unknown[] = [];
      const writer = new StatusWriter({
        client: stubClient({
          updateStatus: (_ref, manifest) => {
            const { uid, resourceVersion } = (manifest as unknown as Graph).metadata;
            sent.push([uid, resourceVersion]);
            return Promise.reject(refusal(409, 'Conflict'));
          },
          get: async () => changed as unknown as KubeObject,
        }),
        store: stub<GraphStore>('store', { observe: () => ({ graph: changed, managedFieldsBytes: 0 }) }),
        key: 'n/g',
        stored: { graph, managedFieldsBytes: 0 },
        signal: new AbortController().signal,
      });
      await t.rejects(writer.write({ state: 'ACTIVE' }), GraphMoved);
      await t.rejects(writer.write({ state: 'ACTIVE' }), GraphMoved, 'another node of the same walk announces something');
      const mine = ['u', '1'];
      t.same(sent, [mine, mine]);
    },
  );
}

t.test('what others stored right after a write, told before its answer came, is not written over', async (t) => {
  const metadata = { namespace: 'n', name: 'g', uid: 'u', resourceVersion: '1' };
  const graph: Graph = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata, spec: { nodes: [] } };
  const entry = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'theirs', nodeID: 'a' };
  const theirs: Graph = { ...graph, metadata: { ...metadata, resourceVersion: '3' }, status: { managedResources: [entry] } };
  const sent: unknown[] = [];
  const writer = new StatusWriter({
    client: stubClient({
      updateStatus: async (_ref, manifest) => {
        const written = manifest as unknown as Graph;
        sent.push(written.metadata.resourceVersion);
        if (written.metadata.resourceVersion !== '1') throw refusal(409, 'Conflict');
        const object = { ...written, metadata: { ...metadata, resourceVersion: '2' } } as unknown as KubeObject;
        return { object, isCreated: false, warnings: [] };
      },
      get: async () => theirs as unknown as KubeObject,
    }),
    store: stub<GraphStore>('store', { observe: () => ({ graph: theirs, managedFieldsBytes: 0 }), dealt: () => {} }),
    key: 'n/g',
    stored: { graph, managedFieldsBytes: 0 },
    signal: new AbortController().signal,
  });
  t.ok(await writer.write({ state: 'IN_PROGRESS' }));
  await t.rejects(writer.write({ managedResources: [{ ...entry, name: 'ours' }] }), GraphMoved);
  t.same(sent, ['1', '2']);
});

t.test('what was made for a Graph is not added to one that was made anew under its name, not even after a refused write', async (t) => {
  const metadata = { namespace: 'n', name: 'g', uid: 'u', resourceVersion: '1' };
  const graph: Graph = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata, spec: { nodes: [] } };
  const anew: Graph = { ...graph, metadata: { ...metadata, uid: 'v', resourceVersion: '2' } };
  const stored = { graph: anew, managedFieldsBytes: 0 };
  const writer = new StatusWriter({
    client: stubClient({
      updateStatus: () => Promise.reject(refusal(409, 'Conflict')),
      get: async () => anew as unknown as KubeObject,
    }),
    store: stub<GraphStore>('store', { observe: () => stored, get: () => stored }),
    key: 'n/g',
    stored: { graph, managedFieldsBytes: 0 },
    signal: new AbortController().signal,
  });
  await t.rejects(writer.write({ state: 'ACTIVE' }), GraphMoved);
  t.throws(() => writer.assertWanted(), GraphMoved);
  const entry = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a', nodeID: 'a' };
  t.notOk(await writer.add({ managedResources: [entry], contributions: [] }, () => {}));
});

t.test(
  'a Graph whose status others change during a reconcile has moved; one of which nothing has changed is written again, but not for ever',
  async (t) => {
    const metadata = { namespace: 'n', name: 'g', uid: 'u', resourceVersion: '1' };
    const graph: Graph = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata, spec: { nodes: [] } };
    const writing = async (live: Graph, refusals: number): Promise<number> => {
      let writes = 0;
      const writer = new StatusWriter({
        client: stubClient({
          updateStatus: async (_ref, manifest) => {
            writes++;
            if (writes <= refusals) throw refusal(409, 'Conflict');
            return { object: manifest as unknown as KubeObject, isCreated: false, warnings: [] };
          },
          get: async () => live as unknown as KubeObject,
        }),
        store: stub<GraphStore>('store', {
          observe: (object) => ({ graph: object as unknown as Graph, managedFieldsBytes: 0 }),
          dealt: () => {},
        }),
        key: 'n/g',
        stored: { graph, managedFieldsBytes: 0 },
        signal: new AbortController().signal,
      });
      await writer.write({ state: 'ACTIVE' });
      return writes;
    };
    const same: Graph = { ...graph, metadata: { ...metadata, resourceVersion: '2' } };
    await t.rejects(writing({ ...same, status: { state: 'ERROR' } }, 1), GraphMoved);
    t.equal(await writing(same, 3), 4);
    await t.rejects(writing(same, 1000), { code: 409 });
  },
);

t.test('what was made is added to the status as it is by then, and both are told', async (t) => {
  const metadata = { namespace: 'n', name: 'g', uid: 'u', resourceVersion: '1' };
  const graph: Graph = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata, spec: { nodes: [] } };
  const entry = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a', nodeID: 'a' };
  const status = { managedResources: [{ ...entry, name: 'b' }], managedResourceCount: 1 };
  const live = { ...graph, metadata: { ...metadata, resourceVersion: '2' }, status };
  const asStored = (object: unknown) => ({ graph: object as Graph, managedFieldsBytes: 0 });
  const writer = new StatusWriter({
    client: stubClient({
      get: async () => live as unknown as KubeObject,
      updateStatus: async (_ref, manifest) => ({ object: manifest as unknown as KubeObject, isCreated: false, warnings: [] }),
    }),
    store: stub<GraphStore>('store', { observe: asStored, dealt: () => {} }),
    key: 'n/g',
    stored: asStored(graph),
    signal: new AbortController().signal,
  });
  const told: unknown[] = [];
  const added = (...statuses: readonly (Graph['status'] | undefined)[]): void => {
    told.push(...statuses.map((status) => status?.managedResources?.map(({ name, uid = '' }) => `${name}:${uid}`)));
  };
  t.ok(await writer.add({ managedResources: [{ ...entry, uid: 'u1' }], contributions: [] }, added));
  t.same(told, [['b:'], ['b:', 'a:u1']]);
  t.ok(await writer.add({ managedResources: [{ ...entry, name: 'b' }], contributions: [] }, added));
  t.equal(told.length, 2, 'nothing had to be added');
});

t.test('a 404 that does not name the Graph says nothing of it, so that what was made for it stays', async (t) => {
  const unserved = new ApiError({ code: 404, reason: 'NotFound', message: '', causes: [], name: '', about: '', retryAfter: undefined });
  const metadata = { namespace: 'n', name: 'g', uid: 'u', resourceVersion: '1' };
  const graph: Graph = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata, spec: { nodes: [] } };
  const writer = new StatusWriter({
    client: stubClient({ updateStatus: () => Promise.reject(unserved), get: () => Promise.reject(unserved) }),
    store: stub<GraphStore>('store', {}),
    key: 'n/g',
    stored: { graph, managedFieldsBytes: 0 },
    signal: new AbortController().signal,
  });
  await t.rejects(writer.write({ state: 'ACTIVE' }), unserved);
  await t.rejects(
    writer.add({ managedResources: [], contributions: [] }, () => {}),
    unserved,
  );
});
