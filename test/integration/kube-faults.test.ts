import { writeFileSync } from 'node:fs';
import t from 'tap';
import type { KubeClient } from '../../src/kube/client.ts';
import { systemClock } from '../../src/kube/clock.ts';
import type { ClusterAccess } from '../../src/kube/config.ts';
import { loadConfig } from '../../src/kube/config.ts';
import { isObjectNotFound, isTooManyRequests, isUnavailable, mayHaveRun } from '../../src/kube/error.ts';
import { Http } from '../../src/kube/http.ts';
import { createClient } from '../../src/kube/json-client.ts';
import type { ResourceRef } from '../../src/kube/resource.ts';
import { useCluster } from '../support/cluster.ts';
import { useClient } from '../support/kube.ts';
import { type Fault, startFaultProxy } from '../support/proxy.ts';

const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => {
      throw new Error(`it did not fail: ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );

const slowDown = { kind: 'Status', status: 'Failure', reason: 'TooManyRequests', code: 429, message: 'slow down' };

t.test('the client when answers go wrong', async (t) => {
  const cluster = await useCluster(t);
  const proxy = await startFaultProxy(cluster.access);
  t.teardown(() => proxy.close());
  const kubeconfig = proxy.kubeconfig(`${t.testdir()}/kubeconfig`);
  const client = useClient(t, kubeconfig);
  const direct = useClient(t, cluster.kubeconfig);
  const maps: ResourceRef = { group: '', version: 'v1', plural: 'configmaps', namespace: cluster.namespace };
  const manifest = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  const exists = (name: string): Promise<boolean> =>
    direct.get({ ...maps, name }).then(
      () => true,
      (error: unknown) => {
        if (isObjectNotFound(error, { ...maps, name })) return false;
        throw error;
      },
    );
  /** The next request that is not a test's own goes wrong in these ways, one after another. */
  const spoil = (...faults: readonly Fault[]): void => {
    const left = [...faults];
    proxy.onRequest(() => left.shift());
  };
  const sentOf = async (act: () => Promise<unknown>): Promise<number> => {
    const before = proxy.seen.length;
    await act();
    return proxy.seen.length - before;
  };

  await client.create(maps, manifest('there'));
  const read = (): Promise<unknown> => client.get({ ...maps, name: 'there' });

  const lost: readonly [title: string, fault: Fault, expected: { failure: string; created: boolean }][] = [
    [
      'a write whose connection breaks before it is carried out may have run',
      { kind: 'cut', forward: false },
      { failure: 'cut', created: false },
    ],
    [
      'a write whose connection breaks after it is carried out may have run',
      { kind: 'cut', forward: true },
      { failure: 'cut', created: true },
    ],
    ['a write whose answer breaks off may have run', { kind: 'truncate', bytes: 20 }, { failure: 'cut', created: true }],
    ['a write without an answer ends at its time limit', { kind: 'silence', forward: true }, { failure: 'timeout', created: true }],
    [
      'a write whose answer is no JSON may have run',
      { kind: 'answer', forward: true, answer: { status: 200, body: '<html>' } },
      { failure: 'garbled', created: true },
    ],
  ];
  for (const [index, [title, fault, { failure, created }]] of lost.entries()) {
    await t.test(title, async (t) => {
      const name = `lost-${index}`;
      spoil(fault);
      let error: unknown;
      const sent = await sentOf(async () => {
        error = await caught(client.create(maps, manifest(name), { timeLimit: 500 }));
      });
      t.match(error, { failure, mayHaveRun: true });
      t.equal(sent, 1, 'it is not repeated');
      t.equal(await exists(name), created);
    });
  }

  await t.test('a write that is refused with 5xx after it was carried out may have run, and is not repeated', async (t) => {
    spoil({ kind: 'answer', forward: true, answer: { status: 502, body: 'bad gateway' } });
    let error: unknown;
    const sent = await sentOf(async () => {
      error = await caught(client.create(maps, manifest('gateway')));
    });
    t.ok(mayHaveRun(error) && isUnavailable(error));
    t.match(error, { code: 502, message: 'the server answered 502: bad gateway' });
    t.equal(sent, 1);
    t.equal(await exists('gateway'), true);
  });

  await t.test('a read is repeated when its connection breaks, up to three times', async (t) => {
    const cut: Fault = { kind: 'cut', forward: false };
    spoil(cut, cut, { kind: 'truncate', bytes: 10 });
    t.equal(await sentOf(read), 4);
    spoil(cut, cut, cut, cut);
    t.match(await caught(read()), { failure: 'cut' });
  });

  await t.test('429 and 503 with Retry-After are obeyed, for writes too', async (t) => {
    const wait: Fault = { kind: 'answer', forward: false, answer: { status: 429, headers: { 'retry-after': '1' }, body: slowDown } };
    const restart: Fault = { kind: 'answer', forward: false, answer: { status: 503, headers: { 'retry-after': '1' } } };
    spoil(wait, restart);
    const started = performance.now();
    t.equal(await sentOf(() => client.create(maps, manifest('patient'))), 3);
    t.ok(performance.now() - started >= 2000);
    spoil({ kind: 'answer', forward: false, answer: { status: 429, headers: { 'retry-after': '60' }, body: slowDown } });
    const error = await caught(read());
    t.ok(isTooManyRequests(error) && error.retryAfter === 60_000, 'a longer wait is left to the caller');
  });

  await t.test('503 without Retry-After is told at once', async (t) => {
    spoil({ kind: 'answer', forward: false, answer: { status: 503 } });
    t.match(await caught(client.create(maps, manifest('unavailable'))), { code: 503 });
  });

  await t.test('a caller that gives up ends the request at once, and is told that it may have run', async (t) => {
    spoil({ kind: 'silence', forward: false });
    const giveUp = new AbortController();
    const request = caught(client.create(maps, manifest('given-up'), { signal: giveUp.signal }));
    setTimeout(() => giveUp.abort(), 100);
    const started = performance.now();
    t.match(await request, { failure: 'aborted', mayHaveRun: true });
    t.ok(performance.now() - started < 1000);
  });

  await t.test('an API server that nobody reaches: a write surely did not run; it goes on when the cause is gone', async (t) => {
    proxy.onRequest(undefined);
    await proxy.goAway();
    const error = await caught(client.create(maps, manifest('away')));
    t.match(error, { failure: 'unreachable', mayHaveRun: false });
    await proxy.comeBack();
    t.match(await client.create(maps, manifest('away')), { isCreated: true });
  });

  await t.test('a fenced write is not sent, nor sent again, once it may not start', async (t) => {
    let mayWrite = true;
    const fenced = client.fenced(() => mayWrite);
    proxy.onRequest(undefined);
    t.match(await fenced.create(maps, manifest('fenced')), { isCreated: true });
    proxy.onRequest(() => {
      mayWrite = false;
      return { kind: 'answer', forward: false, answer: { status: 429, headers: { 'retry-after': '1' }, body: slowDown } };
    });
    const held = { failure: 'aborted', mayHaveRun: false };
    t.equal(await sentOf(async () => t.match(await caught(fenced.create(maps, manifest('fenced-2'))), held)), 1);
    proxy.onRequest(undefined);
    const writes = [
      () => fenced.as('ann').apply({ ...maps, name: 'fenced' }, manifest('fenced'), { manager: 'm' }),
      () => fenced.patch({ ...maps, name: 'fenced' }, { type: 'merge', body: {} }),
      () => fenced.updateStatus({ ...maps, name: 'fenced' }, {}),
      () => fenced.delete({ ...maps, name: 'fenced' }, { propagationPolicy: 'Background' }),
    ];
    for (const write of writes) t.equal(await sentOf(async () => t.match(await caught(write()), held)), 0);
    t.match(await fenced.get({ ...maps, name: 'fenced' }), { metadata: { name: 'fenced' } });
  });

  await t.test('a token file that is rotated is read again when the old token is refused', async (t) => {
    const folder = t.testdir({ token: 'expired' });
    writeFileSync(`${folder}/kubeconfig`, JSON.stringify(kubeconfigWithTokenFile(proxy.access, 'token')));
    const rotating = useClient(t, `${folder}/kubeconfig`);
    proxy.onRequest(() => {
      writeFileSync(`${folder}/token`, cluster.access.token);
      proxy.onRequest(undefined);
      return undefined;
    });
    t.match(await rotating.get({ ...maps, name: 'there' }), { metadata: { name: 'there' } });
  });

  await t.test('a watch is opened with the token that was rotated meanwhile', async (t) => {
    const folder = t.testdir({ token: 'expired' });
    writeFileSync(`${folder}/kubeconfig`, JSON.stringify(kubeconfigWithTokenFile(proxy.access, 'token')));
    const rotating = useClient(t, `${folder}/kubeconfig`);
    proxy.onRequest(() => {
      writeFileSync(`${folder}/token`, cluster.access.token);
      proxy.onRequest(undefined);
      return undefined;
    });
    const seen: string[] = [];
    for await (const { type, object } of rotating.watch(maps, { timeoutSeconds: 1, fieldSelector: 'metadata.name=there' })) {
      seen.push(`${type} ${object.metadata.name}`);
    }
    t.equal(seen[0], 'ADDED there');
  });

  await t.test('a CA that is replaced is used by the next connection', async (t) => {
    const folder = t.testdir({ 'ca.crt': cluster.access.certificateAuthority });
    const access: ClusterAccess = loadConfig({ kubeconfig: withCaFile(folder, proxy.access), environment: {} });
    const http = new Http({ access, clock: systemClock, random: Math.random, userAgent: 'test' });
    t.teardown(() => http.close());
    const rotated: KubeClient = createClient(http);
    t.match(await caught(rotated.get({ ...maps, name: 'there' })), { failure: 'unreachable', mayHaveRun: false });
    writeFileSync(`${folder}/ca.crt`, proxy.access.certificateAuthority);
    t.match(await rotated.get({ ...maps, name: 'there' }), { metadata: { name: 'there' } });
  });

  await t.test('the observer counts requests by code and method', async (t) => {
    const counted: string[] = [];
    const observer = {
      requestEnded: ({ code, method, host }: { code: string; method: string; host: string }) => counted.push(`${method} ${code} ${host}`),
    };
    const watched = useClient(t, kubeconfig, { observer });
    spoil({ kind: 'cut', forward: false });
    await watched.get({ ...maps, name: 'there' });
    await caught(watched.get({ ...maps, name: 'missing' }));
    const host = new URL(proxy.access.server).host;
    t.same(counted, [`GET <error> ${host}`, `GET 200 ${host}`, `GET 404 ${host}`]);
  });
});

function kubeconfigWithTokenFile(access: { server: string; certificateAuthority: string }, tokenFile: string): unknown {
  return {
    'current-context': 'c',
    clusters: [
      {
        name: 'c',
        cluster: { server: access.server, 'certificate-authority-data': Buffer.from(access.certificateAuthority).toString('base64') },
      },
    ],
    users: [{ name: 'c', user: { tokenFile } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
  };
}

function withCaFile(folder: string, access: { server: string; token: string }): string {
  const config = {
    'current-context': 'c',
    clusters: [{ name: 'c', cluster: { server: access.server, 'certificate-authority': 'ca.crt' } }],
    users: [{ name: 'c', user: { token: access.token } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
  };
  writeFileSync(`${folder}/kubeconfig`, JSON.stringify(config));
  return `${folder}/kubeconfig`;
}
