import t from 'tap';
import type { KubeClient } from '../../src/kube/client.ts';
import { systemClock } from '../../src/kube/clock.ts';
import { Election, type LeaseOptions } from '../../src/kube/lease.ts';
import { useCluster } from '../support/cluster.ts';
import { useClient } from '../support/kube.ts';
import { startFaultProxy } from '../support/proxy.ts';

t.test('leader election between two processes', async (t) => {
  const cluster = await useCluster(t);
  const proxy = await startFaultProxy(cluster.access);
  t.teardown(() => proxy.close());
  const direct = useClient(t, cluster.kubeconfig);
  const behindProxy = useClient(t, proxy.kubeconfig(`${t.testdir()}/kubeconfig`));
  const limit = AbortSignal.timeout(20_000);

  const compete = (
    t: { teardown(stop: () => unknown): unknown },
    client: KubeClient,
    identity: string,
    name: string,
    options: Partial<LeaseOptions> = {},
  ) => {
    const stop = new AbortController();
    const changes: boolean[] = [];
    const election = new Election({
      client,
      namespace: cluster.namespace,
      name,
      identity,
      timing: { leaseDuration: 2000, renewDeadline: 1200, retryPeriod: 200 },
      clock: systemClock,
      random: Math.random,
      onChange: (isHeld) => changes.push(isHeld),
      ...options,
    });
    const run = election.run(stop.signal);
    const end = async (): Promise<void> => {
      stop.abort();
      await run;
    };
    t.teardown(end);
    return { election, end, changes };
  };
  const read = (name: string) =>
    direct.get({ group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespace: cluster.namespace, name });

  await t.test('one holds it, the other takes over as soon as it is released', async (t) => {
    const a = compete(t, direct, 'a', 'handover');
    const tenure = await a.election.tenure(limit);
    const b = compete(t, direct, 'b', 'handover');
    await new Promise((resolve) => setTimeout(resolve, 600));
    t.same([a.election.isHeld(), b.election.isHeld(), b.election.holder], [true, false, 'a']);
    t.match(await read('handover'), { spec: { holderIdentity: 'a', leaseDurationSeconds: 2, leaseTransitions: 0 } });
    const started = performance.now();
    await a.end();
    t.equal(tenure.signal.aborted, true);
    await b.election.tenure(limit);
    t.ok(performance.now() - started < 1000, 'it does not wait for the lease to expire');
    t.match(await read('handover'), { spec: { holderIdentity: 'b', leaseTransitions: 1 } });
    t.same([a.changes, b.changes], [[true, false], [true]]);
  });

  await t.test('a holder that cannot renew stops before another begins, and competes again', async (t) => {
    const a = compete(t, behindProxy, 'a', 'cutoff');
    const tenure = await a.election.tenure(limit);
    const b = compete(t, direct, 'b', 'cutoff');
    let lostAt = 0;
    tenure.signal.addEventListener('abort', () => {
      lostAt = performance.now();
    });
    await proxy.goAway();
    await b.election.tenure(limit);
    t.ok(lostAt > 0 && lostAt < performance.now());
    t.same([tenure.isHeld(), a.election.isHeld()], [false, false]);
    await proxy.comeBack();
    await b.end();
    const again = await a.election.tenure(limit);
    t.equal(again.isHeld(), true);
    t.same(a.changes, [true, false, true]);
  });

  await t.test('a renewal is one request', async (t) => {
    const a = compete(t, behindProxy, 'a', 'requests');
    await a.election.tenure(limit);
    const before = proxy.seen.length;
    await new Promise((resolve) => setTimeout(resolve, 900));
    t.same([...new Set(proxy.seen.slice(before).map(({ method }) => method))], ['PUT']);
  });
});
