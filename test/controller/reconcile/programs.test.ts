import t from 'tap';
import { Programs } from '../../../controller/reconcile/programs.ts';
import type { Graph } from '../../../src/api/graph.ts';
import { DEFAULT_LIMITS } from '../../../src/compiler/limits.ts';
import type { LoadedSchemas, SchemaCatalog } from '../../../src/kube/schemas.ts';
import { testSnapshot } from '../../support/schemas.ts';
import { stub } from '../../support/stub.ts';

function graphOf(nodes: number): Graph {
  const list = Array.from({ length: nodes }, (_, i) => ({ id: `n${i}`, def: { v: 1 } }));
  return { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name: 'g', namespace: 'default' }, spec: { nodes: list } };
}

function programs(): { readonly kept: Programs; readonly compiled: () => number } {
  let compilations = 0;
  const served = stub<LoadedSchemas['served']>('served', {});
  const loaded: LoadedSchemas = { snapshot: testSnapshot(), bundles: [], served, unavailable: [], lagging: [], missing: [] };
  const catalog = stub<SchemaCatalog>('catalog', { load: async () => loaded });
  const kept = new Programs({ catalog, limits: DEFAULT_LIMITS, observe: () => compilations++ });
  return { kept, compiled: () => compilations };
}

t.test('a Graph is compiled once for one spec', async (t) => {
  const { kept, compiled } = programs();
  const graph = graphOf(3);
  for (const spec of [graph, graph, graphOf(3)]) await kept.of('a', spec);
  t.equal(compiled(), 1);
  await kept.of('a', graphOf(4));
  t.equal(compiled(), 2);
});

t.test('Programs are kept as far as their nodes fit into memory, and the largest leave room for others', async (t) => {
  const { kept, compiled } = programs();
  const [large, small] = [graphOf(30_000), graphOf(10)];
  await kept.of('small', small);
  for (const key of ['a', 'b', 'c']) await kept.of(key, large);
  await kept.of('small', small);
  t.equal(compiled(), 4, 'three large ones and a small one fit');
  for (const key of ['d', 'e', 'f', 'g']) await kept.of(key, large);
  t.equal(compiled(), 8);
  await kept.of('a', large);
  t.equal(compiled(), 9, 'not all of them');
});
