import { rows } from './table.ts';

rows('contains ignores order and repetition', [
  ['sets.contains([1], [1, 1])', 'true'],
  ['sets.contains([[1.0]], [[1]])', { check: 'overload' }],
  ["sets.contains([{'a': 1}], [{'a': 1.0}])", { check: 'overload' }],
  ['sets.contains([0.0/0.0], [0.0/0.0])', 'false'],
  ['sets.contains([null], [null])', 'true'],
  ["sets.contains(['a'], [dyn(1)])", 'false'],
  ["sets.contains([dyn('a'), dyn(1)], [dyn(1.0)])", 'true'],
  ['sets.contains(dl, dl)', 'true'],
  ['sets.contains(dn, [])', { fails: 'overload' }],
  ['sets.contains([], dn)', { fails: 'overload' }],
  ['sets.contains({}, {})', { check: 'overload' }],
  ['sets.contains([1], [])', 'true'],
  ['sets.contains([timestamp(1)], [timestamp(1)])', 'true'],
  ["sets.contains([b'a'], [b'a'])", 'true'],
  ['sets.contains([true], [true])', 'true'],
  ['sets.contains([optional.of(1)], [optional.of(1)])', 'true'],
  ["sets.contains([quantity('1')], [quantity('1000m')])", 'true'],
  ['sets.contains([1], [1], [1])', { check: 'overload' }],
]);

rows('equivalent asks both ways', [
  ['sets.equivalent([], [])', 'true'],
  ['sets.equivalent([], [1])', 'false'],
  ['sets.equivalent([1, 1, 2], [2, 1])', 'true'],
  ['sets.equivalent([1], [1u, 1.0])', 'true'],
  ["sets.equivalent(['a'], ['a', 'b'])", 'false'],
  ['sets.equivalent([[1], [2]], [[1]])', 'false'],
]);

rows('intersects wants one common item', [
  ['sets.intersects([], [])', 'false'],
  ['sets.intersects([], [1])', 'false'],
  ['sets.intersects([1], [2])', 'false'],
  ['sets.intersects([1, 2], [2.0])', { check: 'overload' }],
  ['sets.intersects([[1]], [[1u]])', { check: 'overload' }],
  ['sets.intersects([null], [dyn(null)])', 'true'],
  ['sets.intersects(dl, [3])', 'true'],
  ["sets.intersects(dl, ['x'])", 'false'],
  ['sets.intersects([1])', { check: 'overload' }],
]);
