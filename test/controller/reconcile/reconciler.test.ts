import t from 'tap';
import type { GraphStore, StoredGraph } from '../../../controller/reconcile/graphs.ts';
import type { Programs } from '../../../controller/reconcile/programs.ts';
import { Reconciler, type ReconcilerParts } from '../../../controller/reconcile/reconciler.ts';
import type { Subscriptions } from '../../../controller/watch/subscriptions.ts';
import type { Graph } from '../../../src/api/graph.ts';
import { createLog } from '../../../src/service/log.ts';
import { stub } from '../../support/stub.ts';
import { stubClient } from '../../support/stub-client.ts';

/** Suspended, and said to be so: its turn writes nothing. */
function suspended(name: string): StoredGraph {
  const metadata = { namespace: 'n', name, uid: `uid-${name}`, resourceVersion: '1', annotations: { 'kro.run/reconcile': 'disabled' } };
  const graph: Graph = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata, spec: { nodes: [] } };
  return { graph, managedFieldsBytes: 0 };
}

t.test('whoever begins to work again forgets what the Graphs watched that went while nobody was told', async (t) => {
  const graphs = new Map(['stays', 'goes'].map((name) => [`n/${name}`, suspended(name)]));
  const forgotten: string[] = [];
  const log = createLog({ name: 'test', level: 'fatal', format: 'json', destination: { write: () => {} } });
  const reconciler = new Reconciler(
    stub<ReconcilerParts>('parts', {
      client: stubClient({
        updateStatus: async (_ref, manifest) => ({ object: manifest as never, isCreated: false, warnings: [] }),
      }),
      graphs: stub<GraphStore>('graphs', {
        begin: () => {},
        end: () => {},
        dealt: () => {},
        get: (key) => graphs.get(key),
        observe: (object) => ({ graph: object as unknown as Graph, managedFieldsBytes: 0 }),
      }),
      programs: stub<Programs>('programs', { forget: (key) => forgotten.push(`program ${key}`) }),
      subscriptions: stub<Subscriptions>('subscriptions', { forget: (key) => forgotten.push(`watches ${key}`) }),
      encourage: () => {},
      now: () => 0,
      timeOfDay: () => 0,
      tellAbout: () => () => {},
      log: () => log,
    }),
  );
  for (const key of graphs.keys()) await reconciler.reconcile(key, new AbortController().signal);
  graphs.delete('n/goes');
  reconciler.forgetAll();
  t.same(forgotten, ['watches n/goes', 'program n/goes']);
});
