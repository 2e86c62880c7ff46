import type { Budget } from '../budget.ts';
import type { Value } from '../value.ts';
import { define, type Library, overload } from './declare.ts';
import { Members } from './members.ts';

/** Lists taken as sets, where order and repetition do not count: cel-go's sets extension. */
export const sets: Library = {
  name: 'sets',
  doc: 'Lists as sets: order and duplicates do not matter.',
  functions: [
    define('sets.contains', {
      doc: 'Whether the first list contains every item of the second.',
      examples: [['sets.contains([1, 2, 3], [2, 3.0])', 'true']],
      overloads: [overload('sets.contains(list(T), list(T)) -> bool', contains)],
    }),
    define('sets.equivalent', {
      doc: 'Whether each list contains every item of the other.',
      examples: [['sets.equivalent([1, 2], [2, 1, 1])', 'true']],
      overloads: [
        overload(
          'sets.equivalent(list(T), list(T)) -> bool',
          (left: readonly Value[], right: readonly Value[], budget: Budget) =>
            contains(left, right, budget) && contains(right, left, budget),
        ),
      ],
    }),
    define('sets.intersects', {
      doc: 'Whether the lists have an item in common.',
      examples: [['sets.intersects([1, 2], [2, 3])', 'true']],
      overloads: [
        overload('sets.intersects(list(T), list(T)) -> bool', (left: readonly Value[], right: readonly Value[], budget: Budget) => {
          const members = new Members(budget, left);
          return right.some((item) => members.has(item));
        }),
      ],
    }),
  ],
};

function contains(list: readonly Value[], items: readonly Value[], budget: Budget): boolean {
  const members = new Members(budget, list);
  return items.every((item) => members.has(item));
}
