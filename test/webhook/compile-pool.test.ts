import t, { type Test } from 'tap';
import { DEFAULT_LIMITS } from '../../src/compiler/limits.ts';
import type { SchemaPart } from '../../webhook/compile-message.ts';
import { CompilePool, NotCompiled, type NotCompiledReason } from '../../webhook/compile-pool.ts';

const program = new URL('./threads/obedient.ts', import.meta.url);

function pool(t: Pick<Test, 'teardown'>, threads = 1, observe = (_seconds: number, _isValid: boolean): void => {}): CompilePool {
  const heap = { oldMegabytes: 64, youngMegabytes: 24 };
  const pool = new CompilePool({
    threads,
    limits: DEFAULT_LIMITS,
    planSteps: { expression: 1e6, reconcile: 1e7 },
    mostMilliseconds: 500,
    heap,
    program,
    onFault: () => {},
    observe,
  });
  t.teardown(() => pool.close());
  return pool;
}

const part = (hash: string, size: number): SchemaPart => ({ hash, bytes: new SharedArrayBuffer(size) });
const soon = (): AbortSignal => AbortSignal.timeout(30_000);
const order = (word: string, parts: readonly SchemaPart[] = []) => ({ review: Buffer.from(word), parts });

t.test('a thread is sent each part once', async (t) => {
  const threads = pool(t);
  const told: unknown[] = [];
  for (const parts of [[part('a', 1), part('b', 2)], [part('b', 2)], [part('b', 2), part('c', 3)]]) {
    const [diagnostic] = await threads.compile(order('tell', parts), soon());
    t.equal(diagnostic?.path.toString(), 'spec.nodes[3]');
    told.push(JSON.parse(diagnostic?.message ?? ''));
  }
  t.strictSame(told, [
    {
      parts: ['a', 'b'],
      newParts: [
        ['a', 1],
        ['b', 2],
      ],
    },
    { parts: ['b'], newParts: [] },
    { parts: ['b', 'c'], newParts: [['c', 3]] },
  ]);
});

t.test('each compilation that comes to its end is told, and no other', async (t) => {
  const told: [isTime: boolean, isValid: boolean][] = [];
  const threads = pool(t, 1, (seconds, isValid) => told.push([seconds >= 0 && seconds < 30, isValid]));
  const [diagnostic] = await threads.compile(order('tell'), soon());
  await t.rejects(threads.compile(order('loop'), AbortSignal.timeout(100)));
  t.strictSame(told, [[true, diagnostic?.severity !== 'error']]);
});

t.test('a late job is given up, and the next one finds a thread', async (t) => {
  const threads = pool(t);
  await threads.ready;
  const started = performance.now();
  await t.rejects(threads.compile(order('loop'), AbortSignal.timeout(100)), new NotCompiled('late', 'compiling took too long'));
  t.ok(performance.now() - started < 10_000);
  const [diagnostic] = await threads.compile(order('tell', [part('a', 1)]), soon());
  t.strictSame(JSON.parse(diagnostic?.message ?? ''), { parts: ['a'], newParts: [['a', 1]] }, 'the new thread knows nothing yet');
});

t.test('a job that waits behind a long one is given up without harm to it', async (t) => {
  const threads = pool(t);
  await threads.ready;
  const long = threads.compile(order('loop'), AbortSignal.timeout(1500));
  await t.rejects(
    threads.compile(order('tell'), AbortSignal.timeout(100)),
    new NotCompiled('late', 'the compiler was busy with other Graphs'),
  );
  await t.rejects(long, new NotCompiled('late', 'compiling took too long'));
});

t.test('a job whose answer is due soon after it began may finish, and its thread stays', async (t) => {
  const threads = pool(t);
  await threads.compile(order('tell', [part('a', 1)]), soon());
  await t.rejects(threads.compile(order('nap'), AbortSignal.timeout(20)), new NotCompiled('late', 'compiling took too long'));
  const [diagnostic] = await threads.compile(order('tell', [part('a', 1)]), soon());
  t.strictSame(JSON.parse(diagnostic?.message ?? ''), { parts: ['a'], newParts: [] }, 'the same thread, which knows the part');
});

t.test('one long job does not hold up others where there are two threads', async (t) => {
  const threads = pool(t, 2);
  const over = new AbortController();
  const long = threads.compile(order('loop'), over.signal);
  const results = await Promise.all(Array.from({ length: 20 }, () => threads.compile(order('tell'), soon())));
  over.abort();
  t.equal(results.length, 20);
  await t.rejects(long, new NotCompiled('late', 'compiling took too long'));
});

const failures: [string, string, NotCompiledReason, string][] = [
  ['too much memory', 'eat', 'exhausted', 'compiling takes more memory than a Graph may use'],
  ['the compiler throws', 'throw', 'failed', 'the compiler threw'],
  ['the thread ends', 'end', 'failed', 'a compiler thread ended'],
];

for (const [title, word, reason, message] of failures) {
  t.test(`${title}: the job fails, the pool goes on`, async (t) => {
    const threads = pool(t);
    await t.rejects(threads.compile(order(word), soon()), new NotCompiled(reason, message));
    t.equal((await threads.compile(order('tell'), soon())).length, 1);
  });
}

t.test('an aborted signal compiles nothing', async (t) => {
  await t.rejects(pool(t).compile(order('tell'), AbortSignal.abort()), new NotCompiled('late', 'no time was left to compile'));
});

t.test('closing gives up what waits', async (t) => {
  const threads = pool(t);
  const jobs = [threads.compile(order('loop'), soon()), threads.compile(order('tell'), soon())];
  const settled = Promise.allSettled(jobs);
  await threads.ready;
  await threads.close();
  for (const result of await settled) t.match(result, { status: 'rejected', reason: { reason: 'late' } });
});
