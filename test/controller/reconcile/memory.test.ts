import t from 'tap';
import { contributionKey } from '../../../controller/inventory/ledger.ts';
import { ANSWERED, type Answer, GraphMemory } from '../../../controller/reconcile/memory.ts';
import type { Contribution, ManagedResource } from '../../../src/api/graph.ts';

function entry(name: string): ManagedResource {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name, uid: `uid-${name}`, nodeID: 'a' };
}

function intent(name: string): ManagedResource {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name, nodeID: 'a' };
}

function contribution(name: string): Contribution {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name, fieldManager: 'm' };
}

t.test('of what the inventory no longer holds nothing is remembered, of what it holds everything', (t) => {
  const memory = new GraphMemory('u');
  for (const name of ['stays', 'went']) {
    memory.gone.add(`uid-${name}`);
    memory.doomed.add(`uid-${name}`);
    memory.beginToLook(`/ConfigMap/n/${name}-intended`, 1);
    memory.unanswered.set(contributionKey(contribution(name)), 1);
    const trouble = { reason: 'ApplyFailed', message: 'refused' } as const;
    memory.refusals.note({ key: `/ConfigMap/n/${name}`, digest: '', resourceVersion: '1' }, trouble, 1);
  }
  memory.keepOnly({ managedResources: [entry('stays'), intent('stays-intended')], contributions: [contribution('stays')] });
  t.same([...memory.gone, ...memory.doomed], ['uid-stays', 'uid-stays']);
  t.same([...memory.unproved.keys()], ['/ConfigMap/n/stays-intended']);
  const isRefused = (name: string): boolean =>
    memory.refusals.counts({ key: `/ConfigMap/n/${name}`, digest: '', resourceVersion: '1' }, 1) !== undefined;
  t.same([isRefused('stays'), isRefused('went')], [true, false]);
  t.same([...memory.unanswered.keys()], [contributionKey(contribution('stays'))]);
  t.end();
});

t.test('an object whose UID is stored is looked for no more: a Graph at rest remembers nothing that costs a turn', (t) => {
  const memory = new GraphMemory('u');
  memory.unproved.set('/ConfigMap/n/made', ANSWERED);
  memory.unproved.set('/ConfigMap/n/not-stored', ANSWERED);
  memory.keepOnly({ managedResources: [entry('made'), intent('not-stored')], contributions: [] });
  t.same([...memory.unproved], [['/ConfigMap/n/not-stored', ANSWERED]]);
  t.end();
});

function answer(uid: string): Answer {
  return { uid, resourceVersion: '1', digest: '', mark: undefined, ownsUnseen: false, object: undefined };
}

t.test('a node that waits for ever keeps its own answers and none of what others render no more, nor lists that nobody reads', (t) => {
  const memory = new GraphMemory('u');
  const keys = ['waits\nwas', 'goes-on\nwas', 'goes-on\nis', 'gone\nwas', 'out\nwas'];
  for (const key of keys) memory.answers.set(key, answer(key));
  for (const path of ['waits', 'lists', 'out', 'gone', 'a/nested']) memory.lists.set(path, { query: '', scope: '', items: [] });
  memory.answers.begin();
  memory.answers.get('goes-on\nis');
  const trouble = [{ reason: 'DataPending', message: 'does not exist' }] as const;
  memory.sweep([
    { word: 'waiting', path: ['waits'], trouble },
    { word: 'unchanged', path: ['goes-on'] },
    { word: 'read', path: ['lists'] },
    { word: 'blocked', path: ['a', 'nested'], by: ['waits'] },
    { word: 'skipped', path: ['out'] },
  ]);
  t.same(
    keys.filter((key) => memory.answers.get(key) !== undefined),
    ['waits\nwas', 'goes-on\nis'],
  );
  t.same([...memory.lists.keys()], ['waits', 'lists', 'a/nested']);
  t.end();
});
