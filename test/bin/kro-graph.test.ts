import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';

const root = mkdtempSync(join(tmpdir(), 'kro-graph-bin-'));
t.teardown(() => rmSync(root, { recursive: true }));
const command = join(root, 'bin', 'kro-graph');
mkdirSync(join(root, 'bin'));
copyFileSync(join(import.meta.dirname, '../../bin/kro-graph'), command);

/** A Node that says its version, and else its arguments. */
function fakeNode(file: string, version: string): void {
  writeFileSync(file, `#!/bin/sh\n[ "$1" = --version ] && echo ${version} && exit\necho "$@"\n`);
  chmodSync(file, 0o755);
}

function run(program: string, args: readonly string[], pathFolder: string): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(program, args, { encoding: 'utf8', env: { PATH: `${pathFolder}:/usr/bin:/bin` } });
}

const path = join(root, 'path');
mkdirSync(path);

t.test('a Node that is too old is one clear line and exit code 2', async (t) => {
  fakeNode(join(path, 'node'), 'v20.1.0');
  const { status, stdout, stderr } = run(command, ['webhook'], path);
  t.strictSame([status, stdout], [2, '']);
  t.match(stderr, /^kro-graph: needs Node.js 24 or later on the PATH \(found 20\).*\n$/);
});

t.test('a clone without its packages is one clear line and exit code 2', async (t) => {
  const clone = t.testdir({ bin: {}, 'package-lock.json': '{}' });
  copyFileSync(command, join(clone, 'bin', 'kro-graph'));
  fakeNode(join(path, 'node'), 'v24.0.0');
  const said = { status: 2, stdout: '', stderr: 'kro-graph: its packages are not installed; run: npm run setup\n' };
  t.match(run(join(clone, 'bin', 'kro-graph'), ['validate', 'a'], path), said);
  mkdirSync(join(clone, 'node_modules'));
  t.match(run(join(clone, 'bin', 'kro-graph'), ['validate', 'a'], path), { status: 0 });
});

const SMALL_YOUNG_GENERATION = '--max-semi-space-size=2';
const MODEST_YOUNG_GENERATION = '--max-semi-space-size=8';
const rows: [string, string[], string][] = [
  ['the webhook', ['webhook', '--port', '1'], `${MODEST_YOUNG_GENERATION} ${root}/dist/webhook/main.js --port 1`],
  ['the controller', ['controller', '--concurrency', '2'], `${SMALL_YOUNG_GENERATION} ${root}/dist/controller/main.js --concurrency 2`],
  ['the help of a server is its own', ['help', 'webhook'], `${MODEST_YOUNG_GENERATION} ${root}/dist/webhook/main.js --help`],
  ['the help of another command is the CLI', ['help', 'validate'], `${root}/dist/src/cli/main.js help validate`],
  ['everything else is the CLI', ['validate', 'a b'], `${root}/dist/src/cli/main.js validate a b`],
  ['no arguments are the CLI too', [], `${root}/dist/src/cli/main.js`],
];

t.test('the image has dist/ and its own Node', async (t) => {
  fakeNode(join(path, 'node'), 'v24.0.0');
  for (const [title, args, expected] of rows) t.equal(run(command, args, path).stdout.trim(), expected, title);
});

t.test('malloc has one arena, unless somebody wants more', async (t) => {
  writeFileSync(join(path, 'node'), '#!/bin/sh\n[ "$1" = --version ] && echo v24.0.0 && exit\necho "$MALLOC_ARENA_MAX"\n');
  t.equal(run(command, ['controller'], path).stdout.trim(), '1');
  const env = { PATH: `${path}:/usr/bin:/bin`, MALLOC_ARENA_MAX: '4' };
  t.equal(spawnSync(command, ['controller'], { encoding: 'utf8', env }).stdout.trim(), '4');
  fakeNode(join(path, 'node'), 'v24.0.0');
});

t.test('sources win over dist/, also through a symbolic link', async (t) => {
  mkdirSync(join(root, 'webhook'));
  writeFileSync(join(root, 'webhook', 'main.ts'), '');
  symlinkSync('bin/kro-graph', join(root, 'link'));
  symlinkSync(join(root, 'link'), join(path, 'kro-graph'));
  t.equal(run(join(path, 'kro-graph'), ['webhook'], path).stdout.trim(), `${MODEST_YOUNG_GENERATION} ${join(root, 'webhook/main.ts')}`);
});

t.test("a checkout's Node comes first", async (t) => {
  mkdirSync(join(root, 'node_modules/node/bin'), { recursive: true });
  fakeNode(join(root, 'node_modules/node/bin/node'), 'v24.0.0');
  fakeNode(join(path, 'node'), 'v20.1.0');
  t.equal(run(command, ['webhook'], path).status, 0);
});
