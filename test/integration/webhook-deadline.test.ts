import t, { type Test } from 'tap';
import type { JsonObject } from '../../src/api/object.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { runKubectl } from '../cluster/kubectl.ts';
import { makeGraph } from '../support/admission.ts';
import type { ClusterUse } from '../support/cluster.ts';
import { createReviewClient, type ReviewAnswer, type ReviewClient, readLog } from '../support/review-client.ts';
import { startWebhook, type TestWebhook } from '../support/webhook.ts';
import { spawnWebhook } from '../support/webhook-process.ts';

/** A cluster of its own: its API server is stopped. */
const cluster = await startCluster();
t.teardown(() => cluster.stop());
const use = asUse(cluster);

/** A long name that is near to every other one, in each of so many places: without a budget it takes minutes to find the nearest. */
const mistaken: JsonObject[] = Array.from({ length: 1000 }, (_, index) => ({
  id: `${'e'.repeat(60)}${index}`,
  def: { a: `\${${'e'.repeat(60)}${index}x.a}` },
}));
const page: JsonObject = { id: 'page', template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page' } } };
const gadget: JsonObject = { id: 'gadget', template: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'gadget' } } };

t.test('a Graph that cannot be compiled in time is answered in time, and others beside it as ever', { timeout: 240_000 }, async (t) => {
  const { client } = await open(t, ['--deadline', '4s', '--limits-compile-steps', '1000000000000']);
  await client.review(of([page]));
  const started = performance.now();
  const slow = client.review(of(mistaken));
  const quick = await Promise.all(Array.from({ length: 10 }, () => client.review(of([page]))));
  t.ok(quick.every(({ review }) => review?.response.allowed));
  const { review } = await slow;
  const milliseconds = performance.now() - started;
  t.match(review?.response, {
    allowed: false,
    status: { code: 504, reason: 'Timeout', message: /^the Graph was not checked in time: compiling took too long \(/ },
  });
  t.ok(milliseconds < 10_000, `${milliseconds} ms`);
  t.equal((await client.review(of([page]))).review?.response.allowed, true);
});

t.test('the same, and the policy is to warn', { timeout: 240_000 }, async (t) => {
  const { client } = await open(t, ['--deadline', '1s', '--limits-compile-steps', '1000000000000', '--on-deadline', 'warn']);
  const { review } = await client.review(of(mistaken));
  t.equal(review?.response.allowed, true);
  const told = review?.response.warnings?.join('\n');
  t.match(told, /^limit\/deadline: the Graph was not checked in time: compiling took too long$/m);
});

t.test('the same, within the step budget of a release: an error of the Graph', { timeout: 240_000 }, async (t) => {
  const { client } = await open(t, ['--limits-compile-steps', '1000', '--deadline', '9s']);
  const { review } = await client.review(of(Array.from({ length: 500 }, (_, index) => ({ id: `n${index}`, def: { a: '${1 + 1}' } }))));
  t.match(review?.response, { allowed: false, status: { code: 422, reason: 'Invalid' } });
  t.match(
    review?.response.status?.details?.causes.map(({ reason }) => reason),
    ['limit/compile'],
  );
});

t.test('an API server that goes away and comes back', { timeout: 300_000 }, async (t) => {
  const { client, webhook } = await open(t, ['--deadline', '2s']);
  t.equal((await client.review(of([page]))).review?.response.allowed, true);
  await cluster.stopApiServer();

  const known = await timed(() => client.review(of([page])));
  t.equal(known.answer.review?.response.allowed, true, 'schemas that are known are enough');
  const warnings = known.answer.review?.response.warnings?.join('\n');
  t.match(warnings, /^check\/(unanswered|late): not checked.*: whether the ServiceAccount exists/m);
  t.ok(known.milliseconds < 8000, `${known.milliseconds} ms`);

  const unknown = await timed(() => client.review(of([gadget])));
  t.equal(unknown.answer.review?.response.allowed, false);
  t.match(unknown.answer.review?.response.status, { message: /^the Graph was not checked: the schemas of the cluster cannot be read \(/ });
  t.ok([503, 504].includes(unknown.answer.review?.response.status?.code ?? 0));
  t.ok(unknown.milliseconds < 8000, `${unknown.milliseconds} ms`);
  t.equal((await fetch(`${webhook.probes}/livez`)).status, 200);
  t.equal((await fetch(`${webhook.probes}/readyz`)).status, 200, 'replicas do not leave their Service all at once');

  await cluster.startApiServer();
  let back: ReviewAnswer | undefined;
  for (const deadline = Date.now() + 180_000; Date.now() < deadline && back?.review?.response.allowed !== true; )
    back = await client.review(of([gadget]));
  t.equal(back?.review?.response.allowed, true, 'it goes on without a restart');
  webhook.assertAlive();
});

t.test('started while the API server is away: it waits, and is ready when it is back', { timeout: 300_000 }, async (t) => {
  const { webhook } = await open(t, []);
  await webhook.stop();
  await cluster.stopApiServer();
  const again = spawnWebhook(t, { args: webhook.args, folder: webhook.certDir });
  const saysWhy = async (): Promise<boolean> => {
    const text = await fetch(`${webhook.probes}/readyz`).then(
      (answer) => answer.text(),
      () => '',
    );
    return /^\[-\]schemas failed/m.test(text) && /^\[-\]identity failed/m.test(text) && /^\[\+\]certificate ok/m.test(text);
  };
  const hasTried = (): boolean => readLog(webhook.logFile).some(({ msg }) => msg === 'will be tried again');
  let hasSaid = false;
  for (const deadline = Date.now() + 180_000; Date.now() < deadline && !hasSaid; ) hasSaid = (await saysWhy()) && hasTried();
  t.ok(hasSaid, 'it says what it waits for, and that it tries again');
  await cluster.startApiServer();
  await again.untilReady(webhook.probes);
});

function of(nodes: JsonObject[]): { readonly object: JsonObject; readonly namespace: string } {
  return { namespace: 'default', object: makeGraph({ spec: { nodes }, metadata: { namespace: 'default' } }) };
}

async function open(t: Test, args: readonly string[]): Promise<{ readonly webhook: TestWebhook; readonly client: ReviewClient }> {
  const webhook = await startWebhook(t, use, { args });
  const client = createReviewClient({ url: webhook.url, certificateAuthority: webhook.certificates.certificateAuthority });
  t.teardown(() => client.close());
  return { webhook, client };
}

async function timed(work: () => Promise<ReviewAnswer>): Promise<{ readonly answer: ReviewAnswer; readonly milliseconds: number }> {
  const started = performance.now();
  return { answer: await work(), milliseconds: performance.now() - started };
}

function asUse({ kubeconfig, access, admin, kubectl, kubeconfigFor }: Cluster): ClusterUse {
  return {
    ...{ kubeconfig, access, admin, kubectl, kubeconfigFor, namespace: 'default' },
    tryKubectl: (args, options) => runKubectl(args, { kubeconfig, ...options }),
  };
}
