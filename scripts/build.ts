import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

// dist/ holds what the package and the image run: the same folders as JavaScript, and nothing of an earlier build.
rmSync(join(root, 'dist'), { recursive: true, force: true });
const tsc = join(root, 'node_modules', '.bin', 'tsc');
process.exitCode = spawnSync(tsc, ['--project', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' }).status ?? 1;
