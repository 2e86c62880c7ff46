import t from 'tap';
import { Workqueue } from '../../../controller/queue/workqueue.ts';
import { turnedClock } from '../turned-clock.ts';

/** Takes everything that is there now, without waiting for more. */
async function drain(queue: Workqueue): Promise<string[]> {
  const taken: string[] = [];
  while (queue.depth > 0) {
    const key = await queue.take();
    if (key === undefined) break;
    taken.push(key);
    queue.done(key);
  }
  return taken;
}

t.test('a key waits once, however often it is added, and keys come out in the order of their coming', async (t) => {
  const queue = new Workqueue({ clock: turnedClock() });
  for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
  t.same(await drain(queue), ['a', 'b', 'c']);
});

t.test('a key that is added while a worker has it comes back when that worker is done, behind the others', async (t) => {
  const queue = new Workqueue({ clock: turnedClock() });
  queue.add('busy');
  const key = await queue.take();
  queue.add('busy');
  queue.add('busy');
  t.equal(queue.depth, 0, 'no second worker gets it');
  queue.add('other');
  queue.done(key ?? '');
  t.same(await drain(queue), ['other', 'busy']);
});

t.test('a delayed key comes at its time, an earlier wish wins, and an event comes at once', async (t) => {
  const clock = turnedClock();
  const queue = new Workqueue({ clock });
  queue.addAfter('a', 1000);
  queue.addAfter('a', 5000);
  clock.advance(999);
  t.same(await drain(queue), []);
  clock.advance(1);
  t.same(await drain(queue), ['a']);
  clock.advance(10_000);
  t.same(await drain(queue), [], 'the later wish was the same one');
  queue.addAfter('b', 60_000);
  queue.addAfter('b', 100);
  clock.advance(100);
  t.same(await drain(queue), ['b'], 'an earlier wish replaces a later one');
  queue.addAfter('c', 60_000);
  queue.add('c');
  t.same(await drain(queue), ['c']);
  clock.advance(60_000);
  t.same(await drain(queue), [], 'the event ended the delay');
});

t.test('a key that is held has no turn before its time, whatever adds it', async (t) => {
  const clock = turnedClock();
  const queue = new Workqueue({ clock });
  queue.hold('a', 8000);
  queue.add('a');
  queue.addAfter('a', 100);
  clock.advance(7999);
  t.same(await drain(queue), []);
  clock.advance(1);
  t.same(await drain(queue), ['a']);
  queue.add('a');
  t.same(await drain(queue), ['a'], 'the hold is over');
  queue.hold('a', 8000);
  queue.release('a');
  queue.add('a');
  t.same(await drain(queue), ['a'], 'a hold can be ended');
});

t.test('a key that was added while a worker had it waits for the end of its hold, unless it was released meanwhile', async (t) => {
  const clock = turnedClock();
  const queue = new Workqueue({ clock });
  queue.add('a');
  await queue.take();
  queue.add('a');
  queue.hold('a', 8000);
  queue.done('a');
  t.same(await drain(queue), [], 'the event that came during the turn does not end the hold');
  clock.advance(8000);
  t.equal(await queue.take(), 'a');
  queue.release('a');
  queue.add('a');
  queue.hold('a', 8000);
  queue.done('a');
  t.equal(await queue.take(), 'a', 'what released the key came after what the worker judged');
  queue.hold('a', 8000);
  queue.done('a');
  queue.add('a');
  t.same(await drain(queue), [], 'the next hold counts');
});

t.test('a worker that waits gets the key that comes, and leaves with its signal', async (t) => {
  const queue = new Workqueue({ clock: turnedClock() });
  const first = queue.take();
  const leaving = new AbortController();
  const second = queue.take(leaving.signal);
  queue.add('a');
  t.equal(await first, 'a');
  leaving.abort();
  t.equal(await second, undefined);
  queue.add('b');
  t.equal(queue.depth, 1, 'nothing is handed to a worker that left');
});

t.test('a paused queue takes nothing and keeps nothing: what waits for nobody is no backlog', async (t) => {
  const clock = turnedClock();
  const waits: number[] = [];
  const queue = new Workqueue({ clock, observer: { added: () => {}, taken: (_depth, waited) => waits.push(waited) } });
  queue.add('waiting');
  queue.addAfter('later', 10);
  queue.pause();
  queue.add('meanwhile');
  queue.addAfter('much later', 1000);
  t.equal(queue.depth, 0);
  clock.advance(5000);
  t.equal(queue.depth, 0);
  queue.resume();
  t.same(await drain(queue), []);
  queue.add('waiting');
  t.equal(await queue.take(), 'waiting');
  t.same(waits, [0], 'its time counts from when somebody works');
});

t.test('a closed queue gives nothing, also to those who wait', async (t) => {
  const clock = turnedClock();
  const queue = new Workqueue({ clock });
  const waiting = queue.take();
  queue.addAfter('late', 10);
  queue.close();
  clock.advance(10);
  queue.add('after');
  t.equal(await waiting, undefined);
  t.equal(await queue.take(), undefined);
});
