import { test } from 'tap';
import type { AnyObject } from '../cluster/admin.ts';
import { requestsFrom } from './audit.ts';
import { makeTenant, untilJudged } from './graphs.ts';
import { startLoad } from './load.ts';
import { merge, startRelease, withChart } from './release.ts';
import { untilServed } from './served.ts';

const TENANT = 'tenant';

/** They are made 5 minutes in the past and renewed at 2/3 of their life: the leaf is due 4 s after it was made, the CA after a minute. */
const SHORT = { caDuration: '240s', duration: '156s' };

test('selfSigned: leaf and CA are renewed under load, by two replicas, and no request is lost', async (t) => {
  const { cluster, namespace, local, helm, pod } = await startRelease(t);
  const { admin } = cluster;
  await makeTenant(cluster, TENANT);
  await helm(withChart('install', 'kro-graph'), merge(local, { webhook: { tls: { mode: 'selfSigned', selfSigned: SHORT } } }));
  const pods = await Promise.all([pod({ name: 'kro-graph-webhook' }), pod({ name: 'kro-graph-webhook', index: 1 })]);
  await Promise.all(pods.map((running) => running.untilReady()));
  await untilJudged(cluster, TENANT);
  const path = `/api/v1/namespaces/${namespace}/secrets/kro-graph-webhook-tls`;
  const entryOf = (secret: AnyObject | undefined, key: string): string => Buffer.from(secret?.['data']?.[key] ?? '', 'base64').toString();
  const first = await admin.get(path);

  const load = startLoad(t, cluster, { namespace: TENANT });
  const second = await admin.waitFor(path, (secret) => entryOf(secret, 'tls.crt') !== entryOf(first, 'tls.crt'), 180_000);
  t.equal(entryOf(second, 'ca-current.crt'), entryOf(first, 'ca-current.crt'), 'first the leaf is renewed, by the same CA');
  const third = await admin.waitFor(path, (secret) => entryOf(secret, 'ca-current.crt') !== entryOf(first, 'ca-current.crt'), 180_000);
  t.equal(entryOf(third, 'ca-former.crt'), entryOf(first, 'ca-current.crt'), 'then the CA, and the old one stays trusted');
  await untilServed(local['webhook'].containerPort, entryOf(third, 'tls.crt'));
  const { sent, failures } = await load.end();
  t.ok(sent > 100, `${sent} requests`);
  t.strictSame(failures, [], 'all of them were answered');

  const registration = await admin.get('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/kro-graph');
  const bundle = Buffer.from(registration?.['webhooks'][0].clientConfig.caBundle, 'base64').toString();
  t.ok(bundle.includes(entryOf(third, 'ca-current.crt')) && bundle.includes(entryOf(third, 'ca-former.crt')), 'the bundle holds both');
  t.strictSame(requestsFrom(cluster, namespace).forbidden, [], 'the rights of the chart suffice');
});
