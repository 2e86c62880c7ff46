import t from 'tap';
import type { JsonObject } from '../../src/api/object.ts';
import { makeGraph } from '../support/admission.ts';
import { useCluster } from '../support/cluster.ts';
import { createReviewClient } from '../support/review-client.ts';
import { startWebhook } from '../support/webhook.ts';

const use = await useCluster(t);
const { admin, namespace } = use;
const group = `away.${namespace}.example.com`;
const path = '/apis/apiregistration.k8s.io/v1/apiservices';
t.teardown(() => admin.remove(`${path}/v1.${group}`));
await admin.create(path, {
  metadata: { name: `v1.${group}` },
  spec: {
    ...{ group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, insecureSkipTLSVerify: true },
    service: { name: 'nobody', namespace },
  },
});
await admin.waitFor(`${path}/v1.${group}`, (service) => service?.['status']?.conditions?.[0]?.status === 'False', 60_000);

const of = (apiVersion: string, kind: string): JsonObject =>
  makeGraph({ spec: { nodes: [{ id: 'moon', ref: { apiVersion, kind, metadata: { name: 'moon' } } }] }, metadata: { namespace } });
const away = of(`${group}/v1`, 'Moon');
const unknown = of('nowhere.example.com/v1', 'Moon');

const rows: [policy: string, onDeadline: string, graph: JsonObject, expected: object][] = [
  [
    'deny',
    'deny',
    away,
    { allowed: false, status: { code: 503, message: /^not checked whether the cluster serves \S+ Moon: the server/ } },
  ],
  ['deny', 'warn', away, { allowed: true }],
  ['warn', 'deny', away, { allowed: true }],
  ['deny', 'deny', unknown, { allowed: false, status: { code: 422, message: /does not serve nowhere\.example\.com\/v1 Moon/ } }],
];

for (const [policy, onDeadline, object, expected] of rows) {
  const kind = object === away ? 'a kind whose server is away' : 'a kind that nobody serves';
  t.test(`unknownKinds ${policy}, onDeadline ${onDeadline}: ${kind}`, { timeout: 120_000 }, async (t) => {
    const args = ['--policy-unknown-kinds', policy, '--on-deadline', onDeadline, '--policy-permissions', 'off'];
    const webhook = await startWebhook(t, use, { args });
    const client = createReviewClient({ url: webhook.url, certificateAuthority: webhook.certificates.certificateAuthority });
    t.teardown(() => client.close());
    const { review, text } = await client.review({ namespace, object });
    t.match(review?.response, expected, text);
    if (review?.response.allowed)
      t.match(review.response.warnings?.join('\n'), /^kind\/unavailable: not checked whether the cluster serves/m);
    await webhook.stop();
  });
}
