import { spawn } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, matchesGlob } from 'node:path';

/** What came of a Dockerfile's last stage. */
export interface Image {
  /** The folder that stands for its root. */
  readonly root: string;
  readonly workdir: string;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Stage {
  readonly root: string;
  workdir: string;
  user: string;
  entrypoint: readonly string[];
  readonly env: Record<string, string>;
}

/**
 * Carries out a Dockerfile without an engine: each stage is a folder, COPY copies what .dockerignore lets through, RUN runs there with this
 * machine's Node in place of the base image. Knows the instructions that ours has and refuses others.
 */
export async function buildImage(context: string, folder: string): Promise<Image> {
  const ignored = readIgnore(join(context, '.dockerignore'));
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const [word, rest] of instructions(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    if (word === 'ARG' || word === 'LABEL' || word === 'EXPOSE') continue;
    if (word === 'FROM') {
      const name = / AS (\S+)$/.exec(rest)?.[1] ?? 'final';
      stage = { root: join(folder, name), workdir: '/', user: 'root', entrypoint: [], env: {} };
      mkdirSync(stage.root);
      stages.set(name, stage);
      continue;
    }
    if (stage === undefined) throw new Error(`${word} before FROM`);
    if (word === 'WORKDIR') stage.workdir = rest;
    else if (word === 'ENV') for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = value;
    else if (word === 'USER') stage.user = rest;
    else if (word === 'ENTRYPOINT') stage.entrypoint = JSON.parse(rest);
    else if (word === 'COPY') copy({ rest, stage, stages, context, ignored });
    else if (word === 'RUN') await run(rest, join(stage.root, stage.workdir));
    else throw new Error(`an instruction that this reader does not know: ${word}`);
  }
  if (stage === undefined) throw new Error('no FROM');
  return stage;
}

function instructions(text: string): [word: string, rest: string][] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [, word = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line.trim()) ?? [];
    return [word, rest];
  });
}

interface Copy {
  readonly rest: string;
  readonly stage: Stage;
  readonly stages: ReadonlyMap<string, Stage>;
  readonly context: string;
  readonly ignored: (path: string) => boolean;
}

function copy({ rest, stage, stages, context, ignored }: Copy): void {
  const [, from, names = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? [];
  const paths = names.split(/\s+/);
  const target = join(stage.root, stage.workdir, paths.pop() ?? '');
  for (const path of paths) {
    const source = from === undefined ? join(context, path) : join(stages.get(from)?.root ?? '', path);
    if (!existsSync(source) || (from === undefined && ignored(path))) throw new Error(`COPY ${path}: it is not in the context`);
    const isFolder = statSync(source).isDirectory();
    mkdirSync(target, { recursive: true });
    cpSync(source, isFolder ? target : join(target, basename(path)), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => from !== undefined || file === source || !ignored(file.slice(context.length + 1)),
    });
  }
}

/** The last pattern that fits decides; one with `!` lets through. A folder that holds something let through is let through itself. */
function readIgnore(file: string): (path: string) => boolean {
  const patterns = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const isIgnored = (path: string): boolean => {
    let result = false;
    for (const pattern of patterns) {
      const glob = pattern.replace(/^!/, '');
      if (matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`)) result = !pattern.startsWith('!');
    }
    return result;
  };
  return isIgnored;
}

async function run(command: string, cwd: string): Promise<void> {
  mkdirSync(cwd, { recursive: true });
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, npm_config_loglevel: 'error' };
  // The test runner hands its loaders to every child: they are none of the image's.
  const child = spawn('env', ['-u', 'NODE_OPTIONS', 'sh', '-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  if (code !== 0) throw new Error(`RUN ${command} ended with ${code}:\n${output.slice(-4000)}`);
}

/** Files under a folder, as paths from it. */
export function filesIn(folder: string, pattern = '**/*'): string[] {
  return globSync(pattern, { cwd: folder }).filter((file) => statSync(join(folder, file)).isFile());
}
