import t from 'tap';
import { type Dealt, isNews, noteDealing, ofTurn } from '../../../controller/watch/dealt.ts';

type Dealing = readonly [dealer: string, version: string, turn: number];

function listOf(dealings: readonly Dealing[]): Dealt | undefined {
  let list: Dealt | undefined;
  for (const [dealer, version, turn] of dealings) list = noteDealing(list, { dealer, version, turn });
  return list;
}

const NEWS: readonly [title: string, dealings: readonly Dealing[], version: string, expected: boolean][] = [
  ['anything is news where nobody has dealt with the object', [], '7', true],
  ['what the only dealer wrote is none', [['t', '7', 1]], '7', false],
  ['nor is what was before it', [['t', '10', 1]], '9', false],
  ['what came later is', [['t', '9', 1]], '10', true],
  [
    "a node's later write is news to the node that dealt with the object before",
    [
      ['t', '7', 1],
      ['p', '8', 1],
    ],
    '8',
    true,
  ],
  [
    '… and no more when that has dealt with it too',
    [
      ['t', '7', 1],
      ['p', '8', 1],
      ['t', '8', 2],
    ],
    '8',
    false,
  ],
  ['whoever found nothing there is told of the first version', [['read r', '', 1]], '7', true],
  [
    '… and of a later one whoever found nothing any more',
    [
      ['read r', '9', 1],
      ['read r', '', 2],
    ],
    '8',
    true,
  ],
  [
    'of one turn the newest version counts, in whatever order the answers come',
    [
      ['wrote', '9', 1],
      ['wrote', '8', 1],
    ],
    '9',
    false,
  ],
  [
    'of two turns the later counts, whatever its version',
    [
      ['t', '9', 1],
      ['t', '8', 2],
    ],
    '9',
    true,
  ],
];
for (const [title, dealings, version, expected] of NEWS) {
  t.test(title, (t) => {
    t.equal(isNews(listOf(dealings), version), expected);
    t.end();
  });
}

t.test('who did not deal with the object in this turn is forgotten, wherever in the list', (t) => {
  const dealings: readonly Dealing[] = [
    ['a', '5', 1],
    ['b', '6', 2],
    ['c', '5', 1],
    ['d', '6', 2],
    ['e', '5', 1],
  ];
  t.equal(isNews(listOf(dealings), '6'), true);
  t.equal(isNews(ofTurn(listOf(dealings), 2), '6'), false);
  t.equal(ofTurn(listOf(dealings), 3), undefined);
  t.end();
});

t.test('an object with which ten thousands of nodes deal costs no stack', (t) => {
  let list: Dealt | undefined;
  for (let node = 0; node < 20_000; node++) list = { dealer: `read r${node}`, version: '7', turn: node % 2, next: list };
  let left = 0;
  for (let dealt = ofTurn(list, 1); dealt !== undefined; dealt = dealt.next) left++;
  t.equal(left, 10_000);
  t.end();
});
