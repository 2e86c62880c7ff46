import t from 'tap';
import { Made, withMade } from '../../../controller/inventory/made.ts';
import type { Contribution, ManagedResource } from '../../../src/api/graph.ts';

const object = (name: string, uid?: string): ManagedResource => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'home',
  name,
  nodeID: name,
  wave: 1,
  ...(uid === undefined ? {} : { uid }),
});
const given = (name: string): Contribution => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'home', name, fieldManager: 'm' });

const ROWS: readonly [title: string, stored: ManagedResource[], made: ManagedResource[], expected: ManagedResource[]][] = [
  ['what was dropped comes back', [], [object('a', '1')], [object('a', '1')]],
  ['behind what is there', [object('b', '2')], [object('a', '1')], [object('b', '2'), object('a', '1')]],
  ['what is there stays', [object('a', '1')], [object('a', '1')], [object('a', '1')]],
  ['an intent stays one', [object('a')], [object('a', '1')], [object('a')]],
  ['of two UIDs none is certain', [object('a', '1')], [object('a', '2')], [object('a')]],
  ['nor of one, where ours got no answer', [object('a', '1')], [object('a')], [object('a')]],
];

for (const [title, managedResources, made, expected] of ROWS) {
  t.test(title, (t) => {
    const result = withMade({ managedResources, contributions: [] }, { managedResources: made, contributions: [] });
    t.same(result.managedResources, expected);
    t.end();
  });
}

t.test('contributions come back once', (t) => {
  const { contributions } = withMade(
    { managedResources: [], contributions: [given('a'), given('b')] },
    { managedResources: [], contributions: [given('c'), given('a')] },
  );
  t.same(contributions, [given('a'), given('b'), given('c')]);
  t.end();
});

t.test('what a walk has made', (t) => {
  const made = new Made();
  t.ok(made.isEmpty);
  made.object(object('a'));
  made.object(object('a', '1'));
  made.object(object('b'));
  made.noObject(object('b'));
  made.contribution(given('c'));
  made.contribution(given('d'));
  made.noContribution(given('d'));
  t.same(made.inventory, { managedResources: [object('a', '1')], contributions: [given('c')] });
  made.clear();
  t.ok(made.isEmpty);
  t.end();
});
