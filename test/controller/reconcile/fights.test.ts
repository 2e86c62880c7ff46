import t from 'tap';
import { Fights, type ObjectWrite } from '../../../controller/reconcile/fights.ts';

const rival = { field: '.data.k', manager: 'them' };

function restored(object: string, now: number): ObjectWrite {
  return { object, deed: 'restored', now, rival };
}

function changed(object: string, now: number): ObjectWrite {
  return { object, deed: 'changed', now, rival: undefined };
}

t.test('five reconciles that write to one object within a minute are a fight, and each more waits longer', (t) => {
  const fights = new Fights();
  const holds: number[] = [];
  for (let round = 0; round < 8; round++) {
    const now = 1000 + round * 5000;
    fights.wrote(restored('x', now));
    holds.push(fights.judge(now).hold);
  }
  t.same(holds, [0, 0, 0, 0, 1000, 2000, 4000, 8000]);
  t.same(fights.judge(36_000).fights, [{ object: 'x', deed: 'restored', rival }]);
  t.end();
});

t.test('the pause ends at 5 min', (t) => {
  const fights = new Fights();
  let now = 0;
  let hold = 0;
  for (let round = 0; round < 20; round++) {
    fights.wrote(restored('x', now));
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
      fights.wrote(restored('x', now));
      hold = fights.judge(now).hold;
    }
    t.equal(hold, expected);
    t.end();
  });
}

t.test('writes to different objects are no fight', (t) => {
  const fights = new Fights();
  for (let round = 0; round < 10; round++) fights.wrote(restored(`x${round}`, round * 100));
  t.same(fights.judge(1000), { fights: [], hold: 0 });
  t.end();
});

t.test('a fight ends when the object is left alone', (t) => {
  const fights = new Fights();
  for (let round = 0; round < 5; round++) {
    fights.wrote(restored('x', round * 1000));
    fights.judge(round * 1000);
  }
  t.equal(fights.judge(5000).hold, 0, 'nothing was written this time');
  t.same(fights.judge(200_000), { fights: [], hold: 0 });
  t.end();
});

t.test('the next fight begins with the shortest pause, after one that has ended as after an edit of the Graph', (t) => {
  for (const between of [(fights: Fights) => fights.judge(400_000), (fights: Fights) => fights.forget()]) {
    const fights = new Fights();
    const fight = (start: number): number[] =>
      Array.from({ length: 6 }, (_, round) => {
        fights.wrote(restored('x', start + round * 1000));
        return fights.judge(start + round * 1000).hold;
      });
    t.same(fight(0), [0, 0, 0, 0, 1000, 2000]);
    between(fights);
    t.same(fight(400_001), [0, 0, 0, 0, 1000, 2000]);
  }
  t.end();
});

/** Writes of so many reconciles, one each so many milliseconds; gives the last hold. */
function change(fights: Fights, count: number, every: number, start = 0): number {
  let hold = 0;
  for (let round = 0; round < count; round++) {
    fights.wrote(changed('x', start + round * every));
    hold = fights.judge(start + round * every).hold;
  }
  return hold;
}

const CHANGES: readonly [title: string, count: number, every: number, expected: number][] = [
  ['what is wanted may change 199 times within a minute', 199, 10, 0],
  ['… and at the 200th time the Graph is taken to feed itself', 200, 10, 1000],
  ['… or may go on three times a second', 1000, 334, 0],
];
for (const [title, count, every, expected] of CHANGES) {
  t.test(title, (t) => {
    t.equal(change(new Fights(), count, every), expected);
    t.end();
  });
}

t.test('a Graph that feeds itself waits longer each time, also when it writes seldom by then, and it is told', (t) => {
  const fights = new Fights();
  const holds = [change(fights, 200, 10)];
  let now = 1990;
  while (holds.length < 11) {
    now += holds.at(-1) ?? 0;
    fights.wrote(changed('x', now));
    holds.push(fights.judge(now).hold);
  }
  t.same(holds, [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]);
  t.same(fights.judge(now).fights, [{ object: 'x', deed: 'changed', rival: undefined }]);
  t.same(fights.judge(now + 4_000_000), { fights: [], hold: 0 });
  t.end();
});

t.test('a slow stream of changes beside a fight is none', (t) => {
  const fights = new Fights();
  let hold = 0;
  for (let now = 0; now < 300_000; now += hold) {
    fights.wrote(restored('y', now));
    hold = Math.max(1000, fights.judge(now).hold);
  }
  change(fights, 300, 2000, 300_000);
  t.same(
    fights.judge(900_000).fights.map(({ object }) => object),
    ['y'],
  );
  t.end();
});

t.test('an edit of the Graph forgets what it did before', (t) => {
  const fights = new Fights();
  change(fights, 199, 10);
  fights.forget();
  t.equal(change(fights, 199, 10, 2000), 0);
  t.end();
});

t.test('a first reconcile of thousands of objects makes nobody forget a fight', (t) => {
  const fights = new Fights();
  for (let round = 0; round < 5; round++) fights.wrote(restored('y', round));
  for (let at = 0; at < 3000; at++) fights.wrote(changed(`x${at}`, 4));
  t.same(fights.judge(4), { fights: [{ object: 'y', deed: 'restored', rival }], hold: 1000 });
  t.end();
});
