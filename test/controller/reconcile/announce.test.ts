import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { type Inventory, Ledger, MOST_ENTRIES } from '../../../controller/inventory/ledger.ts';
import { sizeOf } from '../../../controller/inventory/size.ts';
import { Announcer } from '../../../controller/reconcile/announce.ts';
import type { Contribution, ManagedResource } from '../../../src/api/graph.ts';

function entry(name: string, uid?: string): ManagedResource {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name, nodeID: name, wave: 1, ...(uid === undefined ? {} : { uid }) };
}

function given(name: string): Contribution {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name, fieldManager: 'm' };
}

/** An announcer and what it has stored: the names of both inventories, one line for each write. */
function announcing(ledger: Ledger, fits = true): { readonly announcer: Announcer; readonly stored: string[] } {
  const stored: string[] = [];
  const store = async ({ managedResources, contributions }: Inventory): Promise<void> => {
    stored.push(`${managedResources.map(({ name }) => name)} ${contributions.map(({ name }) => name)}`);
  };
  return { announcer: new Announcer({ ledger, placeOf: () => 0, roomBeside: () => (fits ? 1_000_000 : 0), store }), stored };
}

t.test('objects and contributions are stored before they are written, what many announce at a time in one write', async (t) => {
  const ledger = new Ledger({ managedResources: [entry('old', 'u1')] });
  const { announcer, stored } = announcing(ledger);
  t.same(await Promise.all([announcer.announce([entry('a')], []), announcer.announce([], [given('p')])]), [true, true]);
  t.same(stored, ['old,a p']);
  t.equal(await announcer.announce([entry('old'), entry('a')], [given('p')]), true, 'what is stored already');
  t.equal(stored.length, 1);
});

const full = Array.from({ length: MOST_ENTRIES }, (_, at) => entry(`x${at}`, 'u'));
const refusals: readonly (readonly [title: string, ledger: () => Ledger, fits: boolean])[] = [
  ['an inventory that holds as many objects as it may', () => new Ledger({ managedResources: full }), true],
  [
    'an inventory that holds as many contributions as it may',
    () => new Ledger({ contributions: Array.from({ length: MOST_ENTRIES }, (_, at) => given(`x${at}`)) }),
    true,
  ],
  ['a Graph that would be too large', () => new Ledger({}), false],
];
for (const [title, ledgerOf, fits] of refusals) {
  t.test(`${title} takes nothing of what comes together, and stores nothing`, async (t) => {
    const ledger = ledgerOf();
    const [objects, contributions] = [ledger.entries.length, ledger.contributionEntries.length];
    const { announcer, stored } = announcing(ledger, fits);
    t.equal(await announcer.announce([entry('a')], [given('p')]), false);
    t.same([ledger.entries.length, ledger.contributionEntries.length, ledger.hasUnpersisted, stored], [objects, contributions, false, []]);
  });
}

t.test('what the inventory has already is announced also where nothing more would fit', async (t) => {
  const { announcer, stored } = announcing(new Ledger({ managedResources: [entry('a', 'u1')] }), false);
  t.equal(await announcer.announce([entry('a')], []), true);
  t.same(stored, []);
});

t.test(
  'an object that is made again while others are being announced is written only when the status names it without its former UID',
  async (t) => {
    const ledger = new Ledger({ managedResources: [entry('x', 'u1')] });
    const stored: string[][] = [];
    const answers: (() => void)[] = [];
    const store = async ({ managedResources }: Inventory): Promise<void> => {
      await new Promise<void>((resolve) => answers.push(resolve));
      stored.push(managedResources.map(({ name, uid = '' }) => `${name}:${uid}`));
    };
    const announcer = new Announcer({ ledger, placeOf: () => 0, roomBeside: () => 1000, store });
    const answerNext = async (): Promise<void> => {
      await turn();
      answers.shift()?.();
      await turn();
    };
    const others = announcer.announce([entry('y')], []);
    await turn();
    ledger.intendAnew(entry('x'));
    let mayBeWritten = false;
    const again = announcer.announce([], []).then(() => {
      mayBeWritten = true;
    });
    await answerNext();
    t.same([stored, mayBeWritten], [[['x:u1', 'y:']], false]);
    await answerNext();
    await Promise.all([others, again]);
    t.same(stored, [
      ['x:u1', 'y:'],
      ['x:', 'y:'],
    ]);
  },
);

t.test('what is announced takes room, which is measured once: the whole Graph is printed for it', async (t) => {
  const measured: number[] = [];
  const ledger = new Ledger({ managedResources: [entry('x', 'u1')] });
  const room = sizeOf({ managedResources: ['a', 'b', 'c'].map((name) => entry(name)), contributions: [] });
  const roomBeside = ({ managedResources }: Inventory): number => {
    measured.push(managedResources.length);
    return room;
  };
  const announcer = new Announcer({ ledger, placeOf: () => 0, roomBeside, store: async () => {} });
  const announced = await Promise.all(['x', 'a', 'b', 'c', 'd'].map((name) => announcer.announce([entry(name)], [])));
  t.same(announced, [true, true, true, true, false], 'one more is refused');
  t.same(measured, [1], 'beside what there was');
  t.same(
    ledger.entries.map(({ name }) => name),
    ['x', 'a', 'b', 'c'],
  );
});
