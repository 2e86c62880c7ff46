import type { Library } from './declare.ts';

/** The macros, as the manual shows them; `macro.ts` expands them. */
export const macros: Library = {
  name: 'macros',
  doc: 'Expressions that bind names. Over a map, a single name is the key.',
  functions: [],
  macros: [
    {
      name: 'has',
      usage: ['has(x.field)'],
      doc: 'Whether a field is present. A field that is null counts as absent.',
      examples: [["has({'a': 1}.b)", 'false']],
    },
    {
      name: 'all',
      usage: ['list.all(x, condition)', 'list.all(i, x, condition)', 'map.all(key, value, condition)'],
      doc: 'Whether a condition holds for all items; true for none.',
      examples: [
        ['[1, 2].all(x, x > 0)', 'true'],
        ['[1, 2].all(i, x, x > i)', 'true'],
      ],
    },
    {
      name: 'exists',
      usage: ['list.exists(x, condition)', 'list.exists(i, x, condition)'],
      doc: 'Whether a condition holds for at least one item.',
      examples: [['[1, 2].exists(x, x == 2)', 'true']],
    },
    {
      name: 'exists_one',
      usage: ['list.exists_one(x, condition)', 'list.existsOne(i, x, condition)'],
      doc: 'Whether a condition holds for exactly one item.',
      examples: [['[1, 2, 2].exists_one(x, x == 2)', 'false']],
    },
    {
      name: 'filter',
      usage: ['list.filter(x, condition)'],
      doc: 'The items for which a condition holds.',
      examples: [['[1, 2, 3].filter(x, x != 2)', '[1, 3]']],
    },
    {
      name: 'map',
      usage: ['list.map(x, expression)', 'list.map(x, condition, expression)'],
      doc: 'The results of an expression for each item, or for each item for which a condition holds.',
      examples: [
        ['[1, 2].map(x, x * 2)', '[2, 4]'],
        ['[1, 2].map(x, x > 1, x * 2)', '[4]'],
      ],
    },
    {
      name: 'transformList',
      usage: ['list.transformList(i, x, expression)', 'map.transformList(key, value, condition, expression)'],
      doc: 'A list of the results of an expression for each index and item, or each key and value.',
      examples: [["['a', 'b'].transformList(i, x, x + string(i))", "['a0', 'b1']"]],
    },
    {
      name: 'transformMap',
      usage: ['map.transformMap(key, value, expression)', 'map.transformMap(key, value, condition, expression)'],
      doc: 'A map with the same keys (for a list, its indexes) and new values.',
      examples: [["{'a': 1}.transformMap(k, v, v + 1)", "{'a': 2}"]],
    },
    {
      name: 'transformMapEntry',
      usage: ['list.transformMapEntry(i, x, {key: value})', 'map.transformMapEntry(key, value, condition, {key: value})'],
      doc: 'A map of the entries that an expression returns for each item; a duplicate key is an error.',
      examples: [["['x', 'y'].transformMapEntry(i, x, {x: i})", "{'x': 0, 'y': 1}"]],
    },
    {
      name: 'cel.bind',
      usage: ['cel.bind(name, value, expression)'],
      doc: 'Gives a value a name inside an expression.',
      examples: [['cel.bind(x, 2, x * x)', '4']],
    },
    {
      name: 'optMap',
      usage: ['optional.optMap(x, expression)'],
      doc: 'An optional with the result of an expression for the value; none if there is no value.',
      examples: [["{'a': 1}.?a.optMap(x, x + 1).value()", '2']],
    },
    {
      name: 'optFlatMap',
      usage: ['optional.optFlatMap(x, expression)'],
      doc: 'Like optMap, for an expression that itself returns an optional.',
      examples: [["{'a': {'b': 1}}.?a.optFlatMap(x, x.?b).value()", '1']],
    },
    {
      name: 'sortBy',
      usage: ['list.sortBy(x, key)'],
      doc: 'The list sorted by a key that is computed for each item.',
      examples: [['[1, 3, 2].sortBy(x, -x)', '[3, 2, 1]']],
    },
    {
      name: 'math.greatest',
      usage: ['math.greatest(number, …)', 'math.greatest(list)'],
      doc: 'The greatest of several numbers.',
      examples: [['math.greatest(1, 3, 2)', '3']],
    },
    {
      name: 'math.least',
      usage: ['math.least(number, …)', 'math.least(list)'],
      doc: 'The least of several numbers.',
      examples: [['math.least(1, 3, 2)', '1']],
    },
  ],
};
