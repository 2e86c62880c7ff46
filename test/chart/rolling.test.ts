import { once } from 'node:events';
import { connect } from 'node:tls';
import { type Test, test } from 'tap';
import { makeTenant, untilJudged } from './graphs.ts';
import { startLoad } from './load.ts';
import { merge, startRelease, withChart } from './release.ts';
import type { RunningPod } from './run-pod.ts';
import { startService } from './service.ts';

const TENANT = 'tenant';
const WEBHOOK = 'kro-graph-webhook';

test('two replicas are rolled by an upgrade under load, each replaced by one that is ready, and no request is lost', async (t) => {
  const { cluster, local, helm, pod } = await startRelease(t);
  // The Pods end as the chart says, with the time that it takes until a Service knows.
  const values = merge(local, { webhook: { tls: { mode: 'selfSigned' }, extraArgs: [] } });
  await makeTenant(cluster, TENANT);
  await helm(withChart('install', 'kro-graph'), values);
  const service = await startService(t, local['webhook'].containerPort);
  const start = async (index: number): Promise<RunningPod> => {
    const started = await pod({ name: WEBHOOK, index });
    await started.untilReady();
    await service.add(started);
    return started;
  };
  const old = await Promise.all([start(1), start(2)]);
  await untilJudged(cluster, TENANT);

  const load = startLoad(t, cluster, { namespace: TENANT });
  await helm(withChart('upgrade', 'kro-graph'), merge(values, { log: { level: 'warn' } }));
  for (const [index, former] of old.entries()) {
    await start(3 + index);
    await openAhead(t, former.port);
    const code = await former.stop();
    t.equal(code, 0, `replica ${index + 1} ends in order: ${code === 0 ? '' : former.lastWords()}`);
  }
  const { sent, failures } = await load.end();
  t.ok(sent > 100, `${sent} requests`);
  t.strictSame(failures, [], 'all of them were answered');
});

/** A connection that brings no request, as the API server opens when many come at once: it must not keep a replica from ending. */
async function openAhead(t: Test, port: string): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false });
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  await once(socket, 'secureConnect');
}
