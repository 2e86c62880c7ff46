import { readFileSync } from 'node:fs';
import t from 'tap';
import type { JsonObject, JsonValue } from '../../src/api/object.ts';
import { useCluster } from '../support/cluster.ts';
import { startWebhook } from '../support/webhook.ts';

const use = await useCluster(t);
const webhook = await startWebhook(t, use, { args: ['--policy-permissions', 'off'] });

const page = {
  id: 'page',
  template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page' }, data: { title: '${settings.title}' } },
};
const right: JsonValue[] = [{ id: 'settings', def: { title: 'blue', count: 2 } }, page];
const wrong: JsonValue[] = [
  { id: 'settings', def: { title: 'blue', count: 2 } },
  { ...page, template: { ...page.template, data: { title: '${setings.title}' } } },
  { id: 'spec', def: { a: 1 } },
  {
    id: 'web',
    template: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: '${settings.title}', selectr: {} },
    },
  },
];
const mistakes = [
  /^\* spec\.nodes\[1\]\.template\.data\.title: unknown name "setings".*did you mean "settings"\?/m,
  /^\* spec\.nodes\[2\]\.id: id "spec" is reserved/m,
  /^\* spec\.nodes\[3\]\.template\.spec\.replicas: .*int.*string/m,
  /^\* spec\.nodes\[3\]\.template\.spec\.selectr: .*selector/m,
];

function graph(name: string, nodes: JsonValue, rest: JsonObject = {}): { readonly input: string } {
  return { input: JSON.stringify({ apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name }, spec: { nodes, ...rest } }) };
}

const apply = ['apply', '-f', '-'];
const dryRun = ['apply', '--dry-run=server', '-f', '-'];
const serverSide = ['apply', '--server-side', '-f', '-'];

for (const [title, args] of [
  ['apply', apply],
  ['apply --server-side', serverSide],
  ['apply --dry-run=server', dryRun],
  ['create', ['create', '-f', '-']],
] as const) {
  const name = `wrong-${title.replaceAll(/[^a-z]+/g, '-')}`;
  t.test(`${title} of a wrong Graph prints every error with its place, and stores nothing`, async (t) => {
    const { code, stdout, stderr } = await use.tryKubectl(args, graph(name, wrong));
    t.equal(code, 1);
    t.equal(stdout, '');
    for (const mistake of mistakes) t.match(stderr, mistake);
    t.equal(stderr.match(/^\* /gm)?.length, mistakes.length, stderr);
    t.match(stderr, new RegExp(`^The Graph "${name}" is invalid: \\n\\* `, 'm'), stderr);
    t.equal((await use.tryKubectl(['get', 'graph', name])).code, 1);
  });
  t.test(`${title} of a right Graph prints nothing but its own line, and a plan on dry run`, async (t) => {
    const { code, stdout, stderr } = await use.tryKubectl(args, graph(`right-${title.replaceAll(/[^a-z]+/g, '-')}`, right));
    t.same([code, stderr], [0, args === dryRun ? 'Warning: plan: creates ConfigMap page\n' : '']);
    t.match(stdout, /^graph\.kro\.run\/right-\S+ (created|serverside-applied|created \(server dry run\))\n$/);
  });
}

t.test('one error stands on the line of the refusal', async (t) => {
  const { stderr } = await use.tryKubectl(apply, graph('one', [{ id: 'a', def: { x: '${nothing}' } }]));
  t.match(stderr, /^The Graph "one" is invalid: spec\.nodes\[0\]\.def\.x: unknown name "nothing"/);
});

t.test('an update is refused as a BadRequest, so that --force does not delete the live Graph', async (t) => {
  await use.kubectl(apply, graph('live', right));
  const path = `/apis/kro.run/v1alpha1/namespaces/${use.namespace}/graphs/live`;
  const before = (await use.admin.get(path))?.metadata;
  for (const args of [apply, [...apply, '--force'], [...dryRun], [...serverSide, '--force-conflicts'], ['replace', '-f', '-']]) {
    const { code, stderr } = await use.tryKubectl(args, graph('live', wrong));
    t.equal(code, 1, args.join(' '));
    t.match(stderr, /Error from server \(BadRequest\)/);
    for (const mistake of mistakes) t.match(stderr, mistake);
    t.notMatch(stderr, /immutable/);
  }
  const after = (await use.admin.get(path))?.metadata;
  t.same([after.uid, after.resourceVersion, after.generation], [before.uid, before.resourceVersion, before.generation]);
});

t.test('the status of a refusal carries a cause for each error', async (t) => {
  const path = `/apis/kro.run/v1alpha1/namespaces/${use.namespace}/graphs`;
  const { status, body } = await use.admin.request({ method: 'POST', path, body: JSON.parse(graph('causes', wrong).input) });
  t.equal(status, 422);
  t.match(body, { reason: 'Invalid', details: { name: 'causes', group: 'kro.run', kind: 'Graph' } });
  const fields = body.details.causes.map((cause: JsonObject) => [cause['reason'], cause['field']]);
  t.same(fields, [
    ['reference/unknown', 'spec.nodes[1].template.data.title'],
    ['id/reserved', 'spec.nodes[2].id'],
    ['field/type-mismatch', 'spec.nodes[3].template.spec.replicas'],
    ['field/unknown', 'spec.nodes[3].template.spec.selectr'],
  ]);
  for (const { field } of body.details.causes) t.match(body.message, `* ${field}: `);
});

t.test('warnings are told beside an admission', async (t) => {
  const gizmo = { apiVersion: 'example.dev/v1', kind: 'Gizmo', metadata: { name: 'g' } };
  const { code, stderr } = await use.tryKubectl(
    dryRun,
    graph('warned', [{ id: 'gizmo', template: gizmo }], { serviceAccountName: 'nobody' }),
  );
  t.equal(code, 0, stderr);
  t.same(stderr.trimEnd().split('\n').sort(), [
    'Warning: kind/not-served: the cluster does not serve example.dev/v1 Gizmo (yet) (spec.nodes[0].template.kind)',
    'Warning: service-account/missing: the ServiceAccount "nobody" does not exist (yet) (spec.serviceAccountName)',
  ]);
});

t.test('large integers are exact', async (t) => {
  const nodes = `[{"id":"a","def":{"big":9223372036854775807}},{"id":"b","def":{"sum":"\${a.big - 9223372036854775806}"}}]`;
  const input = graph('exact', []).input.replace('"nodes":[]', `"nodes":${nodes}`);
  t.equal((await use.tryKubectl(dryRun, { input })).code, 0);
});

t.test('a custom kind whose schema has just changed is judged by its new schema', async (t) => {
  const group = `${use.namespace}.example.com`;
  const crd = (fields: JsonObject) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `wheels.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Wheel', plural: 'wheels', singular: 'wheel', listKind: 'WheelList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: fields } } } },
        },
      ],
    },
  });
  t.teardown(() => use.tryKubectl(['delete', 'crd', `wheels.${group}`, '--wait=false']));
  const wheel = (field: string) => [
    { id: 'w', template: { apiVersion: `${group}/v1`, kind: 'Wheel', metadata: { name: 'w' }, spec: { [field]: 3 } } },
  ];
  const judge = async (field: string) => (await use.tryKubectl(dryRun, graph('wheel', wheel(field)))).stderr;
  const until = async (wanted: RegExp, field: string): Promise<string> => {
    for (let attempt = 0; ; attempt++) {
      const found = await judge(field);
      if (wanted.test(found) || attempt > 60) return found;
    }
  };
  t.match(await judge('size'), /Warning: kind\/not-served/);
  await use.kubectl(['apply', '-f', '-'], { input: JSON.stringify(crd({ size: { type: 'integer' } })) });
  await use.kubectl(['wait', '--for=condition=Established', `crd/wheels.${group}`]);
  t.match(await until(/unknown field|spec\.spokes/, 'spokes'), /spec\.nodes\[0\]\.template\.spec\.spokes/);
  const right = 'Warning: plan: creates Wheel w\n';
  t.equal(await judge('size'), right);
  await use.kubectl(['apply', '-f', '-'], { input: JSON.stringify(crd({ size: { type: 'integer' }, spokes: { type: 'integer' } })) });
  t.equal(await until(/^Warning: plan:.*\n$/, 'spokes'), right, 'no restart is needed, and no wait for a resync');
});

t.test('its log holds one line a request, and nothing of a Graph', async (t) => {
  const lines = readFileSync(webhook.logFile, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const judged = lines.filter(({ msg }) => msg === 'request judged');
  t.ok(judged.length > 20);
  t.match(judged.at(-1), {
    uid: String,
    user: 'admin',
    operation: String,
    dryRun: Boolean,
    code: 200,
    ms: Number,
    namespace: use.namespace,
  });
  t.notMatch(readFileSync(webhook.logFile, 'utf8'), /setings|selectr|blue/);
});

t.test('metrics count verdicts by code', async (t) => {
  const text = await (await fetch(webhook.metrics)).text();
  t.match(text, /^controller_runtime_webhook_requests_total\{webhook="\/validate",code="200"\} \d\d/m);
  t.match(text, /^controller_runtime_webhook_requests_in_flight\{webhook="\/validate"\} 0/m);
  t.match(text, /^kro_graph_denials_total\{code="reference\/unknown"\} \d/m);
  for (const result of ['valid', 'invalid']) t.match(text, new RegExp(`^kro_graph_compile_seconds_count\\{result="${result}"\\} \\d`, 'm'));
  t.match(text, /^kro_graph_warnings_total\{code="kind\/not-served"\} \d/m);
  const expiry = Number(/^kro_graph_certificate_expiry_timestamp_seconds (\S+)/m.exec(text)?.[1]);
  t.ok(Math.abs(expiry - Date.now() / 1000 - 86_400) < 600);
});

t.test('on dry run of a change the plan tells what its inventory and its specs say, and nothing is read or written', async (t) => {
  await use.kubectl(apply, graph('planned', right));
  const path = `/apis/kro.run/v1alpha1/namespaces/${use.namespace}/graphs/planned`;
  const page = { apiVersion: 'v1', kind: 'ConfigMap', namespace: use.namespace, name: 'page', uid: 'u', nodeID: 'page' };
  const stored = await use.admin.patch(`${path}/status`, {
    status: { managedResources: [page, { ...page, name: 'gone', nodeID: 'gone' }] },
  });
  const [, node] = right as JsonObject[];
  const more = { id: 'more', template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'more' } } };
  const nodes = [{ id: 'settings', def: { title: 'red', count: 2 } }, node ?? {}, more];
  const { code, stderr } = await use.tryKubectl(dryRun, graph('planned', nodes));
  t.same([code, stderr], [0, 'Warning: plan: creates ConfigMap more; changes ConfigMap page; prunes ConfigMap gone\n']);
  const refused = await use.tryKubectl(dryRun, graph('planned', wrong));
  t.notMatch(refused.stderr, /plan:/, 'a refused Graph has no plan');
  t.equal((await use.admin.get(path))?.['metadata'].resourceVersion, stored['metadata'].resourceVersion);
});
