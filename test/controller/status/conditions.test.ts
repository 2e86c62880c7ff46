import t from 'tap';
import { joinLines, setConditions, type Verdict } from '../../../controller/status/conditions.ts';

const ready: Verdict = { type: 'Ready', status: 'True', reason: 'Applied', message: '' };
const before = setConditions(undefined, [ready], { generation: 1, now: '2026-01-01T00:00:00Z' });

t.test('the transition time moves with the status alone', (t) => {
  const later = { generation: 2, now: '2026-01-02T00:00:00Z' };
  const [same] = setConditions(before, [{ ...ready, reason: 'Other', message: 'x' }], later);
  t.match(same, { lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 2, reason: 'Other', message: 'x' });
  const [moved] = setConditions(before, [{ ...ready, status: 'False' }], later);
  t.match(moved, { lastTransitionTime: '2026-01-02T00:00:00Z', status: 'False' });
  t.end();
});

t.test('a condition without a verdict stays as it was judged, and a new one comes behind', (t) => {
  const after = setConditions(before, [{ ...ready, type: 'Accepted' }], { generation: 2, now: '2026-01-02T00:00:00Z' });
  t.same(after[0], before[0]);
  t.same(
    after.map(({ type }) => type),
    ['Ready', 'Accepted'],
  );
  t.end();
});

t.test('a message that is too long says how many lines more there are', (t) => {
  t.equal(joinLines(['a', 'b']), 'a\nb');
  t.equal(joinLines(['a', 'b', 'a']), 'a\nb', 'each once');
  const long = joinLines(
    Array.from({ length: 100 }, (_, at) => `line ${String(at).padStart(3, '0')}`),
    200,
  );
  t.ok(Buffer.byteLength(long) <= 200);
  t.match(long, /^line 000\nline 001\n/);
  t.equal(long.split('\n').length - 1 + Number(/… and (\d+) more$/.exec(long)?.[1]), 100);
  const one = joinLines(['é'.repeat(500), 'b'], 200);
  t.ok(Buffer.byteLength(one) <= 200);
  t.match(one, /^é+…\n… and 1 more$/);
  t.end();
});
