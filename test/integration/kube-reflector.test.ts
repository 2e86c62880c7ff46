import t, { type Test } from 'tap';
import type { ObjectMetadata, WatchEvent, WatchOptions } from '../../src/kube/client.ts';
import { systemClock } from '../../src/kube/clock.ts';
import { ConnectionError } from '../../src/kube/error.ts';
import { type Change, Reflector, type ReflectorOptions, type ReflectorState, type WatchEnd } from '../../src/kube/reflector.ts';
import type { ResourceRef } from '../../src/kube/resource.ts';
import { useCluster } from '../support/cluster.ts';
import { useClient } from '../support/kube.ts';
import { startFaultProxy } from '../support/proxy.ts';

interface Small {
  readonly uid: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

function relics(group: string) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `relics.${group}` },
    spec: {
      group,
      names: { plural: 'relics', singular: 'relic', kind: 'Relic', listKind: 'RelicList' },
      scope: 'Cluster',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
}

t.test('a reflector', async (t) => {
  const cluster = await useCluster(t);
  const proxy = await startFaultProxy(cluster.access);
  t.teardown(() => proxy.close());
  const client = useClient(t, proxy.kubeconfig(`${t.testdir()}/kubeconfig`));
  const direct = useClient(t, cluster.kubeconfig);
  const maps: ResourceRef = { group: '', version: 'v1', plural: 'configmaps', namespace: cluster.namespace };

  /** A reflector of the ConfigMaps with this label, and what it told. */
  const reflect = (t: Pick<Test, 'teardown'>, label: string, options: Partial<ReflectorOptions<Small>> = {}) => {
    const changes: string[] = [];
    const states: string[] = [];
    const ends: WatchEnd[] = [];
    let notify = (): void => {};
    const tell = (): void => notify();
    const reflector = new Reflector<Small>({
      client,
      resource: maps,
      selection: { labelSelector: `for=${label}` },
      what: { kind: 'metadata', project: ({ metadata }) => ({ uid: metadata.uid, labels: metadata.labels ?? {} }) },
      onChange: ({ key, before, after }: Change<Small>) => {
        const name = key.split('/')[1];
        changes.push(`${before === undefined ? 'new' : after === undefined ? 'gone' : 'changed'} ${name}`);
        tell();
      },
      onState: (state: ReflectorState) => {
        states.push(state.word);
        tell();
      },
      onWatchEnd: (reason) => {
        ends.push(reason);
        tell();
      },
      clock: systemClock,
      random: Math.random,
      timing: { firstPause: 50, longestPause: 500, refusedPause: 200 },
      ...options,
    });
    t.teardown(() => reflector.stop());
    /** Resolves as soon as what was told makes this true. */
    const until = async (holds: () => boolean): Promise<void> => {
      while (!holds()) {
        const { promise, resolve } = Promise.withResolvers<void>();
        notify = resolve;
        await promise;
      }
    };
    return { reflector, changes, states, ends, until };
  };
  const make = (name: string, label: string) =>
    direct.create(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { for: label } }, data: { a: '1' } });
  const touch = (name: string) =>
    direct.patch({ ...maps, name }, { type: 'merge', body: { metadata: { annotations: { touched: 'yes' } } } });
  const remove = (name: string) => direct.delete({ ...maps, name }, { propagationPolicy: 'Background' });

  await t.test('lists, then follows what is made, changed and deleted', async (t) => {
    const made = await make('basic-1', 'basic');
    const { reflector, changes, states, until } = reflect(t, 'basic');
    t.equal(reflector.hasSynced(), false);
    reflector.start();
    t.match(await reflector.opened(), { word: 'synced' });
    t.equal(reflector.hasSynced(), true);
    t.same(reflector.get(`${cluster.namespace}/basic-1`), { uid: made.object.metadata.uid, labels: { for: 'basic' } });
    await make('basic-2', 'basic');
    await make('other', 'elsewhere');
    await touch('basic-2');
    await remove('basic-1');
    await until(() => changes.length === 4);
    t.same(changes, ['new basic-1', 'new basic-2', 'changed basic-2', 'gone basic-1']);
    t.same(
      [...reflector.entries()].map(([key]) => key),
      [`${cluster.namespace}/basic-2`],
    );
    t.same(states, ['listing', 'synced']);
    const before = performance.now();
    await reflector.stop();
    t.ok(performance.now() - before < 500);
    t.match(reflector.state, { word: 'stopped' });
  });

  await t.test('an empty list is synced too', async (t) => {
    const { reflector } = reflect(t, 'nothing');
    reflector.start();
    t.match(await reflector.opened(), { word: 'synced' });
    t.equal(reflector.size, 0);
  });

  await t.test('lists page by page', async (t) => {
    const { object } = await make('paged', 'paged');
    const items = Array.from({ length: 3 }, (_, index) => ({ ...object, metadata: { ...object.metadata, name: `paged-${index}` } }));
    const asked: (string | undefined)[] = [];
    const listMetadata: typeof client.listMetadata = async (_, options) => {
      asked.push(options?.continue);
      const at = Number(options?.continue ?? 0);
      return { items: items.slice(at, at + 1), resourceVersion: '1', continue: at < 2 ? String(at + 1) : '' };
    };
    const { reflector } = reflect(t, 'paged', { client: { ...client, listMetadata } });
    reflector.start();
    await reflector.opened();
    t.equal(reflector.size, 3);
    t.same(asked.slice(0, 3), ['', '1', '2']);
  });

  await t.test('a watch that breaks goes on where it was, without a new list', async (t) => {
    const { reflector, changes, ends, until } = reflect(t, 'cut');
    reflector.start();
    await reflector.opened();
    await make('cut-1', 'cut');
    await until(() => changes.length === 1);
    const lists = (): number => proxy.seen.filter(({ path, isWatch }) => !isWatch && path.includes('for%3Dcut')).length;
    t.equal(lists(), 1);
    t.equal(proxy.cutWatches(), 1);
    await make('cut-2', 'cut');
    await until(() => changes.length === 2);
    t.same(changes, ['new cut-1', 'new cut-2']);
    t.same(ends, ['cut']);
    t.equal(lists(), 1);
  });

  await t.test('a watch that is silent for longer than it may after a bookmark is opened again', async (t) => {
    let opened = 0;
    const watchMetadata: typeof client.watchMetadata = (resource, options) => {
      opened += 1;
      return opened === 1 ? bookmarkThenSilence(options) : client.watchMetadata(resource, options);
    };
    const { reflector, changes, ends, until } = reflect(t, 'silent', {
      client: { ...client, watchMetadata },
      timing: { firstPause: 50, silence: 100 },
    });
    reflector.start();
    await reflector.opened();
    await make('silent-1', 'silent');
    await until(() => changes.length === 1);
    t.same(ends, ['silent']);
    t.equal(opened, 2);
  });

  await t.test('a version that is too old is listed anew, and only differences are told', async (t) => {
    const { reflector, changes, ends, until } = reflect(t, 'old');
    await make('old-1', 'old');
    await make('old-2', 'old');
    await make('old-4', 'old');
    const gone = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' } };
    const { promise: meanwhile, resolve: goOn } = Promise.withResolvers<void>();
    proxy.onRequest(({ isWatch, path }) => {
      if (!path.includes('for%3Dold')) return undefined;
      if (isWatch && ends.length === 0) return { kind: 'answer', forward: false, answer: { status: 200, body: gone } };
      return isWatch || ends.length === 0 ? undefined : { kind: 'delay', until: meanwhile };
    });
    reflector.start();
    await reflector.opened();
    t.equal(changes.length, 3);
    await until(() => ends.includes('expired'));
    await remove('old-1');
    await touch('old-2');
    await make('old-3', 'old');
    goOn();
    await until(() => changes.length === 6);
    proxy.onRequest(undefined);
    t.same(changes.slice(3).toSorted(), ['changed old-2', 'gone old-1', 'new old-3']);
    t.match(reflector.state, { word: 'synced' });
  });

  await t.test('the real server refuses a version from before its memory with 410', async (t) => {
    // Its memory of a kind begins when the kind does.
    const kind: ResourceRef = { group: `${cluster.namespace}.example.com`, version: 'v1', plural: 'relics' };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await cluster.admin.create(definitions, relics(kind.group));
    t.teardown(() => cluster.admin.remove(`${definitions}/relics.${kind.group}`));
    while ((await cluster.admin.request({ path: `/apis/${kind.group}/v1/relics` })).status !== 200) await systemClock.sleep(50);
    const watched = (async () => {
      for await (const event of direct.watchMetadata(kind, { resourceVersion: '1', timeoutSeconds: 2 })) t.fail(`unexpected ${event.type}`);
    })();
    await t.rejects(watched, { name: 'ApiError', code: 410 });
  });

  await t.test('an API server that is away: the store stays, the state says so, and it goes on', async (t) => {
    const { reflector, changes, states, until } = reflect(t, 'away');
    await make('away-1', 'away');
    reflector.start();
    await reflector.opened();
    await proxy.goAway();
    await until(() => states.at(-1) === 'retrying');
    t.equal(reflector.size, 1);
    await make('away-2', 'away');
    await proxy.comeBack();
    await until(() => changes.includes('new away-2') && states.at(-1) === 'synced');
    t.equal(reflector.size, 2);
  });

  await t.test('what may not be watched is refused, told, and not asked for in a hot loop', async (t) => {
    const before = proxy.seen.length;
    const stranger = client.as(`system:serviceaccount:${cluster.namespace}:default`);
    const { reflector, states } = reflect(t, 'refused', { client: stranger, timing: { refusedPause: 60_000 } });
    reflector.start();
    t.match(await reflector.opened(), { word: 'refused', error: { code: 403 } });
    t.same(states, ['listing', 'refused']);
    t.equal(reflector.hasSynced(), false);
    const started = performance.now();
    await reflector.stop();
    t.ok(performance.now() - started < 500, 'it stops within its pause');
    t.equal(proxy.seen.length - before, 1);
  });

  const later: readonly [title: string, status: number, kept: number, told: readonly string[]][] = [
    ['what is no longer served is gone from the store', 404, 0, ['gone later-404', 'new later-404']],
    ['what may no longer be watched stays as it was', 403, 1, []],
  ];
  for (const [title, status, kept, told] of later) {
    await t.test(title, async (t) => {
      const label = `later-${status}`;
      await make(label, label);
      const { reflector, changes, states, until } = reflect(t, label);
      const isServed = { now: true };
      proxy.onRequest(({ path }) => {
        if (isServed.now || !path.includes(label)) return undefined;
        return { kind: 'answer', forward: false, answer: { status, body: 'no' } };
      });
      reflector.start();
      await reflector.opened();
      const isWatched = (): boolean =>
        proxy.seen.some(({ path, isWatch, status: answered }) => isWatch && path.includes(label) && answered === 200);
      await touch(label);
      await until(() => isWatched() && changes.length >= 2);
      const before = changes.length;
      isServed.now = false;
      proxy.cutWatches();
      await until(() => states.at(-1) === 'refused');
      t.equal(reflector.size, kept);
      isServed.now = true;
      await until(() => states.at(-1) === 'synced');
      t.equal(reflector.size, 1);
      t.same(changes.slice(before), told);
      proxy.onRequest(undefined);
    });
  }

  await t.test('a kind that is not served is refused, and followed once it is', async (t) => {
    const resource = { group: 'reflector.test', version: 'v1', plural: 'gears', namespace: cluster.namespace };
    const { reflector, states, until } = reflect(t, 'kinds', { resource, selection: {} });
    reflector.start();
    t.match(await reflector.opened(), { word: 'refused', error: { code: 404 } });
    const crds = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions' };
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    await direct.create(crds, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gears.reflector.test' },
      spec: {
        group: 'reflector.test',
        scope: 'Namespaced',
        names: { plural: 'gears', singular: 'gear', kind: 'Gear' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    });
    t.teardown(() => direct.delete({ ...crds, name: 'gears.reflector.test' }, { propagationPolicy: 'Background' }));
    await until(() => states.at(-1) === 'synced');
    t.equal(reflector.hasSynced(), true);
  });
});

async function* bookmarkThenSilence({ resourceVersion, signal }: WatchOptions): AsyncGenerator<WatchEvent<ObjectMetadata>> {
  yield {
    type: 'BOOKMARK',
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '', resourceVersion: resourceVersion ?? '' } },
  };
  await new Promise((resolve) => signal?.addEventListener('abort', resolve));
  throw new ConnectionError('given up', { failure: 'aborted', mayHaveRun: false });
}
