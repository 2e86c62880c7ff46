import t from 'tap';
import type { KubeObject } from '../../src/api/object.ts';
import { AccessReviews, type Question } from '../../src/kube/access.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { stubClient } from '../support/stub-client.ts';

const question: Question = { verb: 'watch', group: 'apps', plural: 'deployments', namespace: 'team' };

/** Reviews whose answers come from `decide`; `asked` lists users and kinds of review. */
const reviews = (decide: () => boolean | Error) => {
  const asked: string[] = [];
  const clock = fakeClock();
  const client = (user: string | undefined): KubeClient =>
    stubClient({
      user,
      as: client,
      create: async (_resource, manifest) => {
        asked.push(`${user ?? '-'} ${(manifest as KubeObject).kind}`);
        const allowed = decide();
        if (allowed instanceof Error) throw allowed;
        return { object: { ...(manifest as KubeObject), status: { allowed } }, isCreated: true, warnings: [] };
      },
    });
  return { reviews: new AccessReviews(client(undefined), clock), clock, asked };
};

const waits: readonly [title: string, allowed: boolean, milliseconds: number, requests: number][] = [
  ['an answer is good for five minutes', true, 299_000, 1],
  ['an answer is asked for again after five minutes', true, 301_000, 2],
  ['a denial is good for half a minute', false, 29_000, 1],
  ['a denial is asked for again after half a minute', false, 31_000, 2],
];
for (const [title, allowed, milliseconds, requests] of waits) {
  t.test(title, async (t) => {
    const { reviews: asking, clock, asked } = reviews(() => allowed);
    t.equal(await asking.can('ann', question), allowed);
    await clock.advance(milliseconds);
    t.equal(await asking.can('ann', question), allowed);
    t.equal(asked.length, requests);
  });
}

t.test('who asks at the same time shares a request; another user or question does not', async (t) => {
  const { reviews: asking, asked } = reviews(() => true);
  await Promise.all([
    asking.can('ann', question),
    asking.can('ann', question),
    asking.can('bob', question),
    asking.can('ann', { ...question, verb: 'get' }),
  ]);
  t.same(asked, ['ann SelfSubjectAccessReview', 'bob SelfSubjectAccessReview', 'ann SelfSubjectAccessReview']);
});

t.test('an error is not remembered, and reaches everyone who waits', async (t) => {
  const answers: (boolean | Error)[] = [new Error('away'), true];
  const { reviews: asking } = reviews(() => answers.shift() ?? false);
  const [first, second] = await Promise.allSettled([asking.can('ann', question), asking.can('ann', question)]);
  t.same([first.status, second.status], ['rejected', 'rejected']);
  t.equal(await asking.can('ann', question), true);
});

t.test('one who gives up does not spoil it for the other', async (t) => {
  const { reviews: asking } = reviews(() => true);
  const giveUp = new AbortController();
  const [first, second] = [asking.can('ann', question, giveUp.signal), asking.can('ann', question)];
  giveUp.abort(new Error('given up'));
  await t.rejects(first, { message: 'given up' });
  t.equal(await second, true);
});

t.test('what is known of a user can be forgotten', async (t) => {
  const { reviews: asking, asked } = reviews(() => true);
  await asking.can('ann', question);
  await asking.can('bob', question);
  asking.forget('ann');
  await asking.can('ann', question);
  await asking.can('bob', question);
  t.equal(asked.length, 3);
});

t.test('about a subject it asks as itself, and groups count', async (t) => {
  const { reviews: asking, asked } = reviews(() => true);
  await asking.canSubject({ user: 'ann', groups: ['a'] }, question);
  await asking.canSubject({ user: 'ann', groups: ['a'] }, question);
  await asking.canSubject({ user: 'ann', groups: ['b'] }, question);
  t.same(asked, ['- SubjectAccessReview', '- SubjectAccessReview']);
});

t.test('whoever has given up already asks nothing', async (t) => {
  const { reviews: asking, asked } = reviews(() => true);
  await t.rejects(asking.can('ann', question, AbortSignal.abort(new Error('too late'))), { message: 'too late' });
  t.same(asked, []);
});
