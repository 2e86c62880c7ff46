import t from 'tap';
import { isEqualJson } from '../../src/api/is-equal-json.ts';
import type { JsonObject } from '../../src/api/object.ts';
import { union, without } from '../../src/kube/field-sets.ts';

const item = (fields: JsonObject): JsonObject => ({ 'f:l': { 'k:{"name":"x"}': { '.': {}, 'f:name': {}, ...fields } } });

const unions: readonly [title: string, a: JsonObject, b: JsonObject, all: JsonObject][] = [
  ['nothing and something', {}, { 'f:a': {} }, { 'f:a': {} }],
  ['disjoint fields of one map', { 'f:d': { 'f:a': {} } }, { 'f:d': { 'f:b': {} } }, { 'f:d': { 'f:a': {}, 'f:b': {} } }],
  ['a leaf with fields below it', { 'f:d': {} }, { 'f:d': { 'f:a': {} } }, { 'f:d': { '.': {}, 'f:a': {} } }],
  ['fields with a leaf above them', { 'f:d': { 'f:a': {} } }, { 'f:d': {} }, { 'f:d': { '.': {}, 'f:a': {} } }],
  ['the same leaf', { 'f:d': {} }, { 'f:d': {} }, { 'f:d': {} }],
  ['an item of a list', item({ 'f:a': {} }), item({ 'f:b': {} }), item({ 'f:a': {}, 'f:b': {} })],
];
for (const [title, a, b, all] of unions) t.test(`what either owns: ${title}`, async (t) => t.same(union(a, b), all));

const differences: readonly [title: string, fields: JsonObject, other: JsonObject, left: JsonObject][] = [
  ['the same field', { 'f:a': {}, 'f:b': {} }, { 'f:b': {} }, { 'f:a': {} }],
  ['all of a map', { 'f:d': { '.': {}, 'f:a': {} } }, { 'f:d': { 'f:a': {}, 'f:b': {} } }, {}],
  ['some of a map', { 'f:d': { '.': {}, 'f:a': {}, 'f:b': {} } }, { 'f:d': { 'f:a': {} } }, { 'f:d': { '.': {}, 'f:b': {} } }],
  ['an atomic field against fields below it', { 'f:a': {} }, { 'f:a': { 'f:x': {} } }, {}],
  ['fields of a map that the other owns as an empty one', { 'f:d': { 'f:a': {} } }, { 'f:d': {} }, { 'f:d': { 'f:a': {} } }],
  ['members of a set', { 'f:l': { 'v:1': {}, 'v:2': {} } }, { 'f:l': { 'v:2': {} } }, { 'f:l': { 'v:1': {} } }],
  ['all of an item', item({ 'f:a': {} }), item({ 'f:a': {} }), {}],
  ['all of an item but its key', item({}), item({ 'f:a': {} }), {}],
  ['some of an item: what is left keeps the key', item({ 'f:a': {}, 'f:b': {} }), item({ 'f:a': {} }), item({ 'f:b': {} })],
  ['nothing', { 'f:a': {} }, {}, { 'f:a': {} }],
];
for (const [title, fields, other, left] of differences)
  t.test(`what is left without the other's: ${title}`, async (t) => t.same(without(fields, other), left));

t.test('depth costs no stack', async (t) => {
  let [fields, other]: [JsonObject, JsonObject] = [{ 'f:x': {} }, { 'f:y': {} }];
  for (let at = 0; at < 10_000; at++) [fields, other] = [{ 'f:a': fields }, { 'f:a': other }];
  let both: JsonObject = { 'f:x': {}, 'f:y': {} };
  for (let at = 0; at < 10_000; at++) both = { 'f:a': both };
  t.ok(isEqualJson(union(fields, other), both), 'what either owns');
  t.ok(isEqualJson(without(both, other), fields), 'what the other does not');
  t.same(without(both, both), {}, 'nothing is left');
});
