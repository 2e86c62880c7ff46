import t from 'tap';
import type { KubeObject } from '../../src/api/object.ts';
import type { ObjectRef } from '../../src/kube/client.ts';
import { issueAuthority } from '../../webhook/certificates/issue.ts';
import type { RotationPlan } from '../../webhook/certificates/rotation.ts';
import { nextStep } from '../../webhook/certificates/rotation.ts';
import { SelfSigned } from '../../webhook/certificates/self-signed.ts';
import { bundleOf, type CertificateState, readState, writeState } from '../../webhook/certificates/state.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { stubClient } from '../support/stub-client.ts';

const DAY = 24 * 60 * 60_000;
const plan: RotationPlan = { hosts: ['webhook.kro.svc'], authorityMilliseconds: 3650 * DAY, leafMilliseconds: 90 * DAY };
const never = new AbortController().signal;
const empty: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'kro', resourceVersion: '1' } };

/** A Secret and a registration that keep what is written to them. */
function scene(state: CertificateState | undefined, isHeld = true) {
  const clock = fakeClock();
  let secret: KubeObject = state === undefined ? empty : (writeState(empty, state) as unknown as KubeObject);
  let bundle = state === undefined ? '' : bundleOf(state);
  const steps: string[] = [];
  const written = (object: KubeObject) => ({ object, isCreated: false, warnings: [] });
  const client = stubClient({
    get: async ({ plural }: ObjectRef) =>
      plural === 'secrets'
        ? secret
        : {
            apiVersion: 'v1',
            kind: 'X',
            metadata: { name: 'r', resourceVersion: '2' },
            webhooks: [{ clientConfig: { caBundle: Buffer.from(bundle).toString('base64') } }],
          },
    replace: async (_ref, manifest) => {
      secret = manifest as KubeObject;
      return written(secret);
    },
    patch: async (_ref, { body }) => {
      const [, change] = body as unknown as readonly { readonly value: string }[];
      bundle = Buffer.from(change?.value ?? '', 'base64').toString();
      return written(secret);
    },
  });
  const selfSigned = new SelfSigned({
    ...{ client, clock, plan, configuration: 'r' },
    secret: { namespace: 'kro', name: 's' },
    isHeld: () => isHeld,
    onStep: (word) => steps.push(word),
    onError: () => {},
  });
  const takeAway = (): void => {
    bundle = '';
  };
  return { clock, selfSigned, steps, read: () => readState(secret), bundle: () => bundle, takeAway };
}

/** Certificates that were made so many days before the fake clock's time. */
async function madeBefore(days: number): Promise<CertificateState> {
  const now = new Date(fakeClock().date().getTime() - days * DAY);
  const first = await nextStep({ state: undefined, now, isTrusted: () => false }, plan);
  if (first === undefined) throw new Error('nothing was made');
  return first.state;
}

t.test('an empty Secret: certificates, then the bundle, then it waits until something is due', async (t) => {
  const { selfSigned, steps, read, bundle } = scene(undefined, false);
  t.equal(await selfSigned.reconcile(never), undefined);
  t.equal(await selfSigned.reconcile(never), undefined);
  const settled = await selfSigned.reconcile(never);
  t.strictSame(steps, ['first', 'bundle'], 'whoever is first, with the Lease or without');
  t.equal(bundle(), read()?.authority.certificate);
  t.strictSame(
    settled?.objects.map(({ object, resourceVersion }) => [object.plural, object.name, resourceVersion]),
    [
      ['secrets', 's', '1'],
      ['validatingwebhookconfigurations', 'r', '2'],
    ],
  );
  t.equal(settled?.milliseconds, 300_000);
});

t.test('a new authority is in the live bundle for a while before it signs', async (t) => {
  const old = await madeBefore(2440);
  const { clock, selfSigned, steps, read } = scene({
    ...old,
    next: await issueAuthority('next', { now: clock0(), milliseconds: 3650 * DAY }),
  });
  const leaf = read()?.leaf.certificate;
  const switched = (): boolean => steps.includes('switched');
  // The leaf of old is due too; it is renewed by the authority of today.
  while ((await selfSigned.reconcile(never)) === undefined);
  t.not(read()?.leaf.certificate, leaf);
  t.equal(switched(), false);
  await clock.advance(9_000);
  await selfSigned.reconcile(never);
  t.equal(switched(), false, 'API servers may not have learnt of it');
  await clock.advance(1_000);
  await selfSigned.reconcile(never);
  t.equal(switched(), true);
  t.equal(read()?.former?.certificate, old.authority.certificate);
});

t.test('without the Lease nothing is renewed, and it looks again soon', async (t) => {
  const { selfSigned, steps } = scene(await madeBefore(70), false);
  const settled = await selfSigned.reconcile(never);
  t.strictSame([steps, settled?.milliseconds], [[], 15_000]);
});

t.test('a bundle that somebody took away is back at the next look', async (t) => {
  const state = await madeBefore(1);
  const { selfSigned, steps, bundle, takeAway } = scene(state, false);
  t.ok(await selfSigned.reconcile(never));
  takeAway();
  await selfSigned.reconcile(never);
  t.strictSame([steps, bundle()], [['bundle'], bundleOf(state)]);
});

function clock0(): Date {
  return fakeClock().date();
}

t.test('the same trouble is told once, and again after another', async (t) => {
  const clock = fakeClock();
  const ending = new AbortController();
  const told: string[] = [];
  const answers = ['forbidden', 'forbidden', 'forbidden', 'gone', 'forbidden', 'forbidden'];
  const client = stubClient({
    get: async () => {
      const why = answers.shift();
      if (answers.length === 0) ending.abort();
      throw new Error(why);
    },
  });
  const selfSigned = new SelfSigned({
    ...{ client, clock, plan, configuration: 'r' },
    secret: { namespace: 'kro', name: 's' },
    isHeld: () => true,
    onStep: () => {},
    onError: (error) => told.push(error instanceof Error ? error.message : ''),
  });
  const running = selfSigned.run(ending.signal);
  while (!ending.signal.aborted) await clock.advance(1000);
  await running;
  t.same(told, ['forbidden', 'gone', 'forbidden']);
});
