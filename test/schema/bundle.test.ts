import t from 'tap';
import { readCrd } from '../../src/schema/crd.ts';
import { compareVersions } from '../../src/schema/version-order.ts';
import { testSnapshot } from '../support/schemas.ts';

const deployment = { group: 'apps', version: 'v1', kind: 'Deployment' };

t.test('a snapshot says what is served', async (t) => {
  const snapshot = testSnapshot();
  t.match(snapshot.get(deployment), { plural: 'deployments', namespaced: true, hasStatus: true });
  t.match(snapshot.get({ group: '', version: 'v1', kind: 'Namespace' }), { namespaced: false, hasStatus: true });
  t.match(snapshot.get({ group: 'kro.run', version: 'v1alpha1', kind: 'Graph' }), { plural: 'graphs', namespaced: true, hasStatus: true });
  t.equal(snapshot.get({ ...deployment, version: 'v9' }), undefined);
  t.same(snapshot.versions('autoscaling', 'HorizontalPodAutoscaler'), ['v2', 'v1']);
  t.same(snapshot.versions('apps', 'Deploymnt'), []);
  t.ok(snapshot.served().some(({ kind }) => kind === 'Widget'));
});

const crd = (version: Record<string, unknown>): string =>
  JSON.stringify({ spec: { group: 'lab.example.com', scope: 'Cluster', names: { kind: 'Gear', plural: 'gears' }, versions: [version] } });
const gear = { group: 'lab.example.com', version: 'v1', kind: 'Gear' };
const v1 = { name: 'v1', served: true, storage: true };

t.test('a snapshot has another version when a schema has changed', async (t) => {
  const one = testSnapshot(crd({ ...v1, schema: { openAPIV3Schema: { type: 'object' } } }));
  const same = testSnapshot(crd({ ...v1, schema: { openAPIV3Schema: { type: 'object', description: 'said otherwise' } } }));
  const other = testSnapshot(crd({ ...v1, schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'string' } } } } }));
  t.equal(one.version, same.version);
  t.not(one.version, other.version);
  t.equal(one.get(deployment)?.hash, other.get(deployment)?.hash);
});

t.test('a CRD is read as the API server serves it', async (t) => {
  const versions = ['v1alpha1', 'v2', 'v1', 'v3beta1'].map((name) => ({ name, served: name !== 'v1', storage: name === 'v1' }));
  const read = readCrd({ spec: { group: 'lab.example.com', names: { kind: 'Gear', plural: 'gears' }, versions } });
  t.same(
    read.map(({ kind }) => kind.version),
    ['v2', 'v3beta1', 'v1alpha1'],
    'served versions, preferred first',
  );
  const [resource] = readCrd(
    JSON.parse(
      crd({
        ...v1,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { metadata: { type: 'object' } } } },
      }),
    ),
  );
  t.match(resource, { kind: gear, plural: 'gears', namespaced: false, hasStatus: true });
  t.equal(resource?.schema?.at('metadata')?.at('labels')?.type, 'object', 'with the standard metadata');
  t.equal(resource?.schema?.at('apiVersion')?.type, 'string');
  t.equal(resource?.schema?.at('nope'), undefined);
  const [free] = readCrd(JSON.parse(crd(v1)));
  t.ok(free?.schema?.at('nope'), 'without a schema anything goes');
  for (const other of [null, 1, {}, { spec: {} }, { spec: { group: 'x', names: { kind: 'A' }, versions: [] } }]) t.same(readCrd(other), []);
});

t.test('versions in the order of preference', async (t) => {
  const sorted = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
  t.same(sorted.toReversed().sort(compareVersions), sorted);
});
