import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isAlive } from './lock.ts';

// Runs as a process of its own, in its own session. Its stdin is a pipe that only the cluster's owner holds: the end of that pipe means
// that the owner is gone, however it went. Lines: `watch PID`, `forget PID`, `folder PATH` (to be removed at the end).
const groups = new Set<number>();
let folder: string | undefined;

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [word, argument = ''] = line.split(/ (.*)/s);
    if (word === 'watch') groups.add(Number(argument));
    if (word === 'forget') groups.delete(Number(argument));
    if (word === 'folder') folder = argument;
  })
  .on('close', () => {
    for (const group of [...groups].reverse()) kill(group);
    const started = Date.now();
    const timer = setInterval(() => {
      if ([...groups].some(isAlive) && Date.now() - started < 10_000) return;
      clearInterval(timer);
      if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }, 20);
  });

function kill(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
