import t from 'tap';
import { Fights } from '../../../controller/reconcile/fights.ts';

const rival = { field: '.data.k', manager: 'them' };

t.test('five reconciles that write to one object within a minute are a fight, and each more waits longer', (t) => {
  const fights = new Fights();
  const holds: number[] = [];
  for (let round = 0; round < 8; round++) {
    const now = 1000 + round * 5000;
    fights.wrote('x', now, rival);
    holds.push(fights.judge(now).hold);
  }
  t.same(holds, [0, 0, 0, 0, 1000, 2000, 4000, 8000]);
  t.same(fights.judge(36_000).fights, [{ object: 'x', rival }]);
  t.end();
});

t.test('the pause ends at 5 min', (t) => {
  const fights = new Fights();
  let now = 0;
  let hold = 0;
  for (let round = 0; round < 20; round++) {
    fights.wrote('x', now, undefined);
    hold = fights.judge(now).hold;
    now += Math.max(1000, hold);
  }
  t.equal(hold, 300_000);
  t.end();
});

const ROWS: readonly [title: string, times: readonly number[], expected: number][] = [
  ['four are none', [0, 1000, 2000, 3000], 0],
  ['five that are spread over more than a minute are none', [0, 20_000, 40_000, 60_000, 80_000], 0],
  ['two writes of one reconcile are one', [0, 0, 0, 0, 0], 0],
];
for (const [title, times, expected] of ROWS) {
  t.test(title, (t) => {
    const fights = new Fights();
    let hold = 0;
    for (const now of times) {
      fights.wrote('x', now, rival);
      hold = fights.judge(now).hold;
    }
    t.equal(hold, expected);
    t.end();
  });
}

t.test('writes to different objects are no fight', (t) => {
  const fights = new Fights();
  for (let round = 0; round < 10; round++) fights.wrote(`x${round}`, round * 100, rival);
  t.same(fights.judge(1000), { fights: [], hold: 0 });
  t.end();
});

t.test('a fight ends when the object is left alone', (t) => {
  const fights = new Fights();
  for (let round = 0; round < 5; round++) {
    fights.wrote('x', round * 1000, rival);
    fights.judge(round * 1000);
  }
  t.equal(fights.judge(5000).hold, 0, 'nothing was written this time');
  t.same(fights.judge(200_000), { fights: [], hold: 0 });
  t.end();
});
