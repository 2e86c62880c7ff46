import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { withLock } from './lock.ts';

t.test('work under one lock never overlaps, and who waits is told for whom', async (t) => {
  const file = join(t.testdir(), 'lock');
  const waits: number[] = [];
  let running = 0;
  const work = async (): Promise<void> => {
    running += 1;
    t.equal(running, 1);
    await sleep(20);
    running -= 1;
  };
  await Promise.all([1, 2, 3].map(() => withLock({ file, onWait: (pid) => waits.push(pid) }, work)));
  t.strictSame(new Set(waits), new Set([process.pid]));
});

t.test('the lock of a process that is dead is taken over', async (t) => {
  const file = join(t.testdir(), 'lock');
  const { pid } = spawnSync('true');
  writeFileSync(file, String(pid));
  t.equal(await withLock({ file, onWait: () => t.fail('waits for the dead') }, async () => 'done'), 'done');
});

t.test('a lock is given back when the work fails, and leaves no file', async (t) => {
  const folder = t.testdir();
  const file = join(folder, 'lock');
  const fail = async (): Promise<never> => {
    throw new Error('on purpose');
  };
  await t.rejects(withLock({ file, onWait: () => {} }, fail), /on purpose/);
  t.notOk(existsSync(file));
  t.strictSame(readdirSync(folder), []);
});
