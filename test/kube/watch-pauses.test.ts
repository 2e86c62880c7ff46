import t from 'tap';
import { ApiError, ConnectionError } from '../../src/kube/error.ts';
import { WATCH_PAUSES, WatchPauses } from '../../src/kube/watch-pauses.ts';

const lost = new ConnectionError('refused', { failure: 'unreachable', mayHaveRun: false });
const answer = (code: number, retryAfter?: number): ApiError =>
  new ApiError({ code, reason: '', message: '', causes: [], name: '', about: '', retryAfter });

type Trouble = 'lost' | 'busy' | 'busy 7 s' | 'refused' | 'ended' | 'healthy';

function pausesAfter(troubles: readonly Trouble[], random = 0): number[] {
  const pauses = new WatchPauses(WATCH_PAUSES, () => random);
  const after: Record<Exclude<Trouble, 'healthy'>, () => number> = {
    lost: () => pauses.afterError(lost, false),
    busy: () => pauses.afterError(answer(429, 1000), false),
    'busy 7 s': () => pauses.afterError(answer(503, 7000), false),
    refused: () => pauses.afterError(answer(403), true),
    ended: () => pauses.afterEnd(),
  };
  return troubles.map((trouble) => {
    if (trouble !== 'healthy') return after[trouble]();
    pauses.forget();
    return 0;
  });
}

const times = (trouble: Trouble, count: number): Trouble[] => new Array<Trouble>(count).fill(trouble);

const TABLE: readonly [title: string, troubles: readonly Trouble[], pauses: readonly number[]][] = [
  ['an outage is asked about every 5 s at least', times('lost', 6), [800, 1600, 3200, 5000, 5000, 5000]],
  ['a busy server is asked ever more seldom', times('busy', 8), [1000, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]],
  ['so is one that ends watches at once', times('ended', 7), [800, 1600, 3200, 6400, 12_800, 25_600, 30_000]],
  [
    'a refusal that stands is asked about every 2 min',
    times('refused', 9),
    [800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 102_400, 120_000],
  ],
  ['what the server asks for is granted', ['busy 7 s', 'busy 7 s'], [7000, 7000]],
  [
    'a server that starts is asked soon, however long it was away',
    [...times('lost', 5), 'busy', 'refused'],
    [800, 1600, 3200, 5000, 5000, 1000, 800],
  ],
  [
    'one that comes and goes is not asked all the time',
    ['lost', 'busy', 'lost', 'busy', 'lost', 'busy'],
    [800, 1000, 1600, 1600, 3200, 3200],
  ],
  [
    'after a healthy watch all begins anew',
    [...times('lost', 3), 'busy', 'healthy', 'lost', 'busy'],
    [800, 1600, 3200, 1000, 0, 800, 1000],
  ],
];

for (const [title, troubles, expected] of TABLE) {
  t.test(title, async (t) => {
    t.same(pausesAfter(troubles), expected);
    const spread = pausesAfter(troubles, 0.5);
    t.ok(
      spread.every((pause, index) => pause >= (expected[index] ?? 0) && pause <= 1.5 * (expected[index] ?? 0)),
      'at random, up to twice as long',
    );
  });
}
