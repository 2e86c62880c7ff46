import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { type Inventory, Ledger } from '../../../controller/inventory/ledger.ts';
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
    const announcer = new Announcer({ ledger, placeOf: () => 0, fits: () => true, store });
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
