import t, { type Test } from 'tap';
import { Coverage } from '../../../controller/watch/coverage.ts';
import { scopeKey } from '../../../controller/watch/reflectors.ts';
import { Subscriptions } from '../../../controller/watch/subscriptions.ts';
import type { AccessReviews, Question } from '../../../src/kube/access.ts';
import type { ObjectRef } from '../../../src/kube/client.ts';
import type { ApiRefusal } from '../../../src/kube/error.ts';
import { type Valves, valvesIn, valvesScope } from './valves.ts';

const HEALTHY = { type: 'WatchesHealthy', status: 'True', reason: 'AllWatchesSynced', message: '' };
const VALVE: ObjectRef = { ...valvesScope('v1'), name: 'a' };
const SECRET: ObjectRef = { group: '', version: 'v1', plural: 'secrets', namespace: 'n', name: 'a' };

/** What a Graph covers whose applier may watch everything but Secrets. */
function coverageOf(t: Test, { pool }: Valves): Coverage {
  const session = new Subscriptions(pool, () => {}).begin('n/g');
  const access = { can: async (_user: unknown, { plural }: Question) => plural !== 'secrets' } as unknown as AccessReviews;
  const coverage = new Coverage({ session, access, applierUser: 'me', signal: new AbortController().signal });
  t.teardown(() => coverage.abort());
  return coverage;
}

const REFUSALS: readonly [title: string, refusal: Partial<ApiRefusal>, expected: string][] = [
  ['a kind that no server knows', { code: 404 }, 'not served'],
  ['a kind that its server does not know', { code: 404, reason: 'NotFound' }, 'not served'],
  ['a refusal with a reason', { code: 403, reason: 'Forbidden' }, 'Forbidden'],
  ['one without', { code: 405 }, 'HTTP 405'],
];

for (const [title, refusal, expected] of REFUSALS) {
  t.test(`WatchesHealthy says why something cannot be watched: ${title}`, async (t) => {
    const coverage = coverageOf(t, valvesIn(t, [], refusal));
    t.same(await coverage.object(VALVE), { isKnown: false });
    t.same(coverage.verdict(), {
      type: 'WatchesHealthy',
      status: 'False',
      reason: 'WatchBlocked',
      message: `the controller cannot watch valves.example.com in namespace n (${expected}): read again every 5 minutes`,
    });
  });
}

t.test('a scope that is used no more is not told of', async (t) => {
  const coverage = coverageOf(t, valvesIn(t, []));
  await coverage.object(VALVE);
  await coverage.object(SECRET);
  const secrets = scopeKey(SECRET);
  t.same([...coverage.uncovered].sort(), [secrets, scopeKey(VALVE)].sort());
  coverage.keepOnly(new Set([secrets, 'a scope that was not looked at']));
  t.same(coverage.verdict(), {
    type: 'WatchesHealthy',
    status: 'False',
    reason: 'WatchBlocked',
    message: 'me may not watch secrets in namespace n: read again every 5 minutes',
  });
  coverage.keepOnly(new Set());
  t.same(coverage.verdict(), HEALTHY);
  t.notOk(coverage.isBlocked, 'and it is not read again');
});

t.test('what is watched is healthy', async (t) => {
  const coverage = coverageOf(t, valvesIn(t, ['v1']));
  t.same(await coverage.object(VALVE), { isKnown: true, record: undefined });
  t.same(coverage.verdict(), HEALTHY);
  t.same([...coverage.uncovered], []);
});
