import { spawnSync } from 'node:child_process';
import t from 'tap';

const MAIN = new URL('../../src/cli/main.ts', import.meta.url).pathname;
const SCHEMAS = new URL('../../schemas', import.meta.url).pathname;
const VALID = 'apiVersion: kro.run/v1alpha1\nkind: Graph\nmetadata: {name: g}\nspec: {nodes: [{id: a, def: {v: 1}}]}\n';

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(folder: string, args: readonly string[], { input = '' } = {}): Run {
  const given = ['validate', ...args, '--schemas', SCHEMAS];
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...given], { cwd: folder, input, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

t.setTimeout(120_000);

/** A Graph in JSON with so many others inside one another, and a mistake in the innermost. */
function nested(levels: number): string {
  const opening = Array.from({ length: levels }, (_, level) => `{"id": "g${level}", "graph": {"nodes": [`).join('');
  const nodes = `[${opening}{"id": "a", "def": {"v": "\${nope}"}}${']}}'.repeat(levels)}]`;
  return `{"apiVersion": "kro.run/v1alpha1", "kind": "Graph", "metadata": {"name": "g"}, "spec": {"nodes": ${nodes}}}`;
}

t.test('Graphs inside one another are read as deep as an API server reads them', (t) => {
  const folder = t.testdir({ 'deep.json': nested(3000) });
  const expected = { code: 1, out: /^(deep\.json|<stdin>):1:\d+: error reference\/unknown/, err: /^1 Graph, 1 error, 0 warnings\n/ };
  t.match(run(folder, ['deep.json']), expected);
  t.match(run(folder, ['-'], { input: nested(500) }), expected, 'from stdin');
  t.match(run(folder, ['-'], { input: nested(20_000) }), {
    code: 1,
    out: /^<stdin>:1:\d+: error file\/syntax: values are nested too deeply/,
  });
  t.end();
});

t.test('stdin may be slower than the command', (t) => {
  const folder = t.testdir({ 'valid.yaml': VALID });
  const line = '{ cat valid.yaml; sleep 3; echo; } | "$0" "$1" validate - --schemas "$2"';
  const { status, stderr } = spawnSync('sh', ['-c', line, process.execPath, MAIN, SCHEMAS], { cwd: folder, encoding: 'utf8' });
  t.match([status, stderr], [0, /^1 Graph, 0 errors/]);
  t.end();
});
