import t, { type Test } from 'tap';
import { ByteGate, type Passage } from '../../webhook/byte-gate.ts';
import { within } from '../support/admission.ts';

/** What a chunk costs besides its bytes. */
const CHUNK = 256;
const never = new AbortController().signal;

function scene(most: number) {
  let now = 0;
  const gate = new ByteGate({ most, patience: 1000, clock: { now: () => now } });
  const slow: string[] = [];
  const open = (name: string): Passage => gate.open(() => slow.push(name));
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { gate, slow, open, pass };
}

t.test('what is only announced takes no room', async (t) => {
  const { gate, open } = scene(1000);
  for (let index = 0; index < 100; index++) open(`announced ${index}`);
  t.equal(gate.bytes, 0);
  t.equal(open('last').take(10), true);
});

t.test('bytes are inside from when they came until they are answered', async (t) => {
  const { gate, open } = scene(10_000);
  const passage = open('a');
  passage.take(100);
  passage.take(50);
  t.equal(gate.bytes, 150 + 2 * CHUNK, 'each chunk costs something');
  passage.complete(150);
  t.equal(gate.bytes, 150);
  passage.leave();
  passage.leave();
  t.equal(gate.bytes, 0);
});

t.test('without room only the eldest body goes on; the others follow in their order', async (t) => {
  const { open } = scene(1100);
  const [a, b, c] = [open('a'), open('b'), open('c')];
  t.strictSame([a.take(500), b.take(500), c.take(1)], [true, false, false]);
  const order: string[] = [];
  const wait = async (passage: Passage, name: string): Promise<void> => void ((await passage.wait(never)) && order.push(name));
  const waits = [wait(c, 'c'), wait(b, 'b')];
  t.equal(a.take(2000), true, 'the eldest may exceed it');
  a.complete(2500);
  await turn();
  t.strictSame(order, ['b'], 'now b is the eldest, and there is still no room');
  a.leave();
  await Promise.all(waits);
  t.strictSame(order, ['b', 'c']);
});

t.test('who waits is given up when its time is over', async (t) => {
  const { open } = scene(100);
  open('a').take(100);
  const b = open('b');
  b.take(1);
  t.equal(await b.wait(within(20)), false);
  t.equal(await b.wait(AbortSignal.abort()), false);
});

const stalls: [title: string, wanted: boolean, expected: string[]][] = [
  ['a body that does not come makes way when others want its room', true, ['eldest']],
  ['a body that does not come may take its time when nobody waits', false, []],
];

for (const [title, isWanted, expected] of stalls) {
  t.test(title, async (t: Test) => {
    const { open, slow, pass } = scene(100);
    open('eldest').take(100);
    const waiting = open('waiting');
    waiting.take(1);
    pass(900);
    if (isWanted) void waiting.wait(never);
    await looks();
    t.strictSame(slow, [], 'it has had a moment only');
    pass(200);
    await looks();
    t.strictSame(
      [...new Set(slow)].filter((name) => name !== 'waiting'),
      expected,
    );
    waiting.leave();
  });
}

t.test('the time for which a body had to wait does not count', async (t) => {
  const { open, slow, pass } = scene(100);
  const eldest = open('eldest');
  eldest.take(100);
  const late = open('late');
  late.take(1);
  const waiting = late.wait(never);
  pass(5000);
  eldest.leave();
  await waiting;
  const last = open('last');
  last.take(200);
  void last.wait(never);
  await looks();
  t.strictSame(slow, []);
});

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Long enough for the gate to look around. */
function looks(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 600));
}
