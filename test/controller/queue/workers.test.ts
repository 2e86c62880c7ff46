import t from 'tap';
import { Backoff } from '../../../controller/queue/backoff.ts';
import { runWorkers, type Turn } from '../../../controller/queue/workers.ts';
import { Workqueue } from '../../../controller/queue/workqueue.ts';
import { turnedClock } from '../turned-clock.ts';

t.test('the pause doubles from 1 s to 5 min, each key for itself, and success begins anew', (t) => {
  const backoff = new Backoff();
  const pauses = Array.from({ length: 11 }, () => backoff.next('a'));
  t.same(pauses, [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]);
  t.equal(backoff.next('b'), 1000);
  backoff.forget('a');
  t.equal(backoff.next('a'), 1000);
  t.end();
});

/** Runs one worker on the key `g` with these turns, one after the other, and tells at what times each began. */
async function times(turns: readonly (Turn | Error)[], steps: readonly number[]): Promise<{ began: number[]; failed: unknown[] }> {
  const clock = turnedClock();
  const queue = new Workqueue({ clock });
  const began: number[] = [];
  const failed: unknown[] = [];
  const stop = new AbortController();
  const working = runWorkers(
    {
      queue,
      backoff: new Backoff(),
      concurrency: 1,
      run: async () => {
        const turn = turns[began.length] ?? { next: 'done' };
        began.push(clock.now());
        if (turn instanceof Error) throw turn;
        return turn;
      },
      failed: (_key, error) => failed.push(error),
    },
    { stop: stop.signal, abort: stop.signal },
  );
  queue.add('g');
  for (const step of steps) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(step);
  }
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  await working;
  return { began, failed };
}

const bug = new Error('a bug');
const ROWS: readonly [title: string, turns: readonly (Turn | Error)[], steps: readonly number[], began: readonly number[]][] = [
  ['done waits for an event', [{ next: 'done' }], [600_000], [0]],
  ['later comes back at its time', [{ next: 'later', after: 300 }], [299, 1, 0], [0, 300]],
  ['what is not there yet is tried after 1 s, then 2 s', [{ next: 'backoff' }, { next: 'backoff' }], [1000, 2000, 0], [0, 1000, 3000]],
  ['… or sooner, if there is something to look at sooner', [{ next: 'backoff', within: 70 }], [70, 0], [0, 70]],
  [
    'success in between begins the pauses anew',
    [{ next: 'backoff' }, { next: 'later', after: 5 }, { next: 'backoff' }],
    [1000, 5, 1000, 0],
    [0, 1000, 1005, 2005],
  ],
  ['a turn that throws is tried again as one that failed', [bug, bug], [1000, 2000, 0], [0, 1000, 3000]],
  ['a fight is held', [{ next: 'hold', after: 4000 }], [3999, 1, 0], [0, 4000]],
];

for (const [title, turns, steps, began] of ROWS) {
  t.test(title, async (t) => {
    const result = await times(turns, steps);
    t.same(result.began, began);
    t.same(
      result.failed,
      turns.filter((turn) => turn instanceof Error),
    );
  });
}

t.test('a turn that is done begins the pauses anew: the next failure, whenever it comes, waits 1 s', async (t) => {
  const backoff = new Backoff();
  const queue = new Workqueue({ clock: turnedClock() });
  const turns: Turn[] = [{ next: 'backoff', within: 0 }, { next: 'backoff', within: 0 }, { next: 'done' }];
  const stop = new AbortController();
  const { promise: isDone, resolve } = Promise.withResolvers<void>();
  const run = async (): Promise<Turn> => {
    const turn = turns.shift() ?? { next: 'done' };
    if (turn.next === 'done') resolve();
    else queue.add('g');
    return turn;
  };
  const working = runWorkers(
    { queue, backoff, concurrency: 1, run, failed: () => t.fail('nothing fails') },
    { stop: stop.signal, abort: stop.signal },
  );
  queue.add('g');
  await isDone;
  stop.abort();
  await working;
  t.equal(backoff.next('g'), 1000);
});

t.test('so many keys are worked on at once as there are workers, and the end waits for them', async (t) => {
  const queue = new Workqueue({ clock: turnedClock() });
  for (const key of ['a', 'b', 'c']) queue.add(key);
  const running = new Map<string, () => void>();
  const stop = new AbortController();
  let hasEnded = false;
  const working = runWorkers(
    {
      queue,
      backoff: new Backoff(),
      concurrency: 2,
      run: (key) => new Promise((resolve) => running.set(key, () => resolve({ next: 'done' }))),
      failed: () => t.fail('nothing fails'),
    },
    { stop: stop.signal, abort: new AbortController().signal },
  ).then(() => {
    hasEnded = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  t.same([...running.keys()], ['a', 'b']);
  stop.abort();
  await new Promise((resolve) => setImmediate(resolve));
  t.notOk(hasEnded, 'turns in flight come to their end');
  for (const finish of running.values()) finish();
  await working;
  t.same([...running.keys()], ['a', 'b'], 'no turn begins after the signal');
});
