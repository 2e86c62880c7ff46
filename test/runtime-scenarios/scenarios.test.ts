import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import t from 'tap';
import { startCluster } from '../cluster/cluster.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CASES = join(ROOT, 'test/cases');

/** Everything but what the runner, the admin and the API server do. */
const AUDIT = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - {level: None, users: [admin, "system:apiserver"]}
  - {level: Metadata}
`;

interface ScenarioResult {
  readonly id: string;
  readonly title: string;
  readonly outcome: 'pass' | 'fail' | 'skip';
  readonly why: string;
}

const hasPython = spawnSync('python3', ['-c', 'import sys, yaml; sys.exit(sys.version_info < (3, 11))']).status === 0;

t.test(
  'every runtime scenario holds on a live API server',
  hasPython ? { timeout: 840_000 } : { skip: 'needs Python 3.11 and PyYAML' },
  async (t) => {
    // Of its own, since scenarios take rights away from the controller and count its requests.
    const cluster = await startCluster({ auditPolicy: AUDIT });
    t.teardown(() => cluster.stop());
    const folder = mkdtempSync(join(tmpdir(), 'kro-graph-scenarios-'));
    const results = join(folder, 'results.json');
    await run([
      join(CASES, 'runtime.py'),
      ...['--kubeconfig', cluster.kubeconfig, '--audit-log', cluster.auditLog, '--workdir', folder, '--json', results],
      ...[
        '--controller-cmd',
        `${join(ROOT, 'bin/kro-graph')} controller --no-leader-elect --kubeconfig {kubeconfig} --probe-port 0 --metrics-port 0`,
      ],
      ...['--crds', join(ROOT, 'charts/kro-graph/files/crds'), '--scenarios', join(CASES, 'runtime'), '--jobs', '4'],
    ]);
    const { scenarios } = JSON.parse(readFileSync(results, 'utf8')) as { readonly scenarios: readonly ScenarioResult[] };
    t.ok(scenarios.length > 0, 'there are scenarios');
    for (const { id, title, outcome, why } of scenarios) {
      if (outcome === 'skip') t.pass(`${id} ${title}`, { skip: why });
      else t.equal(outcome, 'pass', `${id} ${title}${why === '' ? '' : `: ${why}`}`);
    }
  },
);

/** Resolves when the runner has ended, whatever it found: that stands in its results. */
function run(args: readonly string[]): Promise<void> {
  const child = spawn('python3', [...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', () => done());
  });
}
