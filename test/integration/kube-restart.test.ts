import t from 'tap';
import { systemClock } from '../../src/kube/clock.ts';
import { Election } from '../../src/kube/lease.ts';
import { Reflector } from '../../src/kube/reflector.ts';
import { startCluster } from '../cluster/cluster.ts';
import { useClient } from '../support/kube.ts';

t.test('a real API server that stops and starts again', async (t) => {
  const cluster = await startCluster();
  t.teardown(() => cluster.stop());
  const client = useClient(t, cluster.kubeconfig);
  const maps = { group: '', version: 'v1', plural: 'configmaps', namespace: 'default' };
  const make = (name: string) =>
    client.create(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { test: 'restart' } } });

  let notify = (): void => {};
  const reflector = new Reflector<string>({
    client,
    resource: maps,
    selection: { labelSelector: 'test=restart' },
    what: { kind: 'metadata', project: ({ metadata }) => metadata.name },
    onChange: () => notify(),
    onState: () => notify(),
    clock: systemClock,
    random: Math.random,
    timing: { firstPause: 100, longestPause: 500 },
  });
  t.teardown(() => reflector.stop());
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        notify = resolve;
      });
    }
  };
  const timing = { leaseDuration: 3000, renewDeadline: 1500, retryPeriod: 200 };
  const stop = new AbortController();
  const election = new Election({
    client,
    namespace: 'default',
    name: 'restart',
    identity: 'a',
    timing,
    clock: systemClock,
    random: Math.random,
  });
  const run = election.run(stop.signal);
  const tenure = await election.tenure(AbortSignal.timeout(10_000));
  await make('before');
  reflector.start();
  await reflector.opened();
  t.same([...reflector.entries()], [['default/before', 'before']]);

  await cluster.stopApiServer();
  await until(() => reflector.state.word === 'retrying');
  t.equal(reflector.size, 1, 'the store is what it was');
  await new Promise((resolve) => (tenure.signal.aborted ? resolve(undefined) : tenure.signal.addEventListener('abort', resolve)));
  t.equal(election.isHeld(), false);

  await cluster.startApiServer();
  await make('after');
  await until(() => reflector.size === 2 && reflector.state.word === 'synced');
  t.equal((await election.tenure(AbortSignal.timeout(10_000))).isHeld(), true);
  stop.abort();
  await run;
});
