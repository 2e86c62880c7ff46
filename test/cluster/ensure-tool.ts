import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from './lock.ts';
import { type GoTool, type ToolName, tools } from './tools.ts';

const run = promisify(execFile);
const pending = new Map<ToolName, Promise<string>>();

/**
 * The path of a Go program, built on first use. The control plane's programs are looked for in KUBEBUILDER_ASSETS and on the PATH
 * (where etcd and kube-apiserver both are); everything else, and what is missing there, comes from this user's cache folder, which is
 * keyed by the pinned versions. Processes that ask at the same time build once; a build that fails leaves nothing behind.
 */
export function ensureTool(name: ToolName): Promise<string> {
  const known = pending.get(name);
  if (known) return known;
  const found = findOrBuild(name);
  pending.set(name, found);
  found.catch(() => pending.delete(name));
  return found;
}

/** Ensures several programs, one after another: each build uses every core already. */
export async function ensureTools(names: readonly ToolName[]): Promise<void> {
  for (const name of names) await ensureTool(name);
}

async function findOrBuild(name: ToolName): Promise<string> {
  const tool: GoTool = tools[name];
  const installed = tool.installedCounts ? findInstalled(name) : undefined;
  if (installed) return installed;
  const folder = join(cacheFolder(), `${name}-${versionKey(tool)}`);
  const binary = join(folder, name);
  if (existsSync(binary)) return binary;
  const onWait = (pid: number): void => say(`${name}: waiting for process ${pid}, which is building it`);
  return withLock({ file: `${folder}.lock`, onWait }, async () => {
    if (!existsSync(binary)) await build(name, tool, folder);
    return binary;
  });
}

async function build(name: ToolName, tool: GoTool, folder: string): Promise<void> {
  const source = sourceFolder(tool);
  const scratch = `${folder}.building`;
  const started = Date.now();
  say(`${name}: building it from Go modules, once; about ${tool.takes} on 2 cores`);
  const ticker = setInterval(() => say(`${name}: still building, ${seconds(started)} so far`), 30_000);
  try {
    // Left by a build that was killed.
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { recursive: true });
    const flags = ['-s', '-w', ...Object.entries(tool.stamps ?? {}).map(([key, value]) => `-X ${key}=${value}`)].join(' ');
    await go(['build', '-trimpath', '-ldflags', flags, '-o', join(scratch, name), tool.package], tool);
    if (tool.share) await copyShare(tool, tool.share, scratch);
    await rename(scratch, folder);
  } catch (cause) {
    throw new Error(`cannot build ${name} in ${source}`, { cause });
  } finally {
    clearInterval(ticker);
    await rm(scratch, { recursive: true, force: true });
  }
  say(`${name}: built in ${seconds(started)}`);
}

// Go's own messages (downloads, then errors) are kept and only shown when the build fails.
async function go(args: readonly string[], tool: GoTool): Promise<void> {
  const child = spawn('go', args, { cwd: sourceFolder(tool), env: goEnvironment(tool), stdio: ['ignore', 'ignore', 'pipe'] });
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    messages = (messages + chunk).slice(-16_384);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) => reject(new Error('go cannot be started: Go 1.26 or later must be on the PATH', { cause })));
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`go ${args[0]} ended with ${code}:\n${messages.split('\n').slice(-25).join('\n')}`);
}

async function copyShare(tool: GoTool, share: { module: string; folder: string }, target: string): Promise<void> {
  const { stdout } = await run('go', ['list', '-m', '-f', '{{.Dir}}', share.module], { cwd: sourceFolder(tool), env: goEnvironment(tool) });
  await cp(join(stdout.trim(), share.folder), join(target, basename(share.folder)), { recursive: true });
  await run('chmod', ['-R', 'u+w', target]);
}

function goEnvironment(tool?: GoTool): NodeJS.ProcessEnv {
  return { ...process.env, CGO_ENABLED: '0', GOWORK: 'off', ...tool?.environment };
}

function findInstalled(name: string): string | undefined {
  const assets = process.env['KUBEBUILDER_ASSETS'];
  if (assets && isExecutable(join(assets, name))) return join(assets, name);
  const onPath = (program: string): string | undefined =>
    (process.env['PATH'] ?? '')
      .split(delimiter)
      .map((folder) => join(folder, program))
      .find(isExecutable);
  return onPath('etcd') && onPath('kube-apiserver') ? onPath(name) : undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'kro-graph');
}

function sourceFolder(tool: GoTool): string {
  return join(import.meta.dirname, 'tools', tool.folder);
}

// go.sum follows from go.mod; a main.go of our own belongs to the version as well.
function versionKey(tool: GoTool): string {
  const folder = sourceFolder(tool);
  const hash = createHash('sha256').update(JSON.stringify([tool.package, tool.stamps, tool.share, process.platform, process.arch]));
  for (const file of readdirSync(folder).sort()) {
    if (file === 'go.mod' || file.endsWith('.go')) hash.update(file).update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 12);
}

function seconds(started: number): string {
  return `${Math.round((Date.now() - started) / 1000)} s`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Where the files are that come with a program (its `share` folder). */
export async function toolShare(name: ToolName): Promise<string> {
  return join(dirname(await ensureTool(name)), basename((tools[name] as GoTool).share?.folder ?? '.'));
}
