import t from 'tap';
import { ByteGate } from '../../webhook/byte-gate.ts';
import { within } from '../support/admission.ts';

const soon = (): AbortSignal => AbortSignal.timeout(10_000);

t.test('bodies wait for room, and come in in order', async (t) => {
  const gate = new ByteGate(10);
  const order: string[] = [];
  const enter = async (name: string, bytes: number): Promise<void> => {
    if (await gate.enter(bytes, soon())) order.push(name);
  };
  await enter('a', 6);
  const waiting = [enter('b', 6), enter('c', 2)];
  await new Promise((resolve) => setImmediate(resolve));
  t.strictSame([order, gate.bytes], [['a'], 6], 'c would fit, but b was first');
  gate.leave(6);
  await Promise.all(waiting);
  t.strictSame([order, gate.bytes], [['a', 'b', 'c'], 8]);
});

t.test('a body larger than the room comes in alone', async (t) => {
  const gate = new ByteGate(10);
  t.equal(await gate.enter(50, soon()), true);
  t.equal(await gate.enter(1, within(20)), false);
  gate.leave(50);
  t.equal(await gate.enter(1, soon()), true);
});

t.test('who gives up makes way for who waits behind', async (t) => {
  const gate = new ByteGate(10);
  await gate.enter(6, soon());
  const large = gate.enter(8, within(20));
  const small = gate.enter(4, soon());
  t.strictSame([await large, await small, gate.bytes], [false, true, 10]);
});

t.test('an aborted signal does not come in', async (t) => {
  const gate = new ByteGate(10);
  t.equal(await gate.enter(1, AbortSignal.abort()), false);
  t.equal(gate.bytes, 0);
});
