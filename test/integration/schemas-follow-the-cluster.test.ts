import t from 'tap';
import type { ResourceKind } from '../../src/api/object.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { systemClock } from '../../src/kube/clock.ts';
import type { ChangedKind } from '../../src/kube/schema-changes.ts';
import { SchemaWatch } from '../../src/kube/schema-watch.ts';
import { SchemaCatalog } from '../../src/kube/schemas.ts';
import { useCluster } from '../support/cluster.ts';
import { useClient } from '../support/kube.ts';

const configMap: ResourceKind = { group: '', version: 'v1', kind: 'ConfigMap' };
const deployment: ResourceKind = { group: 'apps', version: 'v1', kind: 'Deployment' };
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A client's documents, and the paths that were asked for. */
function counted(client: KubeClient): { readonly client: KubeClient; readonly paths: string[] } {
  const paths: string[] = [];
  const getJson: KubeClient['getJson'] = (path, options) => {
    paths.push(path);
    return client.getJson(path, options);
  };
  return { client: { ...client, getJson }, paths };
}

/** A CRD in a group of its own, whose `spec` has these fields. */
function crd(group: string, fields: Record<string, unknown>): Record<string, unknown> {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gears.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Gear', plural: 'gears', singular: 'gear', listKind: 'GearList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: fields } } } },
        },
      ],
    },
  };
}

/** Resolves with the first change of this group's kinds that the catalog tells. */
function nextChange(catalog: SchemaCatalog, group: string): Promise<ChangedKind> {
  const { promise, resolve } = Promise.withResolvers<ChangedKind>();
  const end = catalog.onChange((kinds) => {
    const own = kinds.find((kind) => kind.group === group);
    if (own === undefined) return;
    end();
    resolve(own);
  });
  return promise;
}

t.test('schemas follow the cluster', async (t) => {
  const cluster = await useCluster(t);
  const { admin, namespace } = cluster;
  const { client, paths } = counted(useClient(t, cluster.kubeconfig));

  await t.test('only the documents of the groups that are used are loaded, once, also by those who ask at the same time', async (t) => {
    const catalog = new SchemaCatalog({ client, clock: systemClock });
    paths.length = 0;
    const [first, second] = await Promise.all([catalog.load([configMap, deployment]), catalog.load([configMap])]);
    t.same(paths.toSorted(), ['/api', '/apis', '/openapi/v3', '/openapi/v3/api/v1', '/openapi/v3/apis/apps/v1']);
    t.equal(first.snapshot.get(configMap), second.snapshot.get(configMap), 'one schema for all');
    t.same(first.snapshot.get(deployment)?.schema?.at('spec')?.at('replicas')?.type, 'integer');
    t.match(first.snapshot.get(deployment), { plural: 'deployments', namespaced: true, hasStatus: true });
    t.ok(first.snapshot.get(deployment)?.verbs.has('patch'));
    paths.length = 0;
    t.equal((await catalog.load([deployment])).snapshot.get(deployment), first.snapshot.get(deployment));
    t.same(paths, [], 'what is known costs no request');
    const current = await catalog.load([deployment], { freshness: 'current' });
    t.same(paths.toSorted(), ['/api', '/apis', '/openapi/v3']);
    t.equal(current.snapshot.get(deployment), first.snapshot.get(deployment), 'what has not changed is kept');
    t.equal(current.bundles[0], first.bundles[1]);
  });

  await t.test('a kind that is not served is told from its neighbours', async (t) => {
    const catalog = new SchemaCatalog({ client, clock: systemClock });
    const { snapshot, unavailable, lagging } = await catalog.load([{ group: 'apps', version: 'v1', kind: 'Deploymnt' }]);
    t.equal(snapshot.get({ group: 'apps', version: 'v1', kind: 'Deploymnt' }), undefined);
    t.same([unavailable, lagging], [[], []]);
    t.same(snapshot.versions('apps', 'Deployment'), ['v1']);
    t.same(snapshot.versions('autoscaling', 'HorizontalPodAutoscaler'), ['v2', 'v1'], 'preferred first');
    t.ok(snapshot.served().some(({ kind }) => kind === 'Deployment'));
  });

  await t.test('a kind that has just come is found, though another was looked for in vain a moment ago', { timeout: 60_000 }, async (t) => {
    const catalog = new SchemaCatalog({ client, clock: { ...systemClock, now: () => 0 } });
    const group = `fresh.${namespace}.example.com`;
    const gear: ResourceKind = { group, version: 'v1', kind: 'Gear' };
    t.teardown(() => admin.remove(`${CRDS}/gears.${group}`));
    await catalog.load([{ group, version: 'v1', kind: 'Rack' }]);
    await admin.create(CRDS, crd(group, { teeth: { type: 'integer' } }));
    const other = new SchemaCatalog({ client, clock: systemClock });
    while ((await other.load([gear], { freshness: 'current' })).snapshot.get(gear) === undefined) await systemClock.sleep(20);
    paths.length = 0;
    t.ok((await catalog.load([gear])).snapshot.get(gear));
    await catalog.load([{ group, version: 'v1', kind: 'Rack' }]);
    t.equal(paths.filter((path) => path === '/apis').length, 1, 'what was just looked for in vain is not looked for again');
  });

  await t.test('a CRD that comes, changes and goes is told, and its schema is the new one then', { timeout: 60_000 }, async (t) => {
    const catalog = new SchemaCatalog({ client, clock: systemClock });
    const group = `${namespace}.example.com`;
    const gear: ResourceKind = { group, version: 'v1', kind: 'Gear' };
    const errors: unknown[] = [];
    const watch = new SchemaWatch({ client, catalog, clock: systemClock, random: Math.random, onError: (error) => errors.push(error) });
    t.teardown(() => watch.stop());
    t.teardown(() => admin.remove(`${CRDS}/gears.${group}`));
    t.equal((await catalog.load([gear, configMap])).snapshot.get(gear), undefined);
    const synced = Promise.withResolvers<void>();
    watch.start();
    const poll = setInterval(() => watch.hasSynced() && synced.resolve(), 20);
    await synced.promise;
    clearInterval(poll);

    const came = nextChange(catalog, group);
    await admin.create(CRDS, crd(group, { teeth: { type: 'integer' } }));
    t.same(await came, { group, kind: 'Gear' });
    const first = (await catalog.load([gear])).snapshot;
    t.equal(first.get(gear)?.schema?.at('spec')?.at('teeth')?.type, 'integer');

    const changed = nextChange(catalog, group);
    paths.length = 0;
    await admin.patch(`${CRDS}/gears.${group}`, {
      spec: { versions: (crd(group, { teeth: { type: 'string' } })['spec'] as { versions: unknown }).versions },
    });
    t.same(await changed, { group, kind: 'Gear' });
    const second = (await catalog.load([gear])).snapshot;
    t.equal(second.get(gear)?.schema?.at('spec')?.at('teeth')?.type, 'string');
    t.not(second.version, first.version);
    t.same(
      [...new Set(paths)].toSorted(),
      ['/api', '/apis', '/openapi/v3', `/openapi/v3/apis/${group}/v1`],
      'no other group is read again',
    );

    // A CRD that is being deleted first loses the verbs that write, which is a change of its own.
    let went = nextChange(catalog, group);
    await admin.remove(`${CRDS}/gears.${group}`);
    do {
      t.same(await went, { group, kind: 'Gear' });
      went = nextChange(catalog, group);
    } while ((await catalog.load([gear])).snapshot.get(gear) !== undefined);
    t.same(errors, []);
  });

  await t.test('a CRD that goes while the watch looks what has come is told as well', { timeout: 60_000 }, async (t) => {
    const real = new SchemaCatalog({ client, clock: systemClock });
    const group = `brief.${namespace}.example.com`;
    const gear: ResourceKind = { group, version: 'v1', kind: 'Gear' };
    const path = `${CRDS}/gears.${group}`;
    let changes = 0;
    let isGone = false;
    const catalog = {
      forget: () => {
        changes++;
        real.forget();
      },
      // The first look that brings news does not end before the CRD is gone, and the watch has told so.
      revalidate: async () => {
        const result = await real.revalidate();
        if (isGone || !result.changed.some((kind) => kind.group === group)) return result;
        isGone = true;
        await admin.remove(path);
        await admin.waitFor(path, (found) => found === undefined);
        for (let quiet = changes - 1; quiet !== changes; ) {
          quiet = changes;
          await systemClock.sleep(1000);
        }
        return result;
      },
    };
    const watch = new SchemaWatch({ client, catalog, clock: systemClock, random: Math.random });
    t.teardown(() => watch.stop());
    t.teardown(() => admin.remove(path));
    await real.load([gear]);
    watch.start();
    while (!watch.hasSynced()) await systemClock.sleep(20);
    await admin.create(CRDS, crd(group, { teeth: { type: 'integer' } }));
    await nextChange(real, group);
    await nextChange(real, group);
    t.equal((await real.load([gear])).snapshot.get(gear), undefined);
  });

  await t.test('a group whose server does not answer is unavailable, and harms no other', { timeout: 60_000 }, async (t) => {
    const catalog = new SchemaCatalog({ client, clock: systemClock });
    const group = `away.${namespace}.example.com`;
    const path = '/apis/apiregistration.k8s.io/v1/apiservices';
    t.teardown(() => admin.remove(`${path}/v1.${group}`));
    await admin.create(path, {
      metadata: { name: `v1.${group}` },
      spec: {
        group,
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { name: 'nobody', namespace },
      },
    });
    await admin.waitFor(`${path}/v1.${group}`, (service) => service?.['status']?.conditions?.[0]?.status === 'False');
    const away: ResourceKind = { group, version: 'v1', kind: 'Moon' };
    let loaded = await catalog.load([away, configMap], { freshness: 'current' });
    while (loaded.unavailable.length === 0) loaded = await catalog.load([away, configMap], { freshness: 'current' });
    t.same(loaded.unavailable, [away]);
    t.ok(loaded.snapshot.get(configMap)?.schema);
  });
});
