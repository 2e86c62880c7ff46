import t from 'tap';
import type { JsonValue } from '../../src/api/object.ts';
import { missedJunctor } from '../../src/schema/junctors.ts';
import type { RawSchema } from '../../src/schema/openapi.ts';

const either: RawSchema = { oneOf: [{ required: ['a'] }, { required: ['b'] }] };

const rows: [title: string, value: JsonValue, raw: RawSchema, missed: ReturnType<typeof missedJunctor>][] = [
  ['all fit', 5, { allOf: [{ minimum: 3 }, { maximum: 9 }] }, undefined],
  ['one of all does not', 2, { allOf: [{ minimum: 3 }, { maximum: 9 }] }, 'allOf'],
  ['any fits', 'high', { anyOf: [{ enum: ['low'] }, { pattern: '^h' }] }, undefined],
  ['none of any fits', 'x', { anyOf: [{ enum: ['low'] }, { pattern: '^h' }] }, 'anyOf'],
  ['exactly one fits', 1, { oneOf: [{ maximum: 5 }, { minimum: 3 }] }, undefined],
  ['two fit', 4, { oneOf: [{ maximum: 5 }, { minimum: 3 }] }, 'oneOf'],
  ['what is ruled out', 7, { not: { enum: [7] } }, 'not'],
  ['what is not ruled out', 8, { not: { enum: [7] } }, undefined],
  ['both fields of an alternative', { a: 1, b: 1 }, either, 'oneOf'],
  ['no field of an alternative may still be filled', {}, either, undefined],
  ['fields that exclude one another', { a: 1, b: 1 }, { not: { required: ['a', 'b'] } }, 'not'],
  ['one of them alone', { a: 1 }, { not: { required: ['a', 'b'] } }, undefined],
  ['a field inside', { a: 'x' }, { anyOf: [{ properties: { a: { enum: ['y'] } } }] }, 'anyOf'],
  ['a field inside that is absent', {}, { anyOf: [{ properties: { a: { enum: ['y'] } } }] }, undefined],
  ['combinations in combinations', 7, { allOf: [{ not: { anyOf: [{ enum: [7] }] } }] }, 'allOf'],
  ['elements', [1, 9], { allOf: [{ items: { maximum: 5 } }] }, 'allOf'],
  ['null says nothing', null, { not: { enum: [7] } }, undefined],
];

t.test('combinations of schemas', async (t) => {
  for (const [title, value, raw, missed] of rows) t.equal(missedJunctor(value, raw), missed, title);
});
