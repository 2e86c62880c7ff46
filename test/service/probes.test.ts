import { networkInterfaces } from 'node:os';
import t from 'tap';
import { ControllerMetrics, ReconcileMetrics, WorkqueueMetrics } from '../../src/service/controller-metrics.ts';
import { createMetrics, WebhookMetrics } from '../../src/service/metrics.ts';
import { COMMON } from '../../src/service/options.ts';
import { eventLoopCheck, startMetricsServer, startProbes } from '../../src/service/probes.ts';

const host = '127.0.0.1';

t.test('probes', async (t) => {
  let fault: string | undefined;
  const ready = [
    { name: 'schemas', fault: () => undefined },
    { name: 'certificate', fault: () => fault },
  ];
  const beat = eventLoopCheck(() => performance.now());
  t.teardown(() => beat.stop());
  const server = await startProbes({ host, port: 0, live: [beat], ready, version: { version: '1.2.3' } });
  t.teardown(() => server.close());
  const ask = async (path: string, method = 'GET'): Promise<[number, string]> => {
    const answer = await fetch(`http://${host}:${server.port}${path}`, { method });
    return [answer.status, await answer.text()];
  };
  t.same(await ask('/livez'), [200, 'ok\n']);
  t.same(await ask('/readyz'), [200, 'ok\n']);
  t.same(await ask('/readyz?verbose'), [200, '[+]schemas ok\n[+]certificate ok\nreadyz check passed\n']);
  fault = 'none is served';
  t.same(await ask('/readyz'), [503, '[+]schemas ok\n[-]certificate failed: none is served\nreadyz check failed\n']);
  t.same(await ask('/livez?verbose'), [200, '[+]event-loop ok\nlivez check passed\n']);
  t.same(await ask('/version'), [200, '{"version":"1.2.3"}\n']);
  t.same(await ask('/livez', 'HEAD'), [200, '']);
  t.same(await ask('/livez', 'POST'), [405, 'only GET and HEAD\n']);
  t.same(await ask('/other'), [404, 'not found\n']);
  await t.rejects(startProbes({ host, port: server.port, live: [], ready: [], version: {} }), { code: 'EADDRINUSE' });
});

t.test('by default it is reached by IPv4 and by IPv6', async (t) => {
  const server = await startProbes({ host: COMMON.host.fallback, port: 0, live: [], ready: [], version: {} });
  t.teardown(() => server.close());
  const hasIPv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));
  for (const host of ['127.0.0.1', ...(hasIPv6 ? ['[::1]'] : [])]) {
    t.equal((await fetch(`http://${host}:${server.port}/livez`)).status, 200, host);
  }
});

t.test('an event loop that did not turn for longer than it may is not live', async (t) => {
  let now = 0;
  const check = eventLoopCheck(() => now, 10_000);
  t.teardown(() => check.stop());
  t.equal(check.fault(), undefined);
  now = 10_000;
  t.equal(check.fault(), undefined);
  now = 12_345;
  t.equal(check.fault(), 'it has not turned for 12 s');
});

t.test('metrics under the names that dashboards know', async (t) => {
  const metrics = createMetrics('1.2.3');
  const queue = new WorkqueueMetrics(metrics.registry, 'graph', { depth: () => 3, unfinishedSeconds: () => 1.5, longestSeconds: () => 1 });
  const reconcile = new ReconcileMetrics(metrics.registry, 'graph', 4);
  const webhook = new WebhookMetrics(metrics.registry, 'validate.graphs.kro.run');
  const controller = new ControllerMetrics(metrics.registry, { watches: () => 7, graphsByState: () => new Map([['ACTIVE', 2]]) });
  const server = await startMetricsServer({ host, port: 0, registry: metrics.registry });
  t.teardown(() => server.close());
  metrics.requests.requestEnded({ code: '200', method: 'GET', host: 'api:443', milliseconds: 4 });
  metrics.compileSeconds.observe({ result: 'valid' }, 0.002);
  queue.added();
  queue.started(0.2);
  queue.finished(0.1);
  queue.retried();
  reconcile.started();
  reconcile.started();
  reconcile.ended('error', 0.3);
  webhook.started();
  webhook.ended(200, 0.01);
  webhook.denied('reference/unknown');
  webhook.warned('kind/not-served');
  t.notMatch(await metrics.registry.metrics(), 'kro_graph_certificate_expiry', 'without a certificate there is none that expires');
  webhook.certificateExpires(new Date(1_700_000_000_000));
  webhook.certificateExpires(new Date(1_800_000_000_000));
  controller.applied('unchanged', 3);
  controller.pruned('deleted');
  controller.watchEnded('expired');
  controller.eventDropped('rate');
  controller.leading('kro-graph', true);
  const answer = await fetch(`http://${host}:${server.port}/metrics`);
  t.match(answer.headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
  const lines = new Set((await answer.text()).split('\n'));
  for (const line of [
    'kro_graph_build_info{version="1.2.3"} 1',
    'rest_client_requests_total{code="200",method="GET",host="api:443"} 1',
    'workqueue_adds_total{name="graph",controller="graph"} 1',
    'workqueue_depth{name="graph",controller="graph"} 3',
    'workqueue_retries_total{name="graph",controller="graph"} 1',
    'workqueue_unfinished_work_seconds{name="graph",controller="graph"} 1.5',
    'workqueue_longest_running_processor_seconds{name="graph",controller="graph"} 1',
    'workqueue_queue_duration_seconds_count{name="graph",controller="graph"} 1',
    'workqueue_work_duration_seconds_count{name="graph",controller="graph"} 1',
    'controller_runtime_reconcile_total{controller="graph",result="error"} 1',
    'controller_runtime_reconcile_errors_total{controller="graph"} 1',
    'controller_runtime_reconcile_time_seconds_count{controller="graph"} 1',
    'controller_runtime_active_workers{controller="graph"} 1',
    'controller_runtime_max_concurrent_reconciles{controller="graph"} 4',
    'controller_runtime_webhook_requests_total{webhook="validate.graphs.kro.run",code="200"} 1',
    'controller_runtime_webhook_requests_total{webhook="validate.graphs.kro.run",code="500"} 0',
    'controller_runtime_webhook_requests_total{webhook="validate.graphs.kro.run",code="503"} 0',
    'controller_runtime_webhook_latency_seconds_count{webhook="validate.graphs.kro.run"} 1',
    'controller_runtime_webhook_requests_in_flight{webhook="validate.graphs.kro.run"} 0',
    'leader_election_master_status{name="kro-graph"} 1',
    'kro_graph_compile_seconds_count{result="valid"} 1',
    'kro_graph_denials_total{code="reference/unknown"} 1',
    'kro_graph_warnings_total{code="kind/not-served"} 1',
    'kro_graph_certificate_expiry_timestamp_seconds 1800000000',
    'kro_graph_applies_total{result="unchanged"} 3',
    'kro_graph_prunes_total{result="deleted"} 1',
    'kro_graph_watch_restarts_total{reason="expired"} 1',
    'kro_graph_events_dropped_total{reason="rate"} 1',
    'kro_graph_watches 7',
    'kro_graph_graphs{state="ACTIVE"} 2',
    'kro_graph_graphs{state="ERROR"} 0',
  ]) {
    t.ok(lines.has(line), line);
  }
  t.ok([...lines].some((line) => line.startsWith('nodejs_eventloop_lag_p99_seconds ')));
});
