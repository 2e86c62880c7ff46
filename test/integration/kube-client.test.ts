import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import t from 'tap';
import {
  fieldConflicts,
  isAlreadyExists,
  isConflict,
  isFieldConflict,
  isForbidden,
  isInvalid,
  isKindNotServed,
  isNamespaceNotFound,
  isObjectNotFound,
  isUnauthorized,
  mayHaveRun,
} from '../../src/kube/error.ts';
import type { ResourceRef } from '../../src/kube/resource.ts';
import { writeKubeconfig } from '../cluster/kubeconfig.ts';
import { useCluster } from '../support/cluster.ts';
import { useClient } from '../support/kube.ts';

const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => {
      throw new Error(`it was not refused: ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );

t.test('the client against a real API server', async (t) => {
  const cluster = await useCluster(t);
  const { namespace } = cluster;
  const client = useClient(t, cluster.kubeconfig);
  const maps: ResourceRef = { group: '', version: 'v1', plural: 'configmaps', namespace };
  const manifest = (name: string, data: Record<string, string>) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

  await t.test('creates, gets, replaces, patches and deletes', async (t) => {
    const object = { ...maps, name: 'crud' };
    const created = await client.create(maps, manifest('crud', { a: '1' }));
    t.equal(created.isCreated, true);
    const { uid, resourceVersion } = created.object.metadata;
    t.match(await client.getMetadata(object), { kind: 'PartialObjectMetadata', metadata: { name: 'crud', uid } });
    t.notOk('data' in (await client.getMetadata(object)));
    const replaced = await client.replace(object, { ...manifest('crud', { a: '2' }), metadata: { name: 'crud', resourceVersion } });
    t.match(replaced, { isCreated: false, object: { data: { a: '2' } } });
    const stale = await caught(client.replace(object, { ...manifest('crud', {}), metadata: { name: 'crud', resourceVersion } }));
    t.ok(isConflict(stale) && !isFieldConflict(stale));
    t.match(await client.patch(object, { type: 'merge', body: { data: { b: '3' } } }), { object: { data: { a: '2', b: '3' } } });
    const failed = await caught(client.patch(object, { type: 'json', body: [{ op: 'test', path: '/data/a', value: 'x' }] }));
    t.ok(isInvalid(failed));
    t.match(await client.patch(object, { type: 'json', body: [{ op: 'remove', path: '/data/a' }] }), { object: { data: { b: '3' } } });
    t.ok(isAlreadyExists(await caught(client.create(maps, manifest('crud', {})))));
    const otherUid = '00000000-0000-0000-0000-000000000000';
    t.ok(isConflict(await caught(client.delete(object, { uid: otherUid, propagationPolicy: 'Background' }))));
    t.equal(await client.delete(object, { ...(uid && { uid }), propagationPolicy: 'Background' }), true);
    t.ok(isObjectNotFound(await caught(client.get(object)), object));
  });

  await t.test('requests in sequence share connections, deletes with their preconditions too', async (t) => {
    const own = useClient(t, cluster.kubeconfig);
    let connections = 0;
    const count = (): void => {
      connections += 1;
    };
    subscribe('undici:client:connected', count);
    for (let round = 0; round < 5; round++) {
      const { object } = await own.create(maps, manifest('shared-connection', {}));
      await own.patch({ ...maps, name: 'shared-connection' }, { type: 'merge', body: { data: { a: '1' } } });
      await own.delete({ ...maps, name: 'shared-connection' }, { uid: object.metadata.uid, propagationPolicy: 'Background' });
    }
    unsubscribe('undici:client:connected', count);
    // Two: a connection is not free again at the very instant of its answer.
    t.ok(connections <= 2, `${connections} connections`);
  });

  await t.test('tells that a deleted object waits for its finalizer', async (t) => {
    const object = { ...maps, name: 'held' };
    await client.create(maps, { ...manifest('held', {}), metadata: { name: 'held', finalizers: ['example.com/held'] } });
    t.equal(await client.delete(object, { propagationPolicy: 'Background' }), false);
    await client.patch(object, { type: 'merge', body: { metadata: { finalizers: null } } });
    t.ok(isObjectNotFound(await caught(client.get(object)), object));
  });

  await t.test('applies, names the owners of a conflict, and takes over by force at the version examined', async (t) => {
    const object = { ...maps, name: 'applied' };
    const first = await client.apply(object, manifest('applied', { a: '1', b: '1' }), { manager: 'one"1' });
    t.equal(first.isCreated, true);
    await client.patch(object, { type: 'merge', body: { data: { b: '2' } } }, { fieldManager: 'hand' });
    const conflict = await caught(client.apply(object, manifest('applied', { a: '2', b: '3' }), { manager: 'two' }));
    t.ok(isFieldConflict(conflict) && !mayHaveRun(conflict));
    t.same(isFieldConflict(conflict) && fieldConflicts(conflict).toSorted((a, b) => (a.field < b.field ? -1 : 1)), [
      { manager: 'one"1', operation: 'Apply', subresource: '', field: '.data.a' },
      { manager: 'hand', operation: 'Update', subresource: '', field: '.data.b' },
    ]);
    const { resourceVersion } = first.object.metadata;
    const options = { manager: 'two', force: true };
    t.ok(isConflict(await caught(client.apply(object, manifest('applied', { a: '2' }), { ...options, resourceVersion }))));
    const { metadata } = await client.get(object);
    const forced = await client.apply(object, manifest('applied', { a: '2' }), { ...options, resourceVersion: metadata.resourceVersion });
    t.match(forced, { isCreated: false, object: { data: { a: '2', b: '2' } } });
    const dry = await client.apply(object, manifest('applied', { a: 'dry' }), { ...options, dryRun: true });
    t.match(dry.object, { data: { a: 'dry' } });
    t.match(await client.get(object), { data: { a: '2' } });
  });

  await t.test('an apply with a uid never creates', async (t) => {
    const uid = '00000000-0000-0000-0000-000000000000';
    const withUid = { ...manifest('gone', { a: '1' }), metadata: { name: 'gone', uid } };
    t.ok(isConflict(await caught(client.apply({ ...maps, name: 'gone' }, withUid, { manager: 'one' }))));
    await client.create(maps, manifest('other', {}));
    const other = { ...withUid, metadata: { name: 'other', uid } };
    const error = await caught(client.apply({ ...maps, name: 'other' }, other, { manager: 'one' }));
    t.ok(isInvalid(error) || isConflict(error));
    t.match(error, { causes: [{ field: 'metadata.uid' }] });
  });

  await t.test('tells an object, a namespace and a kind that are not there apart', async (t) => {
    const missing = await caught(client.get({ ...maps, name: 'missing' }));
    t.same([isObjectNotFound(missing, { ...maps, name: 'missing' }), isKindNotServed(missing)], [true, false]);
    const nowhere = await caught(client.create({ ...maps, namespace: 'no-such' }, manifest('a', {})));
    t.same(
      [isNamespaceNotFound(nowhere, 'no-such'), isObjectNotFound(nowhere, { ...maps, name: 'a' }), isKindNotServed(nowhere)],
      [true, false, false],
    );
    for (const kind of [
      { group: 'example.com', version: 'v1', plural: 'things' },
      { group: 'apps', version: 'v1', plural: 'things' },
      { group: 'apps', version: 'v9', plural: 'deployments' },
      { group: '', version: 'v1', plural: 'things' },
    ]) {
      const error = await caught(client.get({ ...kind, namespace, name: 'a' }));
      t.same([isKindNotServed(error), isObjectNotFound(error, { ...kind, name: 'a' })], [true, false], JSON.stringify(kind));
    }
  });

  await t.test('quotes causes of what is invalid, and refuses unknown fields when strict', async (t) => {
    const error = await caught(client.create(maps, manifest('Not_A_Name', {})));
    t.ok(isInvalid(error));
    t.match(error, { code: 422, reason: 'Invalid', causes: [{ type: 'FieldValueInvalid', field: 'metadata.name' }] });
    const strict = await caught(client.create(maps, { ...manifest('strict', {}), unheard: 1 }, { fieldValidation: 'Strict' }));
    t.match(strict, { code: 400 });
    const warned = await client.create(maps, { ...manifest('warned', {}), unheard: 1 }, { fieldValidation: 'Warn' });
    t.same(warned.warnings, ['unknown field "unheard"']);
  });

  await t.test('lists whole and page by page, whole objects and metadata', async (t) => {
    const labelled = (name: string) => ({ ...manifest(name, { a: '1' }), metadata: { name, labels: { page: 'yes' } } });
    for (const name of ['p1', 'p2', 'p3']) await client.create(maps, labelled(name));
    const all = await client.list(maps, { labelSelector: 'page=yes' });
    t.same(
      all.items.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.name]),
      ['p1', 'p2', 'p3'].map((name) => ['v1', 'ConfigMap', name]),
    );
    const first = await client.listMetadata(maps, { labelSelector: 'page=yes', limit: 2 });
    const second = await client.listMetadata(maps, { labelSelector: 'page=yes', limit: 2, continue: first.continue });
    t.same(
      [first, second].map((page) => page.items.map((item) => item.metadata.name)),
      [['p1', 'p2'], ['p3']],
    );
    t.equal(second.continue, '');
    t.same((await client.listMetadata(maps, { labelSelector: 'page=never' })).items, []);
  });

  await t.test('keeps integers exact, there and back', async (t) => {
    const leases: ResourceRef = { group: '', version: 'v1', plural: 'resourcequotas', namespace };
    t.ok(await client.list(leases));
    const widgets = { group: 'kube.test', version: 'v1', plural: 'widgets' };
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    await client.apply(
      { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', name: 'widgets.kube.test' },
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'widgets.kube.test' },
        spec: {
          group: 'kube.test',
          scope: 'Namespaced',
          names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
        },
      },
      { manager: 'test' },
    );
    await cluster.admin.waitFor('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.kube.test', (crd) =>
      crd?.['status']?.conditions?.some((c: { type: string; status: string }) => c.type === 'Established' && c.status === 'True'),
    );
    const widget = {
      apiVersion: 'kube.test/v1',
      kind: 'Widget',
      metadata: { name: 'big' },
      spec: { big: 9007199254740993n, small: 1, half: 0.5 },
    };
    const object = { ...widgets, namespace, name: 'big' };
    let made: unknown;
    for (let tries = 0; made === undefined && tries < 50; tries += 1) {
      made = await client.apply(object, widget, { manager: 'test' }).catch((error: unknown) => {
        if (!isKindNotServed(error)) throw error;
      });
    }
    t.same((await client.get(object))['spec'], { big: 9007199254740993n, small: 1, half: 0.5 });
  });

  await t.test('acts as a user, with the groups that the server adds for a ServiceAccount', async (t) => {
    const user = `system:serviceaccount:${namespace}:default`;
    const as = client.as(user);
    t.equal(as.user, user);
    t.equal(client.user, undefined);
    const reviews = { group: 'authentication.k8s.io', version: 'v1', plural: 'selfsubjectreviews' };
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const { status } = (await as.create(reviews, review)).object;
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
    t.match(status, { userInfo: { username: user, groups } });
    const forbidden = await caught(as.create(maps, manifest('forbidden', {})));
    t.ok(isForbidden(forbidden));
  });

  await t.test('a refused token says so', async (t) => {
    const kubeconfig = writeKubeconfig(`${t.testdir()}/kubeconfig`, { ...cluster.access, token: 'wrong' });
    const stranger = useClient(t, kubeconfig);
    t.ok(isUnauthorized(await caught(stranger.get({ ...maps, name: 'a' }))));
  });

  await t.test('asks for a document only if it changed', async (t) => {
    const { body, etag } = await client.getJson('/openapi/v3/apis/apps/v1');
    t.match(body, { openapi: String });
    t.same(await client.getJson('/openapi/v3/apis/apps/v1', { etag }), { body: undefined, etag });
  });

  await t.test('watches until the server ends it', async (t) => {
    const { resourceVersion } = await client.list(maps);
    const seen: string[] = [];
    const watched = (async () => {
      for await (const { type, object } of client.watchMetadata(maps, { resourceVersion, timeoutSeconds: 2, labelSelector: 'watch=yes' })) {
        seen.push(`${type} ${object.metadata.name ?? ''} ${'data' in object}`);
      }
    })();
    await client.create(maps, { ...manifest('watched', {}), metadata: { name: 'watched', labels: { watch: 'yes' } } });
    await client.delete({ ...maps, name: 'watched' }, { propagationPolicy: 'Background' });
    await watched;
    t.same(
      seen.filter((line) => !line.startsWith('BOOKMARK')),
      ['ADDED watched false', 'DELETED watched false'],
    );
  });

  await t.test('a call that was given up before it began sends nothing', async (t) => {
    const error = await caught(client.create(maps, manifest('aborted', {}), { signal: AbortSignal.abort() }));
    t.match(error, { failure: 'aborted', mayHaveRun: false });
    t.ok(isObjectNotFound(await caught(client.get({ ...maps, name: 'aborted' })), { ...maps, name: 'aborted' }));
  });
});
