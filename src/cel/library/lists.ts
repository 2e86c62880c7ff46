import type { Budget } from '../budget.ts';
import { equals } from '../equality.ts';
import { fail } from '../error.ts';
import { addInt, type Integer, toUint64 } from '../int64.ts';
import { makeDuration } from '../temporal.ts';
import { Duration, doubleOf, isInt, isList, Uint, type Value } from '../value.ts';
import { define, type FunctionDeclaration, type Library, overload } from './declare.ts';
import { Members } from './members.ts';
import { isSorted, selectExtreme, sortByKeys } from './ordering.ts';

const ORDERED = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];
const MAX_RANGE = 1_000_000;

/** Lists: cel-go's lists extension, Kubernetes' list functions and kro's changes by index. */
export const lists: Library = {
  name: 'lists',
  doc: 'Lists: slice, flatten, sort, sum, search and change by index. Every function returns a new list.',
  functions: [
    define('slice', {
      doc: 'The items from an index up to another (exclusive).',
      examples: [
        ['[1, 2, 3, 4].slice(1, 3)', '[2, 3]'],
        ['[1].slice(0, 2)', { error: 'argument' }],
      ],
      overloads: [overload('list(T).slice(int, int) -> list(T)', slice, { passes: true })],
    }),
    define('flatten', {
      doc: 'The items of nested lists in one list, one level deep or as many levels as given.',
      examples: [
        ['[[1], [2, 3]].flatten()', '[1, 2, 3]'],
        ['[1, [2, [3]]].flatten(2)', '[1, 2, 3]'],
      ],
      overloads: [
        overload('list(list(T)).flatten() -> list(T)', (list: readonly Value[], budget: Budget) => flatten(list, 1, budget), {
          passes: true,
          anyItems: true,
          size: () => 0,
        }),
        overload('list(dyn).flatten(int) -> list(dyn)', flatten, { passes: true, size: () => 0 }),
      ],
    }),
    define('sort', {
      doc: 'The items in ascending order; all must have one comparable type.',
      examples: [['[3, 1, 2].sort()', '[1, 2, 3]']],
      overloads: ORDERED.map((type) =>
        overload(`list(${type}).sort() -> list(${type})`, (list: readonly Value[], budget: Budget) => sortByKeys(list, list, budget), {
          anyItems: true,
        }),
      ),
    }),
    define('@sortByAssociatedKeys', {
      doc: 'The items in the order of their keys.',
      shownAs: 'sortBy',
      examples: [["['b', 'aa'].sortBy(x, -x.size())", "['aa', 'b']"]],
      overloads: ORDERED.map((type) =>
        overload(`list(T).@sortByAssociatedKeys(list(${type})) -> list(T)`, sortByKeys, { passes: true, anyItems: true }),
      ),
    }),
    define('lists.range', {
      doc: 'The integers from 0 up to a number (exclusive).',
      examples: [
        ['lists.range(3)', '[0, 1, 2]'],
        ['lists.range(-1)', { error: 'argument' }],
      ],
      overloads: [overload('lists.range(int) -> list(int)', range, { size: () => 0 })],
    }),
    define('reverse', {
      doc: 'The items in reverse order.',
      first: true,
      examples: [['[1, 2, 3].reverse()', '[3, 2, 1]']],
      overloads: [overload('list(T).reverse() -> list(T)', (list: readonly Value[]) => list.toReversed(), { passes: true })],
    }),
    define('distinct', {
      doc: 'The items without duplicates, each where it occurs first.',
      examples: [['[1, 2, 2, 3, 1].distinct()', '[1, 2, 3]']],
      overloads: [overload('list(T).distinct() -> list(T)', distinct)],
    }),
    define('sum', {
      doc: 'The sum of the items; zero for an empty list.',
      examples: [
        ['[1, 2, 3].sum()', '6'],
        ["[duration('1m'), duration('30s')].sum()", "duration('90s')"],
      ],
      overloads: [
        overload('list(int).sum() -> int', sumInts),
        overload('list(uint).sum() -> uint', sumUints),
        overload('list(double).sum() -> double', sumDoubles),
        overload('list(duration).sum() -> duration', sumDurations),
      ],
    }),
    extreme('min', 'The least item.', 1, ['[3, 1, 2].min()', '1']),
    extreme('max', 'The greatest item.', -1, ['[3, 1, 2].max()', '3']),
    define('isSorted', {
      doc: 'Whether the items are in ascending order.',
      examples: [['[1, 1, 2].isSorted()', 'true']],
      overloads: ORDERED.map((type) => overload(`list(${type}).isSorted() -> bool`, isSorted)),
    }),
    define('indexOf', {
      doc: 'The first index of an item that equals a value; -1 if there is none.',
      examples: [['[1, 2, 3, 2].indexOf(2)', '1']],
      overloads: [
        overload('list(A).indexOf(A) -> int', (list: readonly Value[], value: Value, budget: Budget) =>
          list.findIndex((item) => isEqual(item, value, budget)),
        ),
      ],
    }),
    define('lastIndexOf', {
      doc: 'The last index of an item that equals a value; -1 if there is none.',
      examples: [['[1, 2, 3, 2].lastIndexOf(2)', '3']],
      overloads: [
        overload('list(A).lastIndexOf(A) -> int', (list: readonly Value[], value: Value, budget: Budget) =>
          list.findLastIndex((item) => isEqual(item, value, budget)),
        ),
      ],
    }),
    define('lists.setAtIndex', {
      doc: 'The list with the item at an index replaced.',
      examples: [
        ['lists.setAtIndex([1, 2, 3], 1, 99)', '[1, 99, 3]'],
        ['lists.setAtIndex([1], 1, 2)', { error: 'argument' }],
      ],
      overloads: [
        overload(
          'lists.setAtIndex(list(T), int, T) -> list(T)',
          (list: readonly Value[], index: Integer, value: Value) => list.with(indexIn(index, list.length), value),
          { passes: true },
        ),
      ],
    }),
    define('lists.insertAtIndex', {
      doc: 'The list with an item inserted before an index, or at the end.',
      examples: [['lists.insertAtIndex([1, 2], 1, 9)', '[1, 9, 2]']],
      overloads: [
        overload(
          'lists.insertAtIndex(list(T), int, T) -> list(T)',
          (list: readonly Value[], index: Integer, value: Value) => list.toSpliced(indexIn(index, list.length + 1), 0, value),
          { passes: true },
        ),
      ],
    }),
    define('lists.removeAtIndex', {
      doc: 'The list without the item at an index.',
      examples: [['lists.removeAtIndex([1, 2, 3], 1)', '[1, 3]']],
      overloads: [
        overload(
          'lists.removeAtIndex(list(T), int) -> list(T)',
          (list: readonly Value[], index: Integer) => list.toSpliced(indexIn(index, list.length), 1),
          { passes: true },
        ),
      ],
    }),
  ],
};

function extreme(name: string, doc: string, replacedWhen: 1 | -1, example: readonly [string, string]): FunctionDeclaration {
  return define(name, {
    doc: `${doc} An empty list has none.`,
    examples: [example, [`[].${name}()`, { error: 'argument' }]],
    overloads: ORDERED.map((type) =>
      overload(`list(${type}).${name}() -> ${type}`, (list: readonly Value[]) => selectExtreme(list, replacedWhen), { boxed: true }),
    ),
  });
}

function slice(list: readonly Value[], start: Integer, end: Integer): readonly Value[] {
  if (start < 0 || end < 0) throw fail('argument', 'the indexes of a slice must not be negative');
  if (start > end) throw fail('argument', 'the start of a slice lies after its end');
  if (end > list.length) throw fail('argument', 'the slice ends after the list');
  return list.slice(Number(start), Number(end));
}

function flatten(list: readonly Value[], depth: Integer, budget: Budget): readonly Value[] {
  if (depth < 0) throw fail('argument', 'the depth must not be negative');
  const flat: Value[] = [];
  appendFlat(list, depth, flat, budget);
  return flat;
}

function appendFlat(list: readonly Value[], depth: Integer, flat: Value[], budget: Budget): void {
  budget.spend(list.length);
  budget.grow(list.length);
  for (const item of list) {
    if (depth > 0 && isList(item)) appendFlat(item, typeof depth === 'bigint' ? depth : depth - 1, flat, budget);
    else flat.push(item);
  }
}

function range(count: Integer, budget: Budget): readonly Value[] {
  if (count < 0) throw fail('argument', 'the size of a range must not be negative');
  if (count > MAX_RANGE) throw fail('limit', `a range has at most ${MAX_RANGE} items`);
  const length = Number(count);
  budget.grow(length);
  // Made at its full length: a million pushes take four times as long.
  const list = new Array<number>(length);
  for (let at = 0; at < length; at++) list[at] = at;
  return list;
}

function distinct(list: readonly Value[], budget: Budget): readonly Value[] {
  const seen = new Members(budget);
  return list.filter((item) => seen.add(item));
}

function isEqual(item: Value, value: Value, budget: Budget): boolean {
  budget.spend(1);
  return equals(item, value, budget);
}

function indexIn(index: Integer, end: number): number {
  if (index < 0 || index >= end) throw fail('argument', 'index out of bounds');
  return Number(index);
}

function sumInts(list: readonly Value[]): Integer {
  return list.reduce<Integer>((sum, item) => addInt(sum, isInt(item) ? item : refuse()), 0);
}

function sumUints(list: readonly Value[]): Integer {
  return list.reduce<Integer>((sum, item) => toUint64(BigInt(sum) + BigInt(item instanceof Uint ? item.value : refuse())), 0);
}

function sumDoubles(list: readonly Value[]): number {
  return list.reduce<number>((sum, item) => sum + (doubleOf(item) ?? refuse()), 0);
}

function sumDurations(list: readonly Value[]): Duration {
  return list.reduce<Duration>(
    (sum, item) => makeDuration(sum.nanos + (item instanceof Duration ? item.nanos : refuse())),
    new Duration(0n),
  );
}

function refuse(): never {
  throw fail('overload', 'the items of the list cannot be added up');
}
