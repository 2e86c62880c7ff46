import { test } from 'tap';
import { Budget } from '../../src/cel/budget.ts';
import { evaluateCase } from '../../src/cli/cel-case.ts';

test('what a child has spent is charged to its parent', async (t) => {
  const parent = new Budget({ steps: 10, size: 10 });
  const child = parent.child({ steps: 6, size: 6 });
  child.spend(4);
  child.grow(1);
  parent.settle(child);
  parent.spend(6);
  parent.grow(9);
  t.throws(() => parent.spend(1), { code: 'limit' });
  t.throws(() => parent.grow(1), { code: 'limit' });
});

test('a child has no more than its parent has left', async (t) => {
  const parent = new Budget({ steps: 3, size: 3 });
  t.throws(() => parent.child().spend(4), { code: 'limit' });
});

test('a child that ran out leaves its parent the rest', async (t) => {
  const parent = new Budget({ steps: 10, size: 10 });
  const child = parent.child({ steps: 4, size: 4 });
  t.throws(() => child.spend(100), { code: 'limit' });
  parent.settle(child);
  t.doesNotThrow(() => parent.spend(6));
});

test('a charge that is no number runs out', async (t) => {
  t.throws(() => new Budget().grow(Number.NaN), { code: 'limit' });
});

/** n values, each a pair of the one before: 2^n leaves in a few hundred characters. */
function sharing(count: number, body: (last: string) => string): string {
  const binds = Array.from({ length: count }, (_, at) => `cel.bind(v${at}, ${at === 0 ? '[1, 2]' : `[v${at - 1}, v${at - 1}]`}, `);
  return `${binds.join('')}${body(`v${count - 1}`)}${')'.repeat(count)}`;
}

const attacks: readonly (readonly [title: string, expression: string, outcome: string])[] = [
  ['a range of ranges', 'lists.range(1000000).map(x, lists.range(1000000))', 'limit'],
  ['nested loops', 'lists.range(1000).all(x, lists.range(1000).all(y, lists.range(1000).all(z, x + y + z >= 0)))', 'limit'],
  ['a loop of errors that are swallowed', 'lists.range(1000000).all(x, 1 / 0 > 0 || true)', 'limit'],
  ['equality of shared structures', sharing(80, (last) => `${last} == ${last}`), 'limit'],
  ['membership of shared structures', sharing(80, (last) => `${last} in [${last}]`), 'limit'],
  ['the JSON of shared structures', sharing(80, (last) => `json.marshal(${last})`), 'limit'],
  ['the value of shared structures', sharing(80, (last) => last), 'limit'],
  ['a string that doubles', `${'cel.bind(s, '.repeat(40)}'xxxxxxxx'${', s + s)'.repeat(40)}`, 'limit'],
  ['a list that doubles', `${'cel.bind(s, '.repeat(40)}[1]${', s + s)'.repeat(40)}`, 'limit'],
  ['a replacement that multiplies', "lists.range(2000).map(x, 'a').join('').replace('a', lists.range(9000).map(x, 'b').join(''))", 'limit'],
  ['a pattern on which backtracking explodes', "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.matches('(a+)+$')", 'bool'],
  ['the longest range', 'lists.range(1000000).size()', 'int'],
  ['a loop over the longest range', 'lists.range(1000000).map(x, x + 1).size()', 'int'],
];

for (const [title, expression, outcome] of attacks) {
  test(`${title} end${title.endsWith('s') ? '' : 's'} soon`, async (t) => {
    const start = performance.now();
    const result = evaluateCase({ id: title, expr: expression, vars: new Map() });
    t.equal(result.error?.kind ?? Object.keys(result.value as object)[0], outcome, JSON.stringify(result.error));
    // Generous, for a machine that does other work: without a budget these take seconds, or for ever.
    t.ok(performance.now() - start < 3000);
  });
}

test('one evaluation has no more than its own limits, however much its reconcile has left', async (t) => {
  const parent = new Budget({ steps: 100, size: 100 }, { steps: 3, size: 4 });
  t.throws(() => parent.child().spend(4), { code: 'limit' });
  t.throws(() => parent.child().grow(5), { code: 'limit' });
  t.throws(() => parent.child({ steps: 50, size: 50 }).child().spend(4), { code: 'limit' }, 'also through a part of the whole');
  t.doesNotThrow(() => parent.child({ steps: 50, size: 50 }).spend(50));
});
