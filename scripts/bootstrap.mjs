// Plain JavaScript for the machine's own Node (20 or later), without dependencies: installs what package-lock.json pins, then runs
// `scripts/<name>.ts` (or any .ts file) under the Node 24 that was installed.
//   node scripts/bootstrap.mjs NAME [ARGUMENT...]
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const node = join(root, 'node_modules', 'node', 'bin', 'node');
const stamp = join(root, 'node_modules', '.kro-graph-setup');

install();
if (process.env['npm_lifecycle_event']) await import('./end-with-parent.mjs');
run(process.argv[2] ?? 'setup', process.argv.slice(3));

/** Brings node_modules to the lock file once per lock file, and builds tap's plugins, which it needs before its first run. */
function install() {
  const wanted = createHash('sha256');
  for (const file of ['package-lock.json', '.taprc']) wanted.update(readFileSync(join(root, file)));
  const key = wanted.digest('hex');
  if (existsSync(node) && existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;
  const started = Date.now();
  say('installing the packages of package-lock.json; about 30 s');
  // A tree that exists is brought up to date in place: `npm ci` would take it away from a process that runs from it.
  const command = existsSync(join(root, 'node_modules')) ? ['install', '--no-save'] : ['ci'];
  must('npm', [...command, '--no-audit', '--no-fund', '--loglevel=error']);
  must(node, [join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs'), 'build']);
  writeFileSync(stamp, key);
  say(`packages installed in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** Runs a command quietly; its output is shown only when it fails, and ends this process. */
function must(command, args) {
  const result = spawnSync(command, args, { cwd: root, env: environment(), encoding: 'utf8', maxBuffer: 1 << 26 });
  if (result.status === 0) return;
  say(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error ?? ''}`);
  say(`"${[command, ...args].join(' ')}" failed`);
  process.exit(2);
}

function run(name, args) {
  const script = name.endsWith('.ts') ? join(root, name) : join(root, 'scripts', `${name}.ts`);
  if (!existsSync(script)) {
    say(`there is no ${script.slice(root.length + 1)} yet`);
    process.exit(2);
  }
  const child = spawn(node, ['--import', new URL('end-with-parent.mjs', import.meta.url).href, script, ...args], {
    stdio: 'inherit',
    env: environment(),
  });
  // The terminal sends Ctrl-C to the child as well: this process only waits for it.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}

/** Node 24 comes first on the PATH, also for the programs that scripts start. */
function environment() {
  return { ...process.env, PATH: [dirname(node), join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter) };
}

function say(line) {
  process.stderr.write(`${line.trimEnd()}\n`);
}
