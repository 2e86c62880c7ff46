import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { parse } from 'yaml';
import type { AnyObject } from '../cluster/admin.ts';
import { requestsFrom } from './audit.ts';
import { applyGraph, greeting, isReady, makeTenant, pathOf, untilJudged, wrongGreeting } from './graphs.ts';
import { CHART } from './helm.ts';
import { merge, type Release, startRelease, withChart } from './release.ts';

/** The chart as it was packaged earlier: with its own CRD, rights, values and flags. */
const EARLIER = join(import.meta.dirname, 'earlier/kro-graph-0.1.0.tgz');
const TENANT = 'tenant';
const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/graphs.kro.run';
const CONFIG_MAP = `/api/v1/namespaces/${TENANT}/configmaps/right`;

/** How people upgrade: what becomes of the values that they gave, and of those that the earlier chart had by default. */
const ways: [title: string, flags: readonly string[], givesValues: boolean][] = [
  ['with the values given again', [], true],
  ['--reuse-values', ['--reuse-values'], false],
  ['--reset-then-reuse-values', ['--reset-then-reuse-values'], false],
];

for (const [title, flags, givesValues] of ways) {
  test(`upgraded from an earlier chart with Graphs in place: ${title}`, async (t) => {
    const release = await startRelease(t);
    const { cluster, namespace, helm } = release;
    const { admin } = cluster;
    const values = merge(release.local, { webhook: { tls: { mode: 'selfSigned' } } });
    await makeTenant(cluster, TENANT);
    await helm(['install', 'kro-graph', EARLIER], values);
    let stop = await start(t, release);
    t.equal((await applyGraph(cluster, TENANT, greeting('right'))).code, 0);
    const before = await admin.waitFor(pathOf(TENANT, 'right'), isReady);
    const child = await admin.get(CONFIG_MAP);
    const secret = `/api/v1/namespaces/${namespace}/secrets/kro-graph-webhook-tls`;
    const certificates = (await admin.get(secret))?.['data'];

    await helm(withChart('upgrade', 'kro-graph', ...flags), givesValues ? values : undefined);
    await stop();
    stop = await start(t, release);
    const after = await admin.waitFor(pathOf(TENANT, 'right'), isReady);
    t.equal(after?.['metadata'].uid, before?.['metadata'].uid, 'the Graph is the same');
    t.equal(after?.['metadata'].generation, before?.['metadata'].generation);
    const same = await admin.get(CONFIG_MAP);
    t.strictSame(
      [same?.['metadata'].uid, same?.['metadata'].resourceVersion],
      [child?.['metadata'].uid, child?.['metadata'].resourceVersion],
      'what it manages is not written again',
    );
    t.strictSame((await admin.get(secret))?.['data'], certificates, 'the certificates stay');
    t.strictSame(schemaOf(await admin.get(CRD)), presentSchema(), 'the CRD is that of the new chart');
    t.match((await applyGraph(cluster, TENANT, wrongGreeting('wrong'))).said, /settigns[\s\S]*settings/, 'the webhook judges');
    t.equal((await applyGraph(cluster, TENANT, greeting('later'))).code, 0);
    await admin.waitFor(pathOf(TENANT, 'later'), isReady);

    await helm(['rollback', 'kro-graph', '1']);
    await stop();
    await start(t, release);
    t.ok(isReady(await admin.get(pathOf(TENANT, 'right'))), 'after a rollback it is there, and ready');
    await admin.remove(pathOf(TENANT, 'right'));
    await admin.waitFor(pathOf(TENANT, 'right'), (found) => found === undefined);
    t.notOk(await admin.get(CONFIG_MAP), 'and the earlier release tears it down');
    t.strictSame(requestsFrom(cluster, namespace).forbidden, [], 'the rights of both charts suffice');
  });
}

/** Runs both Deployments as they are now; returns what ends them in order. */
async function start(t: Test, { cluster, pod }: Release): Promise<() => Promise<void>> {
  const pods = await Promise.all([pod({ name: 'kro-graph-webhook' }), pod({ name: 'kro-graph-controller' })]);
  await Promise.all(pods.map((running) => running.untilReady()));
  await untilJudged(cluster, TENANT);
  return async () => {
    for (const running of pods) {
      const code = await running.stop();
      t.equal(code, 0, `it ends in order: ${code === 0 ? '' : running.lastWords()}`);
    }
  };
}

function schemaOf(crd: AnyObject | undefined): unknown {
  return crd?.['spec'].versions[0].schema.openAPIV3Schema.properties.status.properties;
}

function presentSchema(): unknown {
  return schemaOf(parse(readFileSync(join(CHART, 'files/crds/graphs.yaml'), 'utf8')));
}
