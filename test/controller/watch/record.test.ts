import t from 'tap';
import { isAsNew, ManagerLists, markKey, markOf, recordOf } from '../../../controller/watch/record.ts';
import type { ManagedFieldsEntry, ObjectMeta } from '../../../src/api/object.ts';

const OWN = 'kro-graphengine.tmpl.aaaaaaaaaaaa';
const entry: ManagedFieldsEntry = { manager: OWN, operation: 'Apply', apiVersion: 'v1', time: 't1', fieldsV1: { 'f:data': { 'f:k': {} } } };
const people: ManagedFieldsEntry = { manager: 'kubectl', operation: 'Update', apiVersion: 'v1', fieldsV1: { 'f:data': {} } };

t.test('a record is what apply and prune must know', (t) => {
  const metadata: ObjectMeta = {
    name: 'x',
    uid: 'u',
    resourceVersion: '7',
    deletionTimestamp: 'now',
    labels: { 'applyset.kubernetes.io/part-of': 'a' },
    annotations: { 'kro.run/on-delete': 'retain', 'internal.kro.run/apply-order': '3' },
    managedFields: [people, entry, { ...people, subresource: 'status' }],
  };
  const record = recordOf(metadata, new ManagerLists());
  t.match(record, {
    uid: 'u',
    resourceVersion: '7',
    isDeleting: true,
    isPartOfApplySet: true,
    isRetained: true,
    wave: 3,
    labels: undefined,
  });
  t.same(record.managers, [OWN, 'kubectl'].sort());
  t.same([...record.marks.keys()], [markKey(OWN, undefined)]);
  t.end();
});

t.test('labels are kept only where somebody selects by them', (t) => {
  t.same(recordOf({ name: 'x', labels: { a: 'b' } }, new ManagerLists(), true).labels, { a: 'b' });
  t.same(recordOf({ name: 'x' }, new ManagerLists(), true).labels, {});
  t.end();
});

t.test('a mark is the same while the same fields are owned, whenever they were written', (t) => {
  const mark = markOf([entry], OWN, undefined);
  t.type(mark, 'string');
  t.equal(markOf([people, { ...entry, time: 't2' }], OWN, undefined), mark);
  t.not(markOf([{ ...entry, fieldsV1: { 'f:data': {} } }], OWN, undefined), mark);
  t.not(markOf([{ ...entry, apiVersion: 'v2' }], OWN, undefined), mark);
  t.equal(markOf([{ ...entry, subresource: 'status' }], OWN, undefined), undefined);
  t.equal(markOf([{ ...entry, operation: 'Update' }], OWN, undefined), undefined);
  t.end();
});

t.test('equal lists of managers are one list', (t) => {
  const lists = new ManagerLists();
  t.equal(lists.of([entry, people]), lists.of([people, entry]));
  t.end();
});

const VERSIONS: readonly [version: string, than: string, expected: boolean][] = [
  ['10', '9', true],
  ['9', '10', false],
  ['10', '10', true],
  ['99999999999999999999', '99999999999999999998', true],
  ['abc', 'abd', false],
  ['abc', 'abc', true],
  ['', '1', false],
];
for (const [version, than, expected] of VERSIONS) {
  t.test(`version "${version}" is ${expected ? '' : 'not '}as new as "${than}"`, (t) => {
    t.equal(isAsNew(version, than), expected);
    t.end();
  });
}
