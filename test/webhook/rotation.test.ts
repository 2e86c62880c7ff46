import { X509Certificate } from 'node:crypto';
import t from 'tap';
import type { KubeObject } from '../../src/api/object.ts';
import { bundlePatch, contains, type LiveConfiguration, verifies } from '../../webhook/certificates/live-configuration.ts';
import { nextDue, nextStep, type RotationPlan, type RotationStep } from '../../webhook/certificates/rotation.ts';
import { bundleOf, type CertificateState, readState, writeState } from '../../webhook/certificates/state.ts';
import { checkPair } from '../../webhook/tls.ts';

const DAY = 24 * 60 * 60_000;
const plan: RotationPlan = { hosts: ['webhook.kro.svc', '127.0.0.1'], authorityMilliseconds: 3650 * DAY, leafMilliseconds: 90 * DAY };
const start = new Date('2026-01-01T00:00:00Z');
const on = (day: number): Date => new Date(start.getTime() + day * DAY);

const first = await step(undefined, start);
const made = first.state;
const empty: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'kro', resourceVersion: '7' } };

async function step(state: CertificateState | undefined, now: Date, trusted: readonly string[] = []): Promise<RotationStep> {
  const found = await nextStep({ state, now, isTrusted: (certificate) => trusted.includes(certificate) }, plan);
  if (found === undefined) throw new Error('there is nothing to do');
  return found;
}

const word = async (state: CertificateState | undefined, now: Date, trusted: readonly string[] = []) =>
  (await nextStep({ state, now, isTrusted: (certificate) => trusted.includes(certificate) }, plan))?.word;

t.test('the first certificates: a leaf for the hosts, signed by the authority of the bundle', (t) => {
  t.equal(first.word, 'first');
  const leaf = checkPair({ certificate: made.leaf.certificate + made.authority.certificate, key: made.leaf.key }, start);
  t.equal(leaf.checkHost('webhook.kro.svc'), 'webhook.kro.svc');
  t.equal(leaf.checkIP('127.0.0.1'), '127.0.0.1');
  t.equal(bundleOf(made), made.authority.certificate);
  const live: LiveConfiguration = { resourceVersion: '1', bundles: [bundleOf(made)] };
  t.ok(verifies(live, leaf));
  t.ok(contains(live, made.authority.certificate));
  t.end();
});

const damaged = { ...made, authority: { ...made.authority, key: made.leaf.key } };
const unreadable = { ...made, leaf: { ...made.leaf, certificate: 'nonsense' } };
const rows: [string, CertificateState | undefined, number, string | undefined][] = [
  ['nothing to do while all is young', made, 1, undefined],
  ['nothing to do shortly before 2/3 of the leaf', made, 59, undefined],
  ['a new leaf at 2/3 of its life', made, 61, 'leaf'],
  ['a new authority at 2/3 of its life', made, 2434, 'next-authority'],
  ['all anew when the authority has expired', made, 3651, 'first'],
  ['all anew when the key is not the authority’s', damaged, 1, 'first'],
  ['all anew when the leaf cannot be read', unreadable, 1, 'first'],
];

for (const [title, state, day, expected] of rows) {
  t.test(title, async (t) => t.equal(await word(state, on(day)), expected));
}

t.test('a new leaf for other hosts', async (t) => {
  const found = await nextStep({ state: made, now: on(1), isTrusted: () => true }, { ...plan, hosts: [...plan.hosts, 'other.svc'] });
  t.equal(found?.word, 'leaf');
  t.equal(new X509Certificate(found?.state.leaf.certificate ?? '').checkHost('other.svc'), 'other.svc');
});

t.test('a new authority: trusted first, then it signs, and the former one goes a day later', async (t) => {
  const fresh = { ...made, leaf: (await step(made, on(2430))).state.leaf };
  const announced = (await step(fresh, on(2434))).state;
  t.strictSame([announced.authority, announced.leaf], [fresh.authority, fresh.leaf], 'nothing signs with it yet');
  const next = announced.next?.certificate ?? '';
  t.equal(bundleOf(announced), made.authority.certificate + next);
  t.equal(await word(announced, on(2435)), undefined, 'it waits for the live configuration');

  const switched = await step(announced, on(2435), [next]);
  t.equal(switched.word, 'switched');
  t.equal(bundleOf(switched.state), bundleOf(announced), 'the bundle needs no second change');
  const leaf = new X509Certificate(switched.state.leaf.certificate);
  t.ok(leaf.verify(new X509Certificate(next).publicKey));
  t.ok(verifies({ resourceVersion: '1', bundles: [bundleOf(switched.state)] }, leaf));
  t.ok(verifies({ resourceVersion: '1', bundles: [bundleOf(switched.state)] }, new X509Certificate(fresh.leaf.certificate)));

  t.equal(await word(switched.state, on(2435.9)), undefined);
  const last = await step(switched.state, on(2436.1));
  t.strictSame([last.word, bundleOf(last.state)], ['former-gone', next]);
});

t.test('a leaf never outlives its authority', async (t) => {
  const old = { ...made, next: (await step(made, on(2434))).state.next };
  const renewed = await step(old, on(3640));
  t.equal(renewed.word, 'leaf');
  const leaf = new X509Certificate(renewed.state.leaf.certificate);
  t.equal(leaf.validToDate.getTime(), new X509Certificate(made.authority.certificate).validToDate.getTime());
});

t.test('the state comes back from the Secret as it went in', async (t) => {
  const next = (await step({ ...made, leaf: (await step(made, on(2430))).state.leaf }, on(2434))).state;
  const switched = (await step(next, on(2435), [next.next?.certificate ?? ''])).state;
  for (const state of [made, next, switched]) {
    const secret = writeState(empty, state);
    t.strictSame(readState(secret as unknown as KubeObject), state);
    t.strictSame(secret['metadata'], empty.metadata, 'with the resourceVersion that was read');
  }
  t.equal(readState(empty), undefined);
  t.equal(readState({ ...empty, data: { 'tls.crt': 'YQ==' } }), undefined);
});

t.test('the patch of the configuration tests the version that was read', (t) => {
  const value = Buffer.from('PEM').toString('base64');
  t.strictSame(bundlePatch({ resourceVersion: '7', bundles: ['', 'old'] }, 'PEM'), [
    { op: 'test', path: '/metadata/resourceVersion', value: '7' },
    { op: 'add', path: '/webhooks/0/clientConfig/caBundle', value },
    { op: 'add', path: '/webhooks/1/clientConfig/caBundle', value },
  ]);
  t.end();
});

t.test('a bundle that is empty, damaged or of another authority verifies nothing', async (t) => {
  const leaf = new X509Certificate(made.leaf.certificate);
  const other = (await step(undefined, start)).state.authority.certificate;
  for (const bundles of [[], [''], ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'], [other], [bundleOf(made), other]]) {
    t.notOk(verifies({ resourceVersion: '1', bundles }, leaf));
  }
  t.ok(verifies({ resourceVersion: '1', bundles: [other + bundleOf(made)] }, leaf));
});

t.test('when there is something to do next', async (t) => {
  const day = (state: CertificateState): number => Math.round((nextDue(state).getTime() - start.getTime()) / DAY);
  t.equal(day(made), 60, 'the leaf, at 2/3 of its life');
  t.equal(day({ ...made, former: { certificate: made.authority.certificate, until: on(1) } }), 1, 'a former authority that goes');
  const old = { ...made, leaf: (await step(made, on(2430))).state.leaf };
  t.equal(day(old), 2433, 'the authority');
  const next = (await step(old, on(2434))).state;
  t.equal(day(next), 2490, 'with the authority of tomorrow there, the leaf again');
});
