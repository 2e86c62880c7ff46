import t from 'tap';
import { systemClock } from '../../../controller/queue/clock.ts';
import { Workqueue } from '../../../controller/queue/workqueue.ts';

t.test("the day's time may be set back: a hold ends when its time is over all the same", async (t) => {
  const { now } = Date;
  t.teardown(() => {
    Date.now = now;
  });
  const queue = new Workqueue({ clock: systemClock });
  t.teardown(() => queue.close());
  queue.hold('g', 5);
  Date.now = () => now() - 3_600_000;
  queue.add('g');
  // Timers of the queue keep no process alive.
  const alive = setTimeout(() => {}, 5000);
  t.equal(await queue.take(AbortSignal.timeout(4000)), 'g');
  clearTimeout(alive);
});
