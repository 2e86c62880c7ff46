import t from 'tap';
import { printTotals, reportTap, type Totals } from '../../scripts/test-report.ts';

const rows: [string, string[], Totals][] = [
  [
    'every assertion counts, at any depth',
    [
      '# Subtest: a',
      '    ok 1 - x',
      '    # Subtest: y',
      '        ok 1 - z',
      '        1..1',
      '    ok 2 - y',
      '    1..2',
      'ok 1 - a',
      '1..1',
    ],
    { passed: 2, failed: 0, skipped: 0 },
  ],
  [
    'a failed assertion counts once, not again for each level around it',
    ['# Subtest: a', '    # Subtest: y', '        not ok 1 - z', '        1..1', '    not ok 1 - y', '    1..1', 'not ok 1 - a', '1..1'],
    { passed: 0, failed: 1, skipped: 0 },
  ],
  [
    'a file that crashes after its assertions passed counts as a failure',
    ['# Subtest: a', '    ok 1 - x', '    1..1', 'not ok 1 - a', '1..1'],
    { passed: 1, failed: 1, skipped: 0 },
  ],
  [
    'a file that crashes before its first assertion',
    ['# Subtest: a', '    1..0 # no tests', 'not ok 1 - a', '1..1'],
    { passed: 0, failed: 1, skipped: 0 },
  ],
  [
    'a file without tests',
    ['# Subtest: a', '    1..0 # no tests', 'ok 1 - a # SKIP no tests found', '1..1'],
    { passed: 0, failed: 1, skipped: 0 },
  ],
  [
    'a skipped test',
    ['# Subtest: a', '    ok 1 - x # SKIP later', '    ok 2 - y', '    1..2', 'ok 1 - a', '1..1'],
    { passed: 1, failed: 0, skipped: 1 },
  ],
  [
    'a file that runs out of time is not counted again for the run',
    [
      '# Subtest: a',
      '    not ok 1 - timeout!',
      '    1..1',
      'not ok 1 - a',
      'not ok 2 - timeout!',
      '  ---',
      '  expired: a',
      '  ...',
      '1..2',
    ],
    { passed: 0, failed: 1, skipped: 0 },
  ],
];

for (const [title, lines, expected] of rows) {
  t.test(title, async (t) => {
    const { parser, totals } = reportTap(() => {});
    parser.end(`TAP version 14\n${lines.join('\n')}\n`);
    t.strictSame(totals, expected);
  });
}

t.test('the last line of a run', async (t) => {
  t.equal(printTotals({ passed: 3, failed: 0, skipped: 0 }), '3 passed, 0 failed');
  t.equal(printTotals({ passed: 3, failed: 1, skipped: 2 }), '3 passed, 1 failed, 2 skipped');
});
