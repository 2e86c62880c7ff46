import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import t, { type Test } from 'tap';
import { startCluster } from '../cluster/cluster.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CASES = join(ROOT, 'test/cases');
const SCENARIOS = join(CASES, 'runtime');
const CONTROLLER = `${join(ROOT, 'bin/kro-graph')} controller --no-leader-elect --kubeconfig {kubeconfig} --probe-port 0 --metrics-port 0`;
const WEBHOOK = `${process.execPath} ${join(import.meta.dirname, 'webhook.ts')}`;

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
  hasPython ? { timeout: 880_000 } : { skip: 'needs Python 3.11 and PyYAML' },
  async (t) => {
    // Of its own, since scenarios take rights away from the controller and count its requests.
    const cluster = await startCluster({ auditPolicy: AUDIT, controllerManager: true });
    t.teardown(() => cluster.stop());
    const folder = mkdtempSync(join(tmpdir(), 'kro-graph-scenarios-'));
    const runScenarios = async (name: string, more: readonly string[]): Promise<readonly ScenarioResult[]> => {
      const results = join(folder, `${name}.json`);
      await run([
        join(CASES, 'runtime.py'),
        ...['--kubeconfig', cluster.kubeconfig, '--audit-log', cluster.auditLog, '--workdir', join(folder, name), '--json', results],
        ...['--controller-cmd', CONTROLLER, '--crds', join(ROOT, 'charts/kro-graph/files/crds'), '--scenarios', SCENARIOS, '--kcm'],
        ...['--jobs', '4', ...more],
      ]);
      return (JSON.parse(readFileSync(results, 'utf8')) as { readonly scenarios: readonly ScenarioResult[] }).scenarios;
    };
    const alone = await runScenarios('controller', []);
    // With the webhook a Graph that cannot be valid is denied, and its scenario ends there: those run once more, the others have been seen.
    const judged = await runScenarios('webhook', ['--webhook-cmd', WEBHOOK, '--only', scenariosOfTheWebhook().join(',')]);
    t.ok(alone.length > 0 && judged.length > 0, 'there are scenarios');
    const ran = new Set(judged.map(({ id }) => id));
    for (const result of alone) if (result.outcome !== 'skip' || !ran.has(result.id)) report(t, result);
    for (const result of judged) report(t, { ...result, title: `${result.title}, with the webhook` });
  },
);

function report(t: Test, { id, title, outcome, why }: ScenarioResult): void {
  if (outcome === 'skip') t.pass(`${id} ${title}`, { skip: why });
  else t.equal(outcome, 'pass', `${id} ${title}${why === '' ? '' : `: ${why}`}`);
}

/** The ids of the scenarios in which the webhook has a say. */
function scenariosOfTheWebhook(): string[] {
  return readdirSync(SCENARIOS)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => readFileSync(join(SCENARIOS, file), 'utf8'))
    .filter((text) => /^(mode: webhook|\s+(denied|mayBeDenied|warns):)/m.test(text))
    .map((text) => /^id: (\S+)/m.exec(text)?.[1] ?? '');
}

/** Resolves when the runner has ended, whatever it found: that stands in its results. */
function run(args: readonly string[]): Promise<void> {
  const child = spawn('python3', [...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', () => done());
  });
}
