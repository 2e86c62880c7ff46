import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import manifest from '../../package.json' with { type: 'json' };

t.setTimeout(120_000);

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');

function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, KUBECONFIG: '', NO_COLOR: '1', ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { env, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

const wrong: readonly [title: string, args: readonly string[], said: string][] = [
  [
    'an unknown command, with the nearest',
    ['validat'],
    "error: unknown command 'validat'\n(Did you mean validate?)\n(see kro-graph --help)\n",
  ],
  ['no files', ['validate'], "error: missing required argument 'files'\n(see kro-graph validate --help)\n"],
  ['an unknown flag', ['validate', '--strict', 'x'], "error: unknown option '--strict'\n(see kro-graph validate --help)\n"],
  [
    'a form that there is not',
    ['validate', '-o', 'xml', 'x'],
    "error: option '-o, --output <format>' argument 'xml' is invalid. Allowed choices are text, json.\n(see kro-graph validate --help)\n",
  ],
  [
    'too much',
    ['functions', 'x'],
    "error: too many arguments for 'functions'. Expected 0 arguments but got 1: x.\n(see kro-graph functions --help)\n",
  ],
];
for (const [title, args, said] of wrong) {
  t.test(`exit code 2 for ${title}, which cannot be taken for a wrong Graph`, async (t) =>
    t.same(run(args), { code: 2, out: '', err: said }),
  );
}

t.test('without a command it prints its help, and exit code 2', async (t) => {
  t.match(run([]), { code: 2, out: '', err: /^Usage: kro-graph/ });
});

t.test('the help names the commands and the servers, and the version is told', async (t) => {
  t.match(run(['--help']), { code: 0, err: '', out: /validate[\s\S]*Servers, with flags of their own:\s+webhook[\s\S]*controller/ });
  t.same(run(['--version']), { code: 0, out: `${manifest.version}\n`, err: '' });
});

t.test('a reader that has enough is no error', async (t) => {
  const child = spawn(process.execPath, [MAIN, 'functions'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  t.same({ code, said }, { code: 0, said: '' });
});

t.test('a full disk is one line and exit code 2', { skip: process.platform !== 'linux' }, async (t) => {
  const stdio = ['ignore', openSync('/dev/full', 'w'), 'pipe'] as const;
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'functions'], { stdio: [...stdio], encoding: 'utf8' });
  t.equal(status, 2);
  t.match(stderr, /^kro-graph: the output cannot be written: ENOSPC[^\n]*\n$/);
});

t.test('a file of schemas or credentials that cannot be used is one line and exit code 2', async (t) => {
  const client = { 'client-certificate-data': 'QUJD', 'client-key-data': 'QUJD' };
  const named = (key: string, value: unknown) => [{ name: 'x', [key]: value }];
  const kubeconfig = {
    'current-context': 'x',
    contexts: named('context', { cluster: 'x', user: 'x' }),
    clusters: named('cluster', { server: 'https://127.0.0.1:1' }),
    users: named('user', client),
  };
  const folder = t.testdir({
    broken: { 'a.json': '{' },
    other: { 'a.json': '{"kind": "List"}' },
    folders: { 'a.json': {} },
    kubeconfig: JSON.stringify(kubeconfig),
    'g.yaml': 'apiVersion: kro.run/v1alpha1\nkind: Graph\nmetadata: {name: g}\nspec: {nodes: [{id: a, def: {x: 1}}]}\n',
  });
  const graph = join(folder, 'g.yaml');
  for (const bundle of ['broken', 'other']) {
    const said = `kro-graph validate: ${join(folder, bundle, 'a.json')} is no schema bundle (JSON with "resources" and "schemas")\n`;
    t.same(run(['validate', '--schemas', join(folder, bundle), graph]), { code: 2, out: '', err: said });
  }
  for (const flag of ['--schemas', '--crds']) {
    t.match(run(['validate', flag, join(folder, 'folders'), graph]), {
      code: 2,
      out: '',
      err: /^[^\n]*a\.json cannot be read: EISDIR[^\n]*\n$/,
    });
  }
  const given = ['--kubeconfig', join(folder, 'kubeconfig')];
  for (const args of [
    ['validate', graph],
    ['tree', 'g'],
  ]) {
    t.match(run([...args, ...given]), { code: 2, out: '', err: /^[^\n]*: no connection to the API server: [^\n]*PEM[^\n]*\n$/ });
  }
});

t.test("a pod's own cluster is not asked by itself: many a CI job is a pod", async (t) => {
  const example = join(import.meta.dirname, '../../examples/guestbook.yaml');
  const pod = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '1' };
  t.match(run(['validate', example], pod), { code: 0, out: '', err: /checked against the standard kinds/ });
  t.match(run(['validate', '--cluster', example], { ...pod, HOME: '/nonexistent' }), { code: 2, out: '' }, 'but where it is asked for');
});
