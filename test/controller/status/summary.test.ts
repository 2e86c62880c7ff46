import t from 'tap';
import type { Verdict } from '../../../controller/status/conditions.ts';
import { type Finding, findingsOf, summarize } from '../../../controller/status/summary.ts';
import type { NotConvergedReason } from '../../../src/api/graph.ts';

const accepted: Verdict = { type: 'Accepted', status: 'True', reason: 'Compiled', message: '' };
const refused: Verdict = { type: 'Accepted', status: 'False', reason: 'InvalidGraph', message: 'spec.nodes[0]: bad' };
const NOW = Date.parse('2026-01-01T00:10:00Z');
const identity = { group: '', kind: 'ConfigMap', namespace: 'n', name: 'x' };

function finding(hardness: Finding['hardness'], reason: NotConvergedReason, message: string, mayHeal = false): Finding {
  return { path: ['a', 'b'], hardness, trouble: { reason, identity, message, ...(mayHeal ? { mayHeal } : {}) } };
}
const pending = finding('soft', 'DataPending', 'is pending');
const failing = finding('hard', 'ApplyFailed', 'is wrong');
const forbidden = finding('hard', 'ApplyFailed', 'is forbidden', true);
const kept = finding('warning', 'ApplyFailed', 'is kept');

interface Expected {
  readonly converged?: string;
  readonly ready: string;
  readonly state: string;
  readonly flags: string;
  readonly message?: string;
}

const ROWS: readonly [title: string, accepted: Verdict, findings: readonly Finding[] | undefined, expected: Expected, since?: string][] = [
  ['all is well', accepted, [], { converged: 'True/Applied', ready: 'True/Applied', state: 'ACTIVE', flags: 'False False' }],
  [
    'a warning is told and changes nothing',
    accepted,
    [kept],
    { converged: 'True/Applied', ready: 'True/Applied', state: 'ACTIVE', flags: 'False False', message: 'a/b: ConfigMap n/x: is kept' },
  ],
  [
    'waiting is progress',
    accepted,
    [pending],
    {
      converged: 'False/DataPending',
      ready: 'False/DataPending',
      state: 'IN_PROGRESS',
      flags: 'True False',
      message: 'a/b: ConfigMap n/x: is pending',
    },
  ],
  [
    'a mistake is for a person',
    accepted,
    [failing],
    { converged: 'False/ApplyFailed', ready: 'False/ApplyFailed', state: 'ERROR', flags: 'False True' },
  ],
  [
    'hard outranks soft, and every trouble is named',
    accepted,
    [pending, failing],
    {
      converged: 'False/ApplyFailed',
      ready: 'False/ApplyFailed',
      state: 'ERROR',
      flags: 'False True',
      message: 'a/b: ConfigMap n/x: is wrong\na/b: ConfigMap n/x: is pending',
    },
  ],
  [
    'among equals the first in apply order decides',
    accepted,
    [finding('soft', 'FieldManagerConflict', 'c'), pending],
    { converged: 'False/FieldManagerConflict', ready: 'False/FieldManagerConflict', state: 'IN_PROGRESS', flags: 'True False' },
  ],
  [
    'what others may mend is progress at first',
    accepted,
    [forbidden],
    { converged: 'False/ApplyFailed', ready: 'False/ApplyFailed', state: 'IN_PROGRESS', flags: 'True False' },
    '2026-01-01T00:09:00Z',
  ],
  [
    '… and stalled after 2 min',
    accepted,
    [forbidden],
    { converged: 'False/ApplyFailed', ready: 'False/ApplyFailed', state: 'ERROR', flags: 'False True' },
    '2026-01-01T00:08:00Z',
  ],
  [
    'a held prune waits for a word',
    accepted,
    [finding('hard', 'PruneHeld', 'held')],
    { converged: 'False/PruneHeld', ready: 'False/PruneHeld', state: 'ERROR', flags: 'False True' },
  ],
  [
    'a suspended Graph neither goes on nor is stalled',
    accepted,
    [finding('hard', 'Suspended', 's')],
    { converged: 'False/Suspended', ready: 'False/Suspended', state: 'IN_PROGRESS', flags: 'False False' },
  ],
  ['a Graph that does not compile', refused, undefined, { ready: 'False/InvalidGraph', state: 'ERROR', flags: 'False True' }],
  ['nothing is known yet', accepted, undefined, { ready: 'Unknown/Pending', state: 'IN_PROGRESS', flags: 'True False' }],
];

for (const [title, verdict, findings, expected, since] of ROWS) {
  t.test(title, (t) => {
    const failingFor = since === undefined ? 0 : NOW - Date.parse(since);
    const summary = summarize({ accepted: verdict, findings, watches: undefined, isDeleting: false }, failingFor);
    const say = (type: string): string | undefined => {
      const found = summary.verdicts.find((one) => one.type === type);
      return found && `${found.status}/${found.reason}`;
    };
    t.equal(say('ResourcesConverged'), expected.converged);
    t.equal(say('Ready'), expected.ready);
    t.equal(summary.state, expected.state);
    t.equal(['Reconciling', 'Stalled'].map((type) => summary.verdicts.find((one) => one.type === type)?.status).join(' '), expected.flags);
    if (expected.message !== undefined) t.equal(summary.verdicts.find(({ type }) => type === 'Ready')?.message, expected.message);
    t.end();
  });
}

t.test('a Graph that is being deleted says so', (t) => {
  const summary = summarize({ accepted, findings: [forbidden], watches: undefined, isDeleting: true }, 0);
  t.equal(summary.state, 'DELETING');
  t.end();
});

t.test('what an outcome has to say', (t) => {
  const trouble = { reason: 'WaitingForReadiness', message: 'w' } as const;
  const path = ['a'];
  t.same(findingsOf({ word: 'skipped', path }), []);
  t.same(findingsOf({ word: 'blocked', path, by: ['b'] }), []);
  t.same(findingsOf({ word: 'read', path, notReady: trouble }), [{ path, hardness: 'soft', trouble }]);
  const wrong = { reason: 'ApplyFailed', message: 'x' } as const;
  t.same(findingsOf({ word: 'applied', path, notReady: wrong, warnings: [trouble] }), [
    { path, hardness: 'hard', trouble: wrong },
    { path, hardness: 'warning', trouble },
  ]);
  t.end();
});
