import t from 'tap';
import { Limiter } from '../../../controller/apply/limiter.ts';

t.test('so many run at once, the others in the order of their coming, also after a failure', async (t) => {
  const limiter = new Limiter(2);
  const started: number[] = [];
  const finish: ((error?: Error) => void)[] = [];
  const runs = [0, 1, 2, 3].map((at) =>
    limiter.run(() => {
      started.push(at);
      return new Promise<number>((resolve, reject) => finish.push((error) => (error === undefined ? resolve(at) : reject(error))));
    }),
  );
  const settled = Promise.allSettled(runs);
  await new Promise((resolve) => setImmediate(resolve));
  t.same(started, [0, 1]);
  finish[1]?.(new Error('broken'));
  await new Promise((resolve) => setImmediate(resolve));
  t.same(started, [0, 1, 2]);
  finish[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  t.same(started, [0, 1, 2, 3]);
  finish[2]?.();
  finish[3]?.();
  t.same(
    (await settled).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  );
});
