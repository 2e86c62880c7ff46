import t from 'tap';
import { combine, countOutcomes, type ItemOutcome } from '../../../controller/nodes/collection.ts';
import type { Outcome } from '../../../src/runtime/outcome.ts';
import { programOf } from '../../support/compile.ts';

const [node] = programOf('[{id: a, def: {k: v}}]').nodes;
const soft = { reason: 'DataPending', message: 'soft' } as const;
const hard = { reason: 'ApplyFailed', message: 'hard' } as const;
const path = ['a'];

const ROWS: readonly [title: string, items: readonly ItemOutcome[], expected: Outcome][] = [
  ['an empty collection is unchanged', [], { word: 'unchanged', path }],
  ['one item that was written makes it applied', [{ word: 'unchanged' }, { word: 'applied' }], { word: 'applied', path }],
  ['a warning stops nobody', [{ word: 'unchanged', warning: hard }], { word: 'unchanged', path, warnings: [hard] }],
  [
    'one item that waits makes it wait',
    [{ word: 'applied' }, { word: 'waiting', trouble: soft }],
    { word: 'waiting', path, trouble: [soft] },
  ],
  [
    'hard outranks soft, and both are told',
    [
      { word: 'waiting', trouble: soft },
      { word: 'failed', trouble: hard },
    ],
    { word: 'failed', path, trouble: [hard, soft] },
  ],
];
for (const [title, items, expected] of ROWS) {
  t.test(title, (t) => {
    if (node === undefined) throw new Error('no node');
    t.same(combine(node, items), expected);
    t.end();
  });
}

t.test('items are counted by what came of them, each word once', (t) => {
  const counted: [string, number][] = [];
  const items: readonly ItemOutcome[] = [{ word: 'applied' }, { word: 'waiting', trouble: soft }, { word: 'applied', warning: hard }];
  countOutcomes(items, { applied: (result, amount) => void counted.push([result, amount]) });
  t.same(counted, [
    ['applied', 2],
    ['waiting', 1],
  ]);
  t.end();
});
