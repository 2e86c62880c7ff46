import t from 'tap';
import { compile } from '../../src/compiler/compile.ts';
import { testSnapshot } from '../support/schemas.ts';

const valid = {
  apiVersion: 'kro.run/v1alpha1',
  kind: 'Graph',
  metadata: { name: 'g', namespace: 'default' },
  spec: { nodes: [{ id: 'a', def: { x: 1 } }] },
};

const rows: readonly [title: string, graph: unknown, ...expected: readonly (readonly [code: string, path: string])[]][] = [
  ['a Graph', valid],
  ['nothing', undefined, ['graph/not-a-graph', '']],
  ['a list', [], ['graph/not-a-graph', '']],
  ['another version', { ...valid, apiVersion: 'kro.run/v2' }, ['graph/not-a-graph', 'apiVersion']],
  ['another kind', { ...valid, kind: 'Graf' }, ['graph/not-a-graph', 'kind']],
  ['no spec', { ...valid, spec: undefined }, ['graph/spec', 'spec']],
  ['a field that a spec does not have', { ...valid, spec: { ...valid.spec, node: [] } }, ['graph/unknown-spec-field', 'spec.node']],
  ['an empty account is the default', { ...valid, spec: { ...valid.spec, serviceAccountName: '' } }],
  [
    'an account in capitals',
    { ...valid, spec: { ...valid.spec, serviceAccountName: 'App' } },
    ['graph/service-account-name', 'spec.serviceAccountName'],
  ],
  [
    'an account of 254 characters',
    { ...valid, spec: { ...valid.spec, serviceAccountName: 'a'.repeat(254) } },
    ['graph/service-account-name', 'spec.serviceAccountName'],
  ],
  [
    'an account that is a number',
    { ...valid, spec: { ...valid.spec, serviceAccountName: 5 } },
    ['graph/service-account-name', 'spec.serviceAccountName'],
  ],
  ['suspended', { ...valid, metadata: { name: 'g', annotations: { 'kro.run/reconcile': 'disabled', 'kro.run/max-prune': '20%' } } }],
  [
    'annotations without meaning warn',
    { ...valid, metadata: { name: 'g', annotations: { 'kro.run/reconcile': 'off', 'kro.run/max-prune': 'few' } } },
    ['graph/annotation', 'metadata.annotations["kro.run/max-prune"]'],
    ['graph/annotation', 'metadata.annotations["kro.run/reconcile"]'],
  ],
];

for (const [title, graph, ...expected] of rows) {
  t.test(title, (t) => {
    const { program, diagnostics } = compile({ graph, schemas: testSnapshot() });
    t.same(
      diagnostics.map(({ code, path }) => [code, path.toString()]),
      expected,
    );
    t.equal(
      program !== undefined,
      diagnostics.every(({ severity }) => severity === 'warning'),
    );
    t.end();
  });
}
