import t from 'tap';
import { isInvalid } from '../../src/kube/error.ts';
import { Http } from '../../src/kube/http.ts';
import { createClient } from '../../src/kube/json-client.ts';
import { collectionPath, objectPath, printResource } from '../../src/kube/resource.ts';
import { fakeClock } from '../support/fake-clock.ts';

const maps = { group: '', version: 'v1', plural: 'configmaps', namespace: 'team' };
const roles = { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'clusterroles' };

t.test('paths and names of resources', async (t) => {
  t.equal(collectionPath(maps), '/api/v1/namespaces/team/configmaps');
  t.equal(collectionPath({ ...maps, namespace: '' }), '/api/v1/configmaps');
  t.equal(collectionPath(roles), '/apis/rbac.authorization.k8s.io/v1/clusterroles');
  t.equal(objectPath(maps, 'a', 'status'), '/api/v1/namespaces/team/configmaps/a/status');
  t.equal(objectPath(roles, 'system:controller:x y'), '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Acontroller%3Ax%20y');
  t.same([maps, roles].map(printResource), ['configmaps/v1', 'clusterroles.rbac.authorization.k8s.io/v1']);
});

const astray: readonly [title: string, namespace: string, name: string, field: string][] = [
  ['the empty name, which would be the collection', 'team', '', 'metadata.name'],
  ['a name with a slash, which would be a subresource', 'team', 'a/status', 'metadata.name'],
  ['a name with an escape', 'team', 'a%2Fstatus', 'metadata.name'],
  ['the parent', 'team', '..', 'metadata.name'],
  ['itself', 'team', '.', 'metadata.name'],
  ['a namespace that leads elsewhere', 'a/../b', 'x', 'metadata.namespace'],
];
// Nothing listens there, and nothing may be sent.
const access = {
  server: 'https://127.0.0.1:1',
  namespace: undefined,
  impersonate: undefined,
  tls: async () => ({}),
  authorization: async () => undefined,
  forgetCredentials: () => {},
};
const sent: string[] = [];
const observer = { requestEnded: ({ method }: { method: string }): number => sent.push(method) };
const client = createClient(new Http({ access, clock: fakeClock(), random: () => 0, userAgent: 'test', observer }));
for (const [title, namespace, name, field] of astray) {
  t.test(`no call goes to ${title}`, async (t) => {
    const object = { ...maps, namespace, name };
    const calls = [
      client.get(object),
      client.getMetadata(object),
      client.apply(object, {}, { manager: 'm' }),
      client.patch(object, { type: 'merge', body: {} }),
      client.replace(object, {}),
      client.updateStatus(object, {}),
      client.delete(object, { propagationPolicy: 'Background' }),
    ];
    for (const result of await Promise.allSettled(calls)) {
      t.ok(result.status === 'rejected' && isInvalid(result.reason) && result.reason.causes[0]?.field === field);
    }
    t.same(sent, []);
  });
}
