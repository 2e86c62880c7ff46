import t from 'tap';
import { Ledger, MOST_ENTRIES } from '../../../controller/inventory/ledger.ts';
import { Unsent } from '../../../controller/inventory/unsent.ts';
import type { Contribution, ManagedResource } from '../../../src/api/graph.ts';

function entry(name: string, uid?: string): ManagedResource {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name, nodeID: name, wave: 1, ...(uid === undefined ? {} : { uid }) };
}
const identity = (name: string) => ({ group: '', kind: 'ConfigMap', namespace: 'n', name });
const contribution: Contribution = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 't', fieldManager: 'm' };
const listed = (ledger: Ledger) => ledger.inventory(() => 0).managedResources.map(({ name, uid }) => `${name}:${uid ?? ''}`);
const none = () => false;

t.test('an intent stands beside what was, without a UID, until it is stored', (t) => {
  const ledger = new Ledger({ managedResources: [entry('old', 'u1')] });
  t.notOk(ledger.hasUnpersisted);
  t.ok(ledger.intend(entry('new')));
  t.same(listed(ledger), ['old:u1', 'new:']);
  t.ok(ledger.hasUnpersisted);
  ledger.persisted(ledger.inventory(() => 0));
  t.notOk(ledger.hasUnpersisted);
  t.end();
});

t.test('an intent for what is there already changes nothing', (t) => {
  const ledger = new Ledger({ managedResources: [entry('old', 'u1')] });
  ledger.intend(entry('old'));
  t.same(listed(ledger), ['old:u1']);
  t.notOk(ledger.hasUnpersisted);
  t.end();
});

t.test('the API version is no part of an identity: an apply under another one replaces the entry', (t) => {
  const ledger = new Ledger({ managedResources: [{ ...entry('x', 'u1'), apiVersion: 'example.com/v1' }] });
  ledger.applied({ ...entry('x', 'u1'), apiVersion: 'example.com/v2', uid: 'u1' });
  t.same(
    ledger.entries.map(({ apiVersion }) => apiVersion),
    ['example.com/v2'],
  );
  t.end();
});

t.test('an intent that was never sent goes when nobody wants it; one that was sent stays', (t) => {
  const ledger = new Ledger({});
  for (const name of ['unsent', 'wanted', 'sent', 'refused']) ledger.intend(entry(name));
  ledger.sent(identity('sent'));
  ledger.sent(identity('refused'));
  ledger.refused(identity('refused'));
  ledger.dropUnsent(({ name }) => name === 'wanted', none);
  t.same(listed(ledger), ['wanted:', 'sent:']);
  t.end();
});

t.test('so does a contribution that was never sent, and one whose write was refused; one that was sent stays', (t) => {
  const ledger = new Ledger({});
  const of = (name: string): Contribution => ({ ...contribution, name });
  for (const name of ['unsent', 'wanted', 'sent', 'refused']) ledger.intendContribution(of(name));
  ledger.contributionSent(of('sent'));
  ledger.contributionSent(of('refused'));
  ledger.contributionRefused(of('refused'));
  t.same(
    ['unsent', 'sent', 'refused'].map((name) => ledger.wasNeverContributed(of(name))),
    [true, false, true],
  );
  ledger.dropUnsent(none, ({ name }) => name === 'wanted');
  t.same(
    ledger.contributionEntries.map(({ name }) => name),
    ['wanted', 'sent'],
  );
  t.end();
});

t.test('an intent of an earlier process stays: it may have been sent', (t) => {
  const ledger = new Ledger({ managedResources: [entry('before')] });
  ledger.dropUnsent(none, none);
  t.same(listed(ledger), ['before:']);
  t.notOk(ledger.wasNeverSent(entry('before')));
  t.end();
});

t.test('what this process did not send is known in its next reconcile', (t) => {
  const unsent = new Unsent();
  const first = new Ledger({}, unsent);
  first.intend(entry('a'));
  first.intend(entry('b'));
  first.intendContribution(contribution);
  first.sent(identity('b'));
  const { managedResources, contributions } = first.inventory(() => 0);
  first.persisted({ managedResources, contributions });
  const second = new Ledger({ managedResources, contributions }, unsent);
  t.ok(second.wasNeverSent(entry('a')));
  t.notOk(second.wasNeverSent(entry('b')));
  t.ok(second.wasNeverContributed(contribution));
  second.contributionSent(contribution);
  t.notOk(new Ledger({ contributions }, unsent).wasNeverContributed(contribution));
  t.end();
});

t.test('what was found as it should be, without a write, is never taken for unsent, though the end of the turn was not stored', (t) => {
  const unsent = new Unsent();
  const first = new Ledger({}, unsent);
  for (const name of ['a', 'b']) first.intend(entry(name));
  first.intendContribution(contribution);
  const { managedResources, contributions } = first.inventory(() => 0);
  first.applied({ ...entry('a'), uid: 'u1' });
  first.proved(entry('b'), 'u2');
  first.contributed(contribution);
  t.notOk(first.wasNeverSent(entry('b')));
  const second = new Ledger({ managedResources, contributions }, unsent);
  t.notOk(second.wasNeverSent(entry('a')));
  t.notOk(second.wasNeverSent(entry('b')));
  t.notOk(second.wasNeverContributed(contribution));
  t.end();
});

t.test('that a write was never sent is known until the inventory is stored without it', (t) => {
  const unsent = new Unsent();
  const first = new Ledger({}, unsent);
  first.intend(entry('a'));
  first.intendContribution(contribution);
  const stored = first.inventory(() => 0);
  first.persisted(stored);
  first.dropUnsent(none, none);
  t.same(listed(first), []);
  const second = new Ledger(stored, unsent);
  t.ok(second.wasNeverSent(entry('a')), 'the reconcile that dropped it could not store that');
  t.ok(second.wasNeverContributed(contribution));
  second.drop(entry('a'));
  second.dropContribution(contribution);
  second.persisted(second.inventory(() => 0));
  t.equal(unsent.size, 0);
  t.end();
});

t.test('what another controller stored meanwhile may have been sent by that one', (t) => {
  const unsent = new Unsent();
  const first = new Ledger({}, unsent);
  first.intend(entry('a'));
  first.intend(entry('b'));
  first.persisted(first.inventory(() => 0));
  const second = new Ledger({ managedResources: [entry('a'), entry('b', 'made by the other')] }, unsent);
  t.notOk(second.wasNeverSent(entry('a')));
  t.end();
});

t.test('so may what stands in a shorter inventory that another controller stored', (t) => {
  const unsent = new Unsent();
  const first = new Ledger({}, unsent);
  for (const name of ['a', 'b']) first.intend(entry(name));
  first.persisted(first.inventory(() => 0));
  const second = new Ledger({ managedResources: [entry('a')] }, unsent);
  t.notOk(second.wasNeverSent(entry('a')));
  t.end();
});

t.test('what is found there was sent, be it by another controller', (t) => {
  const unsent = new Unsent();
  const first = new Ledger({}, unsent);
  first.intendContribution(contribution);
  first.contributed(contribution);
  first.persisted(first.inventory(() => 0));
  t.notOk(new Ledger({ contributions: [contribution] }, unsent).wasNeverContributed(contribution));
  t.end();
});

t.test('a refusal proves nothing about a write that an earlier process may have sent', (t) => {
  const ledger = new Ledger({ managedResources: [entry('before')] });
  ledger.sent(identity('before'));
  ledger.refused(identity('before'));
  t.notOk(ledger.wasNeverSent(entry('before')));
  t.end();
});

t.test('what was given up to another owner has no UID to delete by', (t) => {
  const ledger = new Ledger({ managedResources: [entry('x', 'u1')] });
  ledger.givenUp(entry('x'));
  t.same(listed(ledger), ['x:']);
  t.ok(ledger.wasNeverSent(entry('x')));
  t.end();
});

t.test('what is created again is an intent that must be stored first, and stays until it is looked for', (t) => {
  const ledger = new Ledger({ managedResources: [entry('x', 'u1'), entry('y')] });
  t.ok(ledger.intendAnew(entry('x')));
  t.same(listed(ledger), ['x:', 'y:']);
  t.ok(ledger.hasUnpersisted);
  t.notOk(ledger.wasNeverSent(entry('x')));
  t.notOk(ledger.intendAnew(entry('y')), 'one without a UID is an intent already');
  t.notOk(ledger.intendAnew(entry('z')));
  t.end();
});

t.test('an empty UID is none, so that its entry has to be proved', (t) => {
  const ledger = new Ledger({ managedResources: [entry('x', ''), entry('y', 'u1')] });
  t.same(
    ledger.entries.map(({ name, uid }) => [name, uid]),
    [
      ['x', undefined],
      ['y', 'u1'],
    ],
  );
  t.equal(ledger.uidOf(identity('x')), undefined);
  t.end();
});

t.test('a proof gives an intent its UID', (t) => {
  const ledger = new Ledger({ managedResources: [entry('x')] });
  t.equal(ledger.proved(entry('x'), 'u7').uid, 'u7');
  t.same(listed(ledger), ['x:u7']);
  t.end();
});

t.test('all is applied when every entry was, in this reconcile', (t) => {
  const ledger = new Ledger({ managedResources: [entry('a', 'u1')], contributions: [contribution] });
  t.notOk(ledger.isAllApplied);
  ledger.applied({ ...entry('a'), uid: 'u1' });
  t.notOk(ledger.isAllApplied);
  ledger.contributed(contribution);
  t.ok(ledger.isAllApplied);
  t.end();
});

t.test('the inventory is in apply order', (t) => {
  const ledger = new Ledger({ managedResources: [entry('c', '3'), entry('a', '1'), entry('gone', '9')] });
  ledger.intend(entry('b'));
  const places: Readonly<Record<string, number>> = { a: 1, b: 2, c: 3 };
  const { managedResources } = ledger.inventory(({ name }) => places[name] ?? 99);
  t.same(
    managedResources.map(({ name }) => name),
    ['a', 'b', 'c', 'gone'],
  );
  t.end();
});

t.test('beyond the cap nothing is announced', (t) => {
  const ledger = new Ledger({ managedResources: Array.from({ length: MOST_ENTRIES }, (_, at) => entry(`x${at}`, 'u')) });
  t.notOk(ledger.intend(entry('more')));
  t.ok(ledger.intend(entry('x7')), 'what is there has its place');
  t.equal(ledger.entries.length, MOST_ENTRIES);
  t.end();
});

t.test(
  'what is created again while an earlier inventory is being stored is not announced by that one, which has the UID of the object before',
  (t) => {
    const ledger = new Ledger({ managedResources: [entry('x', 'u1')] });
    ledger.intend(entry('y'));
    const onTheWay = ledger.inventory(() => 0);
    ledger.intendAnew(entry('x'));
    ledger.persisted(onTheWay);
    t.ok(ledger.hasUnpersisted);
    ledger.persisted(ledger.inventory(() => 0));
    t.notOk(ledger.hasUnpersisted);
    t.end();
  },
);

t.test('what is dropped need not be stored first', (t) => {
  const ledger = new Ledger({ managedResources: [entry('x', 'u1')] });
  ledger.intend(entry('y'));
  ledger.intendContribution(contribution);
  ledger.intendAnew(entry('x'));
  for (const name of ['x', 'y']) ledger.drop(entry(name));
  t.ok(ledger.hasUnpersisted);
  ledger.dropContribution(contribution);
  t.notOk(ledger.hasUnpersisted);
  t.end();
});

t.test('what was never sent is known also when what the walk made had to be added to a status of which others changed nothing', (t) => {
  for (const [between, isKnown] of [
    [{}, true],
    [{ managedResources: [entry('a'), entry('b'), entry('c')] }, false],
  ] as const) {
    const unsent = new Unsent();
    const first = new Ledger({}, unsent);
    for (const name of ['a', 'b']) first.intend(entry(name));
    const stored = first.inventory(() => 0);
    first.persisted(stored);
    first.sent(identity('a'));
    const before = { ...stored, ...between };
    const after = { ...before, managedResources: [entry('a', 'u1'), ...before.managedResources.slice(1)] };
    first.added(before, after);
    t.equal(new Ledger(after, unsent).wasNeverSent(entry('b')), isKnown);
  }
  t.end();
});
