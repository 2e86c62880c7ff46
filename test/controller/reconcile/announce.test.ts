import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { type Inventory, Ledger } from '../../../controller/inventory/ledger.ts';
import { sizeOf } from '../../../controller/inventory/size.ts';
import { Announcer } from '../../../controller/reconcile/announce.ts';
import type { ManagedResource } from '../../../src/api/graph.ts';

function entry(name: string, uid?: string): ManagedResource {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name, nodeID: name, wave: 1, ...(uid === undefined ? {} : { uid }) };
}

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
