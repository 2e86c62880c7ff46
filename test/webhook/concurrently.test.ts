import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { eachWithin } from '../../webhook/checks/concurrently.ts';

t.test('so many at once, and the results in the order of the items', async (t) => {
  let running = 0;
  let most = 0;
  const results = await eachWithin(2, [3, 1, 2], async (turns) => {
    running++;
    most = Math.max(most, running);
    for (let at = 0; at < turns; at++) await turn();
    running--;
    return turns * 10;
  });
  t.same(results, [30, 10, 20]);
  t.equal(most, 2);
});

t.test('after the first failure none is begun any more', async (t) => {
  const begun: number[] = [];
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    await turn();
    if (item === 0) throw new Error('the API server is away');
  };
  await t.rejects(eachWithin(2, [0, 1, 2, 3, 4, 5], work), { message: 'the API server is away' });
  for (let at = 0; at < 10; at++) await turn();
  t.same(begun, [0, 1]);
});
