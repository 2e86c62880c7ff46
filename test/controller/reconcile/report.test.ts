import t from 'tap';
import { Report } from '../../../controller/reconcile/report.ts';
import type { Verdict } from '../../../controller/status/conditions.ts';
import { Failing } from '../../../controller/status/failing.ts';
import type { Finding } from '../../../controller/status/summary.ts';
import type { StatusChange, StatusWriter } from '../../../controller/status/writer.ts';
import type { Condition, Graph, GraphStatus, NotConvergedReason } from '../../../src/api/graph.ts';
import { stub } from '../../support/stub.ts';

const NOW = Date.parse('2026-01-01T00:10:00.900Z');
const compiled: Verdict = { type: 'Accepted', status: 'True', reason: 'Compiled', message: '' };
const invalid = (message: string): Verdict => ({ type: 'Accepted', status: 'False', reason: 'InvalidGraph', message });

function finding(hardness: Finding['hardness'], reason: NotConvergedReason, message: string): Finding {
  return { path: ['a'], hardness, trouble: { reason, message } };
}

interface Told {
  readonly events: string[];
  readonly writes: StatusChange[];
  readonly report: Report;
}

/** A Report whose writer keeps what it is told, or finds that nothing has changed. */
function reportOn(conditions: readonly Condition[] | undefined, hasChanged = true): Told {
  const events: string[] = [];
  const writes: StatusChange[] = [];
  let status: GraphStatus = conditions === undefined ? {} : { conditions };
  const writer = stub<StatusWriter>('writer', {
    get status() {
      return status;
    },
    write: async (change) => {
      writes.push(change);
      status = { ...status, ...(change.conditions === undefined ? {} : { conditions: change.conditions }) };
      return hasChanged;
    },
  });
  const metadata = { namespace: 'n', name: 'g', uid: 'u', generation: 7 };
  const graph: Graph = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata, spec: { nodes: [] } };
  const tellAbout = () => (type: string, reason: string, note: string) => void events.push(`${type} ${reason}: ${note}`);
  return { events, writes, report: new Report({ graph, writer, failing: new Failing(), now: () => NOW, tellAbout }) };
}

function told(type: Condition['type'], status: Condition['status'], reason: string, message = ''): Condition {
  return { type, status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 6 };
}

const ROWS: readonly [
  title: string,
  before: readonly Condition[] | undefined,
  accepted: Verdict,
  findings: Finding[] | undefined,
  expected: string[],
][] = [
  [
    'the first success is told',
    undefined,
    compiled,
    [],
    ['Normal Accepted: the Graph compiles', 'Normal Applied: everything is applied and ready'],
  ],
  [
    'what was told is not told again',
    [told('Accepted', 'True', 'Compiled'), told('ResourcesConverged', 'True', 'Applied')],
    compiled,
    [],
    [],
  ],
  [
    'a success with another warning is no news',
    [told('Accepted', 'True', 'Compiled'), told('ResourcesConverged', 'True', 'Applied')],
    compiled,
    [finding('warning', 'ApplyFailed', 'is kept')],
    [],
  ],
  [
    'waiting is no Event, whatever it waits for',
    [told('Accepted', 'True', 'Compiled')],
    compiled,
    [finding('soft', 'DataPending', 'waits')],
    [],
  ],
  [
    'a conflict is told',
    [told('Accepted', 'True', 'Compiled')],
    compiled,
    [finding('soft', 'FieldManagerConflict', 'is owned')],
    ['Warning FieldManagerConflict: a: is owned'],
  ],
  [
    'a failure of another text is told again',
    [told('Accepted', 'True', 'Compiled'), told('ResourcesConverged', 'False', 'ApplyFailed', 'a: is wrong')],
    compiled,
    [finding('hard', 'ApplyFailed', 'is worse')],
    ['Warning ApplyFailed: a: is worse'],
  ],
  [
    'a refusal for another mistake is told again',
    [told('Accepted', 'False', 'InvalidGraph', 'one')],
    invalid('two'),
    undefined,
    ['Warning InvalidGraph: two'],
  ],
];

for (const [title, before, accepted, findings, expected] of ROWS) {
  t.test(title, async (t) => {
    const { report, events } = reportOn(before);
    await report.write({ accepted, findings, watches: undefined, isDeleting: false });
    t.same(events, expected);
  });
}

t.test('what was not written is told nobody', async (t) => {
  const { report, events } = reportOn(undefined, false);
  await report.write({ accepted: compiled, findings: [], watches: undefined, isDeleting: false });
  t.same(events, []);
});

t.test('every outcome moves the observed generation, of conditions without a new verdict too; times are whole seconds', async (t) => {
  const { report, writes } = reportOn([told('ResourcesConverged', 'True', 'Applied'), told('WatchesHealthy', 'True', 'AllWatchesSynced')]);
  await report.write({ accepted: invalid('bad'), findings: undefined, watches: undefined, isDeleting: false });
  t.equal(writes[0]?.observedGeneration, 7);
  t.same(new Set(writes[0]?.conditions?.map(({ observedGeneration }) => observedGeneration)), new Set([7]));
  t.equal(writes[0]?.conditions?.find(({ type }) => type === 'Accepted')?.lastTransitionTime, '2026-01-01T00:10:00Z');
});

t.test('with the intents goes the verdict on the Graph, and that nothing is applied yet where there was no result', async (t) => {
  const first = reportOn(undefined);
  const inventory = { managedResources: [], contributions: [] };
  await first.report.writeIntents(compiled, inventory, {});
  const ready = first.writes[0]?.conditions?.find(({ type }) => type === 'Ready');
  t.same([ready?.status, ready?.reason, first.writes[0]?.state], ['Unknown', 'Pending', 'IN_PROGRESS']);
  t.same(first.events, ['Normal Accepted: the Graph compiles']);
  const later = reportOn([told('Accepted', 'True', 'Compiled'), told('Ready', 'True', 'Applied')]);
  await later.report.writeIntents(compiled, inventory, {});
  t.equal(later.writes[0]?.conditions?.find(({ type }) => type === 'Ready')?.status, 'True', 'as it was judged for the generation before');
  t.same(later.events, []);
});

t.test('a Graph that was never judged is not compiled yet', (t) => {
  t.same(reportOn(undefined).report.formerAccepted(), {
    type: 'Accepted',
    status: 'Unknown',
    reason: 'Pending',
    message: 'not compiled yet',
  });
  t.same(reportOn([told('Accepted', 'False', 'InvalidGraph', 'bad')]).report.formerAccepted(), invalid('bad'));
  t.end();
});
