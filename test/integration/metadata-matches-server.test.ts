import t from 'tap';
import type { JsonObject } from '../../src/api/object.ts';
import { compile } from '../../src/compiler/compile.ts';
import { printLine } from '../../src/diagnostic/print.ts';
import { useCluster } from '../support/cluster.ts';
import { testSnapshot } from '../support/schemas.ts';

const LONG = 'a'.repeat(63);

/** Metadata that every kind may have, and that none may. */
const ROWS: readonly (readonly [isValid: boolean, metadata: JsonObject])[] = [
  [true, { labels: { a: '' } }],
  [true, { labels: { [LONG]: LONG } }],
  [true, { labels: { 'x.y/A_b.c': 'A-b_c.d' } }],
  [true, { labels: { a: null } }],
  [true, { annotations: { 'X.Y/A_b': ' any text/at all ' } }],
  [true, { annotations: { a: '' } }],
  [false, { labels: { a: 'b c' } }],
  [false, { labels: { a: '-' } }],
  [false, { labels: { a: 'b_' } }],
  [false, { labels: { a: 'b/c' } }],
  [false, { labels: { a: `${LONG}a` } }],
  [false, { labels: { 'a b': 'c' } }],
  [false, { labels: { [`${LONG}a`]: 'c' } }],
  [false, { labels: { '': 'c' } }],
  [false, { labels: { '/a': 'c' } }],
  [false, { labels: { 'a/': 'c' } }],
  [false, { labels: { 'a/b/c': 'd' } }],
  [false, { labels: { 'X.y/a': 'b' } }],
  [false, { annotations: { 'a b': 'c' } }],
  [false, { annotations: { 'a/b/c': 'd' } }],
  [false, { name: 'a%b' }],
  [false, { name: 'a/b' }],
];
const KINDS: readonly (readonly [path: string, object: JsonObject])[] = [
  ['api/v1/namespaces/NS/configmaps', { apiVersion: 'v1', kind: 'ConfigMap' }],
  ['apis/rbac.authorization.k8s.io/v1/clusterroles', { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', rules: [] }],
  ['apis/coordination.k8s.io/v1/namespaces/NS/leases', { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' }],
  [
    'apis/kro.run/v1alpha1/namespaces/NS/graphs',
    { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', spec: { nodes: [{ id: 'a', def: { x: 1 } }] } },
  ],
];

t.test('literal metadata is judged as the API server judges it', async (t) => {
  const { admin, namespace } = await useCluster(t);
  for (const [path, object] of KINDS) {
    for (const [isValid, row] of ROWS) {
      const candidate = { ...object, metadata: { name: 'judged', ...row } };
      const collection = `/${path.replace('NS', namespace)}?dryRun=All`;
      const answer = await admin.request({ method: 'POST', path: collection, body: candidate });
      const graph = {
        apiVersion: 'kro.run/v1alpha1',
        kind: 'Graph',
        metadata: { name: 'g' },
        spec: { nodes: [{ id: 'a', template: candidate }] },
      };
      const { program, diagnostics } = compile({ graph, schemas: testSnapshot() });
      const said = `${JSON.stringify(answer.body['message'])} | ${diagnostics.map(printLine).join('\n')}`;
      t.same([answer.status < 300, program !== undefined], [isValid, isValid], `${object['kind']} ${JSON.stringify(row)}: ${said}`);
    }
  }
});
