import t from 'tap';
import { RateLimiter } from '../../src/kube/rate-limit.ts';
import { fakeClock } from '../support/fake-clock.ts';

const rows: readonly [title: string, limit: { qps: number; burst: number }, asked: number, milliseconds: number, served: number][] = [
  ['no limit', { qps: 0, burst: 0 }, 100, 0, 100],
  ['a burst goes at once', { qps: 10, burst: 5 }, 20, 0, 5],
  ['then one each interval', { qps: 10, burst: 5 }, 20, 500, 10],
  ['without a burst one at a time', { qps: 2, burst: 0 }, 20, 2000, 5],
];
for (const [title, limit, asked, milliseconds, served] of rows) {
  t.test(title, async (t) => {
    const clock = fakeClock();
    const limiter = new RateLimiter(limit, clock);
    let count = 0;
    for (let index = 0; index < asked; index += 1) {
      limiter.turn(undefined).then(() => {
        count += 1;
      });
    }
    await clock.advance(milliseconds);
    t.equal(count, served);
  });
}

t.test('after a rest the burst is whole again, and not more', async (t) => {
  const clock = fakeClock();
  const limiter = new RateLimiter({ qps: 10, burst: 3 }, clock);
  let count = 0;
  const ask = (): void => {
    limiter.turn(undefined).then(() => {
      count += 1;
    });
  };
  await clock.advance(60_000);
  for (let index = 0; index < 10; index += 1) ask();
  await clock.advance(0);
  t.equal(count, 3);
});
