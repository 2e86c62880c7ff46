import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const steps = [
  ['types', join(root, 'node_modules', '.bin', 'tsc'), '--noEmit'],
  ['lint and format', join(root, 'node_modules', '.bin', 'biome'), 'check', '--error-on-warnings'],
] as const;

// Every step runs, so that one run shows all there is to mend.
for (const [title, command, ...args] of steps) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`check failed: ${title}`);
    process.exitCode = 1;
  }
}
