import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { connect } from './admin.ts';
import { startCluster } from './cluster.ts';
import { processesWith } from './processes.ts';

const auditPolicy = JSON.stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata', users: ['system:serviceaccount:default:reader'] }, { level: 'None' }],
});

t.test('a cluster', async (t) => {
  const cluster = await startCluster({ auditPolicy });
  const configMaps = '/api/v1/namespaces/default/configmaps';

  await t.test('a ServiceAccount has a real token and only the rights that RBAC gives', async (t) => {
    const reader = connect(await cluster.kubeconfigFor({ namespace: 'default', name: 'reader' }));
    t.equal((await reader.request({ path: configMaps })).status, 403);
    await cluster.kubectl(['create', 'clusterrole', 'reader', '--verb=list', '--resource=configmaps']);
    await cluster.kubectl(['create', 'clusterrolebinding', 'reader', '--clusterrole=reader', '--serviceaccount=default:reader']);
    // The authorizer hears of the binding from a watch of its own.
    const list = async (): Promise<number> => (await reader.request({ path: configMaps })).status;
    for (let tries = 0; tries < 100 && (await list()) === 403; tries += 1) await sleep(20);
    t.equal(await list(), 200);
  });

  await t.test('the audit log counts what a user asked for', async (t) => {
    const events = readFileSync(cluster.auditLog, 'utf8').trimEnd().split('\n');
    const seen = events.map((line) => JSON.parse(line)).map(({ verb, responseStatus }) => `${verb} ${responseStatus.code}`);
    t.strictSame([seen.at(0), seen.at(-1)], ['list 403', 'list 200']);
  });

  await t.test('OpenAPI v3 is served', async (t) => {
    const index = await cluster.admin.get('/openapi/v3');
    t.match(index, { paths: { 'apis/apps/v1': { serverRelativeURL: String } } });
  });

  await t.test('an object is waited for on a watch', async (t) => {
    const path = `${configMaps}/later`;
    const arrival = cluster.admin.waitFor(path, (object) => object?.['data']?.ready === 'yes');
    await cluster.admin.create(configMaps, { metadata: { name: 'later' } });
    await cluster.admin.patch(path, { data: { ready: 'yes' } });
    t.match(await arrival, { metadata: { name: 'later' } });
    await t.rejects(
      cluster.admin.waitFor(path, (object) => object === undefined, 100),
      /later is not as wanted after 100 ms/,
    );
  });

  await t.test('the API server goes away and comes back with its data', async (t) => {
    await cluster.stopApiServer();
    await t.rejects(cluster.admin.get(configMaps), { code: 'ECONNREFUSED' });
    await cluster.startApiServer();
    t.ok(await cluster.admin.get(`${configMaps}/later`));
  });

  await t.test('stopping leaves nothing', async (t) => {
    t.equal(processesWith(cluster.folder).length, 2, 'etcd and kube-apiserver ran');
    await cluster.stop();
    t.strictSame(processesWith(cluster.folder), []);
    t.notOk(existsSync(cluster.folder));
  });
});

t.test('a program that does not start says why', async (t) => {
  await t.rejects(startCluster({ apiServerFlags: ['--no-such-flag'] }), /kube-apiserver does not run.*unknown flag: --no-such-flag/s);
});
