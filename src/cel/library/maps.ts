import type { Budget } from '../budget.ts';
import { fail } from '../error.ts';
import { isMap, MapValue, mapEntries, mapGet, mapSize, OMIT, type PlainMap, type Value } from '../value.ts';
import { define, type Library, overload } from './declare.ts';

/** Maps: kro's merge and deepMerge, and omit, which leaves a field out. */
export const maps: Library = {
  name: 'maps',
  doc: 'Maps: merge two, or leave out a field.',
  functions: [
    define('merge', {
      doc: 'The entries of both maps; for a key in both, the value of the second map.',
      examples: [["{'a': 1, 'b': 1}.merge({'b': 2})", "{'a': 1, 'b': 2}"]],
      overloads: [overload('map(K, V).merge(map(K, V)) -> map(K, V)', merge)],
    }),
    define('deepMerge', {
      doc: 'Like merge, but maps under the same key are merged as well. Lists and other values are replaced.',
      examples: [["{'a': {'x': 1}}.deepMerge({'a': {'y': 2}})", "{'a': {'x': 1, 'y': 2}}"]],
      overloads: [overload('dyn.deepMerge(dyn) -> dyn', deepMerge, { size: () => 0 })],
    }),
    define('omit', {
      doc: 'Leaves out the field or list item of which it is the value. It cannot be compared.',
      examples: [["{'a': 1, 'b': omit()}.size()", '2']],
      overloads: [overload('omit() -> dyn', () => OMIT)],
    }),
  ],
};

type AnyMap = PlainMap | MapValue;

function merge(left: AnyMap, right: AnyMap): MapValue {
  const merged = new MapValue();
  for (const [key, value] of mapEntries(left)) merged.set(key, value);
  for (const [key, value] of mapEntries(right)) merged.set(key, value);
  return merged;
}

function deepMerge(left: Value, right: Value, budget: Budget): Value {
  if (!isMap(left) || !isMap(right)) throw fail('overload', 'deepMerge needs two maps');
  return mergeDeeply(left, right, budget);
}

/** Charged at every level: maps may hold one map many times. */
function mergeDeeply(left: AnyMap, right: AnyMap, budget: Budget): AnyMap {
  const size = mapSize(left) + mapSize(right);
  budget.spend(size + 1);
  budget.grow(2 * size);
  if (mapSize(right) === 0) return left;
  if (mapSize(left) === 0) return right;
  const merged = merge(left, right);
  for (const [key, value] of mapEntries(right)) {
    const known = mapGet(left, key);
    if (known !== undefined && isMap(known) && isMap(value)) merged.set(key, mergeDeeply(known, value, budget));
  }
  return merged;
}
