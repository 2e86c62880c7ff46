import { rows } from './table.ts';

rows('deepMerge merges maps in maps and replaces all else', [
  ["{'a': {'b': 1}}.deepMerge({'a': {'c': 2}, 'd': 3})", "{'a': {'b': 1, 'c': 2}, 'd': 3}"],
  ["{'a': {'b': 1}}.deepMerge({})", "{'a': {'b': 1}}"],
  ["{}.deepMerge({'a': 1})", "{'a': 1}"],
  ['{}.deepMerge({})', '{}'],
  ["{'a': null}.deepMerge({'a': {'b': 1}})", "{'a': {'b': 1}}"],
  ["{'a': {'b': {'c': 1}}}.deepMerge({'a': {'b': {'d': 2}}})", "{'a': {'b': {'c': 1, 'd': 2}}}"],
  ["{'a': {}}.deepMerge({'a': {'x': 1}})", "{'a': {'x': 1}}"],
  ["{'a': {'x': 1}}.deepMerge({'a': {}})", "{'a': {'x': 1}}"],
  ["{'a': 1}.deepMerge(null)", { fails: 'overload' }],
  ["{'a': 1}.deepMerge(1)", { fails: 'overload' }],
  ["{'a': 1}.deepMerge([1])", { fails: 'overload' }],
  ['1.deepMerge({})', { fails: 'overload' }],
  ['dn.deepMerge({})', { fails: 'overload' }],
  ["{'a': 1}.deepMerge(dn)", { fails: 'overload' }],
  ["{1: {'a': 1}}.deepMerge({1: {'b': 2}})", "{1: {'a': 1, 'b': 2}}"],
  ["{'a': 1}.deepMerge()", { check: 'overload' }],
  ['deepMerge({}, {})', { check: 'overload' }],
]);

rows("merge takes the second map's values", [
  ["{'a': 1}.merge({'b': 2, 'a': 3})", "{'a': 3, 'b': 2}"],
  ['{1: 1}.merge({1u: 2})', { check: 'overload' }],
  ["{'a': 1}.merge({'a': 1.0})", { check: 'overload' }],
  ['{}.merge({1: 2})', '{1: 2}'],
  ["{'a': dyn(1)}.merge({'a': 'x'})", "{'a': 'x'}"],
  ["{'a': 1}.merge({'b': 'x'})", { check: 'overload' }],
  ["{'a': [1]}.merge({'a': [2]})", "{'a': [2]}"],
  ['{true: 1}.merge({false: 2})', '{true: 1, false: 2}'],
  ['dn.merge({})', { fails: 'overload' }],
  ['di.merge(di)', { fails: 'overload' }],
  ["{'a': 1}.merge(dn)", { fails: 'overload' }],
  ["{'a': 1}.merge(dl)", { fails: 'overload' }],
  ["{'a': 1}.merge(dyn({'b': 2}))", "{'a': 1, 'b': 2}"],
  ["{'a': 1}.merge({'a': 2}).merge({'a': 3})", "{'a': 3}"],
  ['merge({}, {})', { check: 'overload' }],
]);

rows('omit is no value that can be used', [
  ['omit().a', { fails: 'overload' }],
  ['[omit()].map(x, x)', '[omit()]'],
  ['omit().size()', { fails: 'overload' }],
  ['string(omit())', { fails: 'overload' }],
  ["{'a': omit()}.a", 'omit()'],
  ['type(omit()) == type(1)', 'false'],
  ['1 == omit()', 'false'],
  ['[1] == [omit()]', 'false'],
  ['omit() ? 1 : 2', { fails: 'overload' }],
  ['optional.of(omit()).hasValue()', 'true'],
  ['optional.ofNonZeroValue(omit()).hasValue()', 'true'],
]);
