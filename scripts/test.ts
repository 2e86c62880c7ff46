import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Cluster } from '../test/cluster/cluster.ts';
import { ensureTools } from '../test/cluster/ensure-tool.ts';
import { startGuardian } from '../test/cluster/guardian.ts';
import { sharedKubeconfigVariable, startSharedCluster } from '../test/support/cluster.ts';
import { findTestFiles, needsCluster, type Suite, toolsToBuild } from './test-files.ts';
import { printTotals, reportTap } from './test-report.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    suite: { type: 'string', default: 'all' },
    timeout: { type: 'string' },
    jobs: { type: 'string' },
  },
});
const files = positionals.length > 0 ? positionals.map((file) => relative(root, resolve(file))) : findTestFiles(values.suite as Suite);

// A file with a cluster keeps two cores busy by itself; two at once run into one another's time limits.
const jobs = values.jobs ?? (files.some(needsCluster) ? '1' : '2');

// Asked for by name, faults are tested one and all, which takes hours; else a part that takes minutes.
const allFaults = values.suite === 'faults' ? { KRO_GRAPH_FAULTS: 'all' } : {};
const timeout = values.timeout ?? (values.suite === 'faults' ? '14400' : '900');

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => interrupted.abort());

const guardian = startGuardian(mkdtempSync(join(tmpdir(), 'kro-graph-test-')));
let cluster: Cluster | undefined;
try {
  await ensureTools(toolsToBuild(files));
  if (files.some(needsCluster) && !process.env[sharedKubeconfigVariable]) cluster = await startSharedCluster();
  process.exitCode = await runTap();
} finally {
  await cluster?.stop();
  await guardian.end();
}

async function runTap(): Promise<number> {
  const { parser, totals, files: reported } = reportTap((line) => console.log(line));
  if (files.length > 0 && !interrupted.signal.aborted) {
    const tap = join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs');
    const args = ['run', '--disable-coverage', '--reporter=tap', `--timeout=${timeout}`, `--jobs=${jobs}`, ...files];
    const child = spawn(process.execPath, [tap, ...args], {
      cwd: root,
      env: { ...allFaults, ...process.env, ...(cluster && { [sharedKubeconfigVariable]: cluster.kubeconfig }) },
      stdio: ['ignore', 'pipe', 'inherit'],
      // A group of its own, so that no test file outlives an interrupted run.
      detached: true,
    });
    const group = child.pid ?? 0;
    guardian.watch(group);
    interrupted.signal.addEventListener('abort', () => process.kill(-group, 'SIGKILL'));
    child.stdout.pipe(parser);
    const ended = new Promise<number>((done) => child.once('close', (code) => done(code ?? 1)));
    await new Promise((done) => parser.once('complete', done));
    // tap gives up on the files that wait when one runs out of time.
    for (const file of files.filter((name) => !reported.has(name))) {
      console.log(`not ok ${file}: was not run`);
      totals.failed += 1;
    }
    // tap fails in ways of its own (a plugin it cannot load): such a run must not look green.
    if ((await ended) !== 0 && totals.failed === 0) totals.failed += 1;
  }
  if (totals.passed + totals.failed === 0) console.error('no test was run');
  console.log(printTotals(totals));
  return interrupted.signal.aborted ? 130 : totals.failed > 0 || totals.passed === 0 ? 1 : 0;
}
