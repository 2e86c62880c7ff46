import t from 'tap';
import { Failing } from '../../../controller/status/failing.ts';
import type { Finding } from '../../../controller/status/summary.ts';
import type { Condition } from '../../../src/api/graph.ts';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const hard: readonly Finding[] = [{ path: ['a'], hardness: 'hard', trouble: { reason: 'ApplyFailed', message: 'is forbidden' } }];
const soft: readonly Finding[] = [{ path: ['a'], hardness: 'soft', trouble: { reason: 'DataPending', message: 'is pending' } }];

const held: readonly Finding[] = (['Suspended', 'PruneHeld'] as const).map((reason) => ({
  path: undefined,
  hardness: 'hard',
  trouble: { reason, message: 'as somebody wants it' },
}));

function told(reason: string): Condition[] {
  const lastTransitionTime = '2026-01-01T00:07:00Z';
  return [{ type: 'ResourcesConverged', status: 'False', reason, message: '', observedGeneration: 1, lastTransitionTime }];
}

type Step = readonly [findings: readonly Finding[], afterMilliseconds: number];

const ROWS: readonly [title: string, conditions: Condition[] | undefined, steps: readonly Step[], failingFor: number][] = [
  ['a failure begins when it is first found', undefined, [[hard, 0]], 0],
  [
    'it lasts while every look finds one',
    undefined,
    [
      [hard, 0],
      [hard, 60_000],
      [hard, 130_000],
    ],
    130_000,
  ],
  [
    'what only waited before does not count, however long it did',
    told('DataPending'),
    [
      [soft, 0],
      [hard, 130_000],
    ],
    0,
  ],
  [
    'a break begins it anew',
    undefined,
    [
      [hard, 0],
      [soft, 60_000],
      [hard, 70_000],
      [hard, 130_000],
    ],
    60_000,
  ],
  [
    'what was suspended or held before does not count either',
    undefined,
    [
      [held, 0],
      [held, 200_000],
      [hard, 210_000],
    ],
    0,
  ],
  ['after a restart the status tells since when', told('ApplyFailed'), [[hard, 0]], 180_000],
  ['unless it tells of waiting', told('DataPending'), [[hard, 0]], 0],
];

for (const [title, conditions, steps, expected] of ROWS) {
  t.test(title, (t) => {
    const failing = new Failing();
    const found = steps.map(([findings, after]) => failing.observe(findings, conditions, NOW + after));
    t.equal(found.at(-1), expected);
    t.end();
  });
}
