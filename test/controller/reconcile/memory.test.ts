import t from 'tap';
import { contributionKey } from '../../../controller/inventory/ledger.ts';
import { GraphMemory } from '../../../controller/reconcile/memory.ts';
import type { Contribution, ManagedResource } from '../../../src/api/graph.ts';

function entry(name: string): ManagedResource {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name, uid: `uid-${name}`, nodeID: 'a' };
}

function contribution(name: string): Contribution {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name, fieldManager: 'm' };
}

t.test('of what the inventory no longer holds nothing is remembered, of what it holds everything', (t) => {
  const memory = new GraphMemory('u');
  for (const name of ['stays', 'went']) {
    memory.gone.add(`uid-${name}`);
    memory.doomed.add(`uid-${name}`);
    memory.beginToLook(`/ConfigMap/n/${name}`, 1);
    memory.unanswered.set(contributionKey(contribution(name)), 1);
    const trouble = { reason: 'ApplyFailed', message: 'refused' } as const;
    memory.refusals.note({ key: `/ConfigMap/n/${name}`, digest: '', resourceVersion: '1' }, trouble, 1);
  }
  memory.keepOnly({ managedResources: [entry('stays')], contributions: [contribution('stays')] });
  t.same([...memory.gone, ...memory.doomed], ['uid-stays', 'uid-stays']);
  t.same([...memory.unproved.keys()], ['/ConfigMap/n/stays']);
  const isRefused = (name: string): boolean =>
    memory.refusals.counts({ key: `/ConfigMap/n/${name}`, digest: '', resourceVersion: '1' }, 1) !== undefined;
  t.same([isRefused('stays'), isRefused('went')], [true, false]);
  t.same([...memory.unanswered.keys()], [contributionKey(contribution('stays'))]);
  t.end();
});
