import t from 'tap';
import { entryOf, hashOfManager, heldByOthers, isStaleOnly } from '../../src/engine/ownership.ts';
import type { FieldConflict } from '../../src/kube/error.ts';

const OWN = 'kro-graphengine.tmpl.aaaaaaaaaaaa';
const OTHER = 'kro-graphengine.tmpl.bbbbbbbbbbbb';
const isAlive = (hash: string): boolean => hash !== 'dddddddddddd';

function conflict(manager: string, field = '.data.k'): FieldConflict {
  return { manager, field, operation: 'Apply', subresource: '' };
}

t.test('which Graph a manager stands for', (t) => {
  t.equal(hashOfManager(OTHER), 'bbbbbbbbbbbb');
  t.equal(hashOfManager('kro-graphengine.patch.bbbbbbbbbbbb.cccccccccccc'), 'bbbbbbbbbbbb');
  t.equal(hashOfManager('kubectl'), undefined);
  t.end();
});

t.test('a patch of the main resource is forced over its own stale managers alone', (t) => {
  const ownPrefix = 'kro-graphengine.patch.aaaaaaaaaaaa.';
  const judge = (managers: readonly string[]): boolean =>
    isStaleOnly({ conflicts: managers.map((manager) => conflict(manager)), ownPrefix, current: new Set([`${ownPrefix}111111111111`]) });
  t.equal(judge([`${ownPrefix}000000000000`]), true);
  t.equal(judge([`${ownPrefix}111111111111`]), false, 'a node that the Graph still has');
  t.equal(judge([`${ownPrefix}000000000000`, 'kubectl']), false);
  t.equal(judge([]), false);
  t.end();
});

t.test('status is not taken from another Graph that exists, nor from another node of this one, nor where a list is owned whole', (t) => {
  const ownPrefix = 'kro-graphengine.patch.aaaaaaaaaaaa.';
  const present = `${ownPrefix}111111111111`;
  const conflicts = [
    conflict('kubelet', '.status.phase'),
    conflict('kro-graphengine.patch.bbbbbbbbbbbb.cccccccccccc', '.status.phase'),
    conflict('kubelet', '.status.list'),
    conflict(`${ownPrefix}000000000000`, '.status.list'),
    conflict('kro-graphengine.patch.dddddddddddd.cccccccccccc', '.status.phase'),
    conflict(present, '.status.phase'),
  ];
  const held = heldByOthers({ conflicts, ownPrefix, current: new Set([present]) }, (field) => field === '.status.list', isAlive);
  t.same(held, [conflicts[1], conflicts[2], conflicts[5]]);
  t.end();
});

t.test('our entry is the one that applies, on the same subresource', (t) => {
  const entry = { manager: OWN, operation: 'Apply', apiVersion: 'v1' } as const;
  const entries = [{ ...entry, operation: 'Update' } as const, { ...entry, subresource: 'status' }, entry];
  t.equal(entryOf(entries, OWN, undefined), entries[2]);
  t.equal(entryOf(entries, OWN, 'status'), entries[1]);
  t.equal(entryOf(entries, OTHER, undefined), undefined);
  t.equal(entryOf(undefined, OWN, undefined), undefined);
  t.end();
});
