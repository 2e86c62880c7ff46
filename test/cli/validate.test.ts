import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

const MAIN = new URL('../../src/cli/main.ts', import.meta.url).pathname;
const SCHEMAS = new URL('../../schemas', import.meta.url).pathname;

const VALID = `apiVersion: kro.run/v1alpha1
kind: Graph
metadata:
  name: g
spec:
  nodes:
    - id: a
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data: {k: "\${b.x}"}
    - id: b
      def: {x: text}
`;
const INVALID = VALID.replace('b.x}', 'b.y}');
const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gears.works.example.com}
spec:
  group: works.example.com
  scope: Namespaced
  names: {kind: Gear, plural: gears}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {teeth: {type: integer}}}}}}}]
`;
const OTHER = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n';

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(folder: string, args: readonly string[], { input = '', schemas = true, environment: more = {} } = {}): Run {
  const environment = { ...process.env, KUBECONFIG: '', KUBERNETES_SERVICE_HOST: undefined, NO_COLOR: '1', ...more };
  const given = schemas ? ['--schemas', SCHEMAS] : [];
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'validate', ...args, ...given], {
    cwd: folder,
    env: environment,
    input,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

t.setTimeout(120_000);

t.test('the README shows what is really printed', (t) => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const block = (language: string): string => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readme)?.[1] ?? '';
  const rest =
    'selector: {matchLabels: {app: web}}\n          template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web}]}}';
  const folder = t.testdir({ 'shop.yaml': block('yaml').replace('# …', rest) });
  t.equal(`$ bin/kro-graph validate shop.yaml\n${run(folder, ['shop.yaml']).out}`, block('console'));
  t.end();
});

t.test('validate', (t) => {
  const folder = t.testdir({
    'valid.yaml': VALID,
    'invalid.yaml': INVALID,
    'several.yaml': `${OTHER}---\n${INVALID}---\n${VALID}`,
    'long.yaml': Array.from({ length: 500 }, () => INVALID).join('---\n'),
    'other.yaml': OTHER,
    'broken.yaml': 'a: [1\n',
    'json.json': JSON.stringify({ apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name: 'j' }, spec: { nodes: [] } }),
    'gear.yaml': `${VALID}    - id: gear\n      template: {apiVersion: works.example.com/v1, kind: Gear, metadata: {name: g}, spec: {teeth: many}}\n`,
  });
  mkdirSync(join(folder, 'crds'));
  writeFileSync(join(folder, 'crds', 'gears.yaml'), CRD);

  t.same(run(folder, ['valid.yaml']), { code: 0, out: '', err: '1 Graph, 0 errors, 0 warnings\n' }, 'a valid Graph');
  t.same(
    run(folder, ['invalid.yaml']),
    {
      code: 1,
      out: [
        'invalid.yaml:12:19: error expression/unknown-field: def b has no field "y", in node "a"',
        '  at spec.nodes[0].template.data.k',
        '  | b.y',
        '  |   ^',
        '  hint: there is "x"',
        '',
      ].join('\n'),
      err: '1 Graph, 1 error, 0 warnings\n',
    },
    'an invalid one',
  );
  const several = run(folder, ['several.yaml']);
  t.match(several.out, /^several\.yaml:16:19: error/, 'the line counts from the beginning of the file');
  t.equal(several.err, '2 Graphs, 1 error, 0 warnings, 1 other object not checked\n');
  t.match(run(folder, ['other.yaml']), { code: 1, out: /other\.yaml:1:1: error file\/no-graph: / }, 'a file without a Graph');
  t.match(
    run(folder, ['-'], { input: `${VALID}---\n${VALID.replace('kind: Graph', 'kind: graph')}` }),
    { code: 1, out: /^<stdin>:17:7: error graph\/not-a-graph: expected a Graph of kro\.run\/v1alpha1, found kind "graph"/ },
    'a Graph whose kind is misspelt is not passed over',
  );
  t.match(
    run(folder, ['-'], { input: `${VALID}---\napiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\n` }),
    { code: 0, err: /^1 Graph, 0 errors, 0 warnings, 1 other object not checked\n/ },
    'another kind of the group is',
  );
  t.match(run(folder, ['broken.yaml']), { code: 1, out: /broken\.yaml:2:1: error file\/syntax: / }, 'a file that is no YAML');
  t.match(run(folder, ['json.json']), { code: 1, out: /json\.json:1:\d+: error frame\/no-nodes: / }, 'JSON');
  t.match(run(folder, ['-'], { input: INVALID }), { code: 1, out: /^<stdin>:12:19: error/ }, 'stdin');
  t.match(run(folder, ['gear.yaml']), { code: 0, out: /gear\.yaml:16:\d+: warning kind\/not-served/ }, 'a kind that is not installed');
  t.match(run(folder, ['gear.yaml', '--crds', 'crds']), { code: 1, out: /gear\.yaml:16:\d+: error field\/type/ }, 'a kind of a CRD file');
  t.match(run(folder, ['missing.yaml']), { code: 2, err: /missing\.yaml cannot be read/ }, 'a missing file');
  t.match(run(folder, []), { code: 2, err: /missing required argument 'files'/ }, 'no file');
  t.match(run(folder, ['valid.yaml', '--crd', 'crds']), { code: 2, err: /unknown option '--crd'/ }, 'an option that is misspelt');
  t.match(run(folder, ['valid.yaml', '-o', 'xml']), { code: 2, err: /argument 'xml' is invalid/ }, 'a value that an option does not have');
  t.match(run(folder, ['--help']), { code: 0, out: /Usage: kro-graph validate/ }, 'the help');
  const cut = spawnSync(
    'sh',
    ['-c', '{ "$0" "$1" validate long.yaml --schemas "$2"; echo "$?" >&2; } | head -n 1', process.execPath, MAIN, SCHEMAS],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  t.match(cut, { stdout: /^long\.yaml:12:19: error/, stderr: /^500 Graphs, .*\n1\n$/ }, 'a reader that stops early changes nothing');
  t.match(run(folder, ['.']), { code: 2, err: /\. is a folder: name the files in it/ }, 'a folder');
  t.match(run(folder, ['valid.yaml', '--crds', 'nowhere']), { code: 2, err: /nowhere is no folder/ }, 'a missing folder');
  t.match(run(folder, ['valid.yaml', '--kubeconfig', 'nowhere'], { schemas: false }), { code: 2, err: /nowhere/ }, 'a missing kubeconfig');
  t.match(
    run(folder, ['-'], { input: VALID.replace('{x: text}', '{x: text, y: z}') }),
    { code: 0, out: /^<stdin>:14:22: warning file\/boolean-key: the key y is read as true/ },
    'a key that YAML takes for a bool',
  );
  const home = { HOME: join(folder, 'home') };
  t.match(
    run(folder, ['valid.yaml', '--cluster'], { schemas: false, environment: home }),
    { code: 2, err: /no API server/ },
    'a cluster that no kubeconfig names',
  );
  mkdirSync(join(folder, 'home', '.kube'), { recursive: true });
  writeFileSync(join(folder, 'home', '.kube', 'config'), 'kind: Config\ncurrent-context: elsewhere\n');
  t.match(
    run(folder, ['valid.yaml', '--cluster'], { schemas: false, environment: home }),
    { code: 2, err: /elsewhere/ },
    'the kubeconfig that kubectl reads',
  );
  t.match(run(folder, ['valid.yaml'], { schemas: false, environment: home }), { code: 0 }, 'which counts only where it is asked for');
  const stamping = `${VALID}    - {id: s, template: {apiVersion: kro.run/v1alpha1, kind: Graph, metadata: {name: s}, spec: {nodes: [{id: a, def: {}}]}}}\n`;
  const bundled = run(folder, ['-'], { schemas: false, input: stamping });
  t.match(
    bundled,
    { code: 0, out: '', err: /^1 Graph, 0 errors, 0 warnings\nchecked against .* Kubernetes 1\.36; / },
    'without any cluster',
  );
  const json = JSON.parse(run(folder, ['invalid.yaml', '-o', 'json']).out);
  t.same(
    json,
    {
      findings: [
        {
          file: 'invalid.yaml',
          line: 12,
          column: 19,
          severity: 'error',
          code: 'expression/unknown-field',
          message: 'def b has no field "y", in node "a"',
          path: 'spec.nodes[0].template.data.k',
          expression: 'b.y',
          span: { start: 2, end: 3 },
          hint: 'there is "x"',
        },
      ],
    },
    'JSON output',
  );
  t.end();
});
