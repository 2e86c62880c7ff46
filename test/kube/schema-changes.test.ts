import t from 'tap';
import { type KindState, SchemaChanges } from '../../src/kube/schema-changes.ts';

const gear = { group: 'x.dev', version: 'v1', kind: 'Gear' };
const one = { hash: 'one' };
const two = { hash: 'two' };

/** What is said of a kind, time after time, and whether each time was news. */
const ROWS: readonly [title: string, said: readonly (readonly [state: KindState, isNews: boolean])[]][] = [
  ['the first answer is no news', [[one, false]]],
  [
    'the same again is none',
    [
      [one, false],
      [one, false],
    ],
  ],
  [
    'another schema is',
    [
      [one, false],
      [two, true],
    ],
  ],
  [
    'its end is',
    [
      [one, false],
      ['absent', true],
    ],
  ],
  [
    'its coming is',
    [
      ['absent', false],
      [one, true],
    ],
  ],
  [
    'a schema that is not published for a while stands',
    [
      [one, false],
      ['awaited', false],
      [one, false],
    ],
  ],
  [
    '… and may go meanwhile',
    [
      [one, false],
      ['awaited', false],
      ['absent', true],
    ],
  ],
  [
    'a kind used before its schema is published gets it later',
    [
      ['awaited', false],
      ['awaited', false],
      [one, true],
    ],
  ],
  [
    '… or goes before',
    [
      ['awaited', false],
      ['absent', true],
    ],
  ],
  [
    'a kind that came without its schema gets it later',
    [
      ['absent', false],
      ['awaited', false],
      [one, true],
    ],
  ],
  [
    '… or goes before',
    [
      ['absent', false],
      ['awaited', false],
      ['absent', true],
    ],
  ],
];

for (const [title, said] of ROWS) {
  t.test(title, (t) => {
    const changes = new SchemaChanges();
    for (const [state, isNews] of said)
      t.same(
        changes.tell([gear], () => state),
        isNews ? [{ group: 'x.dev', kind: 'Gear' }] : [],
      );
    t.end();
  });
}
