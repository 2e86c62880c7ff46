import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { processesWith } from './processes.ts';

const rows: [string, string[], (owner: ChildProcess) => void][] = [
  ['a cluster ends when its owner is killed by SIGKILL', ['cluster'], (owner) => owner.kill('SIGKILL')],
  ['a program ends when its owner gets Ctrl-C', ['program'], (owner) => owner.kill('SIGINT')],
  ['a program ends when its owner throws', ['program', 'throw'], () => {}],
];

for (const [title, args, end] of rows) {
  t.test(title, async (t) => {
    const owner = spawn(process.execPath, [join(import.meta.dirname, 'fixtures', 'owner.ts'), ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(owner, 'exit');
    const [folder] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string];
    t.not(processesWith(folder).length, 0, 'it runs');
    end(owner);
    await ended;
    t.strictSame(await remaining(folder), [], 'no process is left');
    t.notOk(existsSync(folder), 'no folder is left');
  });
}

// The watchdog acts at once, and removes the folder last.
async function remaining(folder: string): Promise<string[]> {
  for (let wait = 0; wait < 200 && existsSync(folder); wait += 1) await sleep(50);
  return processesWith(folder);
}
