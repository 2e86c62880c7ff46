import { test } from 'tap';
import { Budget } from '../../../src/cel/budget.ts';
import { EvaluationError } from '../../../src/cel/error.ts';
import { Pattern } from '../../../src/cel/library/pattern.ts';

function compile(source: string): Pattern {
  const pattern = Pattern.compile(source);
  if (typeof pattern === 'string') throw new Error(pattern);
  return pattern;
}

const long = 'a'.repeat(100_000);

const LIMITED: readonly (readonly [title: string, run: (budget: Budget) => unknown])[] = [
  ['a search whose every match reads the whole rest', (budget) => compile('a[^b]*b|a').findAll(long, Number.POSITIVE_INFINITY, budget)],
  ['more matches than anyone wants', (budget) => compile('').findAll(long.repeat(4), Number.POSITIVE_INFINITY, budget)],
  ['a large pattern on a long text', (budget) => compile('(a{0,30}){0,30}$').matches(long, budget)],
  ['a large pattern that is found at run time', (budget) => Pattern.compile('(a{1000}){1}'.repeat(100), budget)],
];

for (const [title, run] of LIMITED) {
  test(`${title} ends at the budget`, async (t) => {
    t.match(
      t.throws(() => run(new Budget())),
      { constructor: EvaluationError, code: 'limit' },
    );
  });
}

test('a text of a megabyte is within the budget of a small pattern', async (t) => {
  const text = long.repeat(10);
  t.equal(compile('(a+)+$').matches(`${text}!`, new Budget()), false);
  t.equal(compile('a+!').find(`${text}!`, new Budget()), `${text}!`);
});

test('a pattern of too many instructions is refused before it is compiled', async (t) => {
  t.equal(Pattern.compile('(a{1000})'.repeat(100)), 'it is too large');
  t.equal(Pattern.compile('[{1000}]\\{1000}x{1000'.repeat(100)) instanceof Pattern, true);
});

test('what is wrong with a pattern is told without the pattern', async (t) => {
  t.equal(Pattern.compile('secret('), 'missing closing )');
  t.equal(Pattern.compile('secret[b-a]'), 'invalid character class range');
});
