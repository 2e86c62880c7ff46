import t from 'tap';
import { printApiVersion } from '../../src/api/object.ts';
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

/** What `kubectl api-versions` prints of a server of the bundled release that nothing was switched on or added to. */
const SERVED = `
  v1 admissionregistration.k8s.io/v1 apiextensions.k8s.io/v1 apiregistration.k8s.io/v1 apps/v1 authentication.k8s.io/v1 authorization.k8s.io/v1
  autoscaling/v1 autoscaling/v2 batch/v1 certificates.k8s.io/v1 coordination.k8s.io/v1 discovery.k8s.io/v1 events.k8s.io/v1
  flowcontrol.apiserver.k8s.io/v1 networking.k8s.io/v1 node.k8s.io/v1 policy/v1 rbac.authorization.k8s.io/v1 resource.k8s.io/v1
  scheduling.k8s.io/v1 storage.k8s.io/v1`;

t.test('the bundles hold all that a server serves of itself', async (t) => {
  const snapshot = testSnapshot();
  const ours = snapshot.served().filter(({ group }) => group !== 'kro.run' && group !== 'example.com');
  t.same([...new Set(ours.map(printApiVersion))].sort(), SERVED.trim().split(/\s+/).sort());
  t.same(
    ours.filter((kind) => snapshot.get(kind)?.schema === undefined),
    [],
    'each with its schema',
  );
  t.same([...(snapshot.get({ group: 'authentication.k8s.io', version: 'v1', kind: 'TokenReview' })?.verbs ?? [])], ['create']);
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
