import t from 'tap';
import type { JsonValue } from '../../src/api/object.ts';
import { readSelector } from '../../src/engine/selector.ts';

const VALID: readonly [
  title: string,
  selector: JsonValue,
  query: string,
  matches: Readonly<Record<string, string>>,
  misses: Readonly<Record<string, string>> | undefined,
][] = [
  ['{} selects all', {}, '', {}, undefined],
  ['labels', { matchLabels: { a: 'b', c: 'd' } }, 'a=b,c=d', { a: 'b', c: 'd', e: 'f' }, { a: 'b' }],
  ['In', { matchExpressions: [{ key: 'a', operator: 'In', values: ['x', 'y'] }] }, 'a in (x,y)', { a: 'y' }, { a: 'z' }],
  [
    'NotIn also selects what has no such label',
    { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['x'] }] },
    'a notin (x)',
    {},
    { a: 'x' },
  ],
  ['Exists', { matchExpressions: [{ key: 'a', operator: 'Exists' }] }, 'a', { a: '' }, { b: '' }],
  ['DoesNotExist', { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, '!a', { b: '' }, { a: '' }],
];
for (const [title, written, query, matching, missing] of VALID) {
  t.test(title, (t) => {
    const selector = readSelector(written);
    if (typeof selector === 'string') throw new Error(selector);
    t.equal(selector.query, query);
    t.ok(selector.matches(matching));
    if (missing !== undefined) t.notOk(selector.matches(missing));
    t.end();
  });
}

const WRONG: readonly [title: string, selector: JsonValue | undefined, message: RegExp][] = [
  ['null is never all', null, /expected a label selector/],
  ['absent is never all', undefined, /expected a label selector/],
  ['text is none', 'app=x', /expected a label selector/],
  ['a misspelt member is never all', { matchlabels: { a: 'b' } }, /unknown field "matchlabels"/],
  ['a label that is no string', { matchLabels: { a: 1 } }, /matchLabels\["a"\]: expected a string/],
  ['an operator that is none', { matchExpressions: [{ key: 'a', operator: 'Is', values: [] }] }, /operator must be/],
  ['In without values', { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] }, /In needs values/],
  ['Exists with values', { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] }, /Exists takes no values/],
  ['no key', { matchExpressions: [{ operator: 'Exists' }] }, /expected a key/],
];
for (const [title, written, message] of WRONG) {
  t.test(title, (t) => {
    t.match(readSelector(written), message);
    t.end();
  });
}
