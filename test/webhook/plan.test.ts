import t from 'tap';
import type { JsonObject } from '../../src/api/object.ts';
import { planOf } from '../../webhook/plan.ts';
import { compileNodes } from '../support/compile.ts';
import { testSnapshot } from '../support/schemas.ts';

const config = (id: string, extra = ''): string => `
- id: ${id}
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${id}}, data: {color: blue}}${extra}`;
const entry = (kind: string, name: string, apiVersion = 'v1', namespace = 'default'): JsonObject => ({
  ...{ apiVersion, kind, namespace, name, uid: 'u', nodeID: name },
});
const settings = (color: string): string => `
- id: settings
  def: {color: ${color}}
- id: page
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: page}, data: {color: "\${settings.color}"}}
- id: quiet
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: quiet}, data: {page: "\${page.metadata.name}"}}`;
const live = (image: string): string => `
- id: web
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec:
      selector: {matchLabels: {app: web}}
      template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: ${image}}]}}
- id: shows
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: shows}, data: {count: "\${string(web.status.?replicas.orValue(0))}"}}`;
const computed = `
- id: a
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${['b', 'b', 'b'].map(x, 'a').join()}"}}`;

interface Row {
  readonly title: string;
  readonly nodes: string;
  readonly old?: string;
  readonly inventory?: readonly JsonObject[];
  readonly steps?: { readonly expression?: number; readonly reconcile?: number };
  readonly expected: string | undefined;
}

const rows: Row[] = [
  { title: 'a new Graph', nodes: config('a') + config('b'), expected: 'creates ConfigMap a, ConfigMap b' },
  {
    title: 'one goes, one comes, one stays as it is',
    nodes: config('kept') + config('made'),
    old: config('kept') + config('gone'),
    inventory: [entry('ConfigMap', 'kept'), entry('ConfigMap', 'gone')],
    expected: 'creates ConfigMap made; prunes ConfigMap gone',
  },
  {
    title: 'one moves to another namespace, and one of its name stays',
    nodes: `${config('kept')}
- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: new}}}
- {id: n, template: {apiVersion: v1, kind: Namespace, metadata: {name: new}}}`,
    old: `${config('kept')}
- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: old}}}`,
    inventory: [entry('ConfigMap', 'kept'), entry('ConfigMap', 'kept', 'v1', 'old')],
    expected: 'creates ConfigMap new/kept, Namespace new; prunes ConfigMap old/kept',
  },
  {
    title: 'a def that changes changes what reads it, and nothing else',
    nodes: settings('red'),
    old: settings('blue'),
    inventory: [entry('ConfigMap', 'page'), entry('ConfigMap', 'quiet')],
    expected: 'changes ConfigMap page',
  },
  {
    title: 'what rests on live values changes when its own text does',
    nodes: live('nginx:2'),
    old: live('nginx:1'),
    inventory: [entry('Deployment', 'web', 'apps/v1'), entry('ConfigMap', 'shows')],
    expected: 'changes Deployment web',
  },
  {
    title: 'nothing',
    nodes: config('a', '\n  readyWhen: ["${a.data.color == \'blue\'}"]'),
    old: config('a'),
    inventory: [entry('ConfigMap', 'a')],
    expected: 'changes nothing',
  },
  {
    title: 'a condition that is false',
    nodes: config('a', '\n  includeWhen: ["${1 > 2}"]'),
    old: config('a'),
    inventory: [entry('ConfigMap', 'a')],
    expected: 'prunes ConfigMap a',
  },
  {
    title: 'another API version of the same object',
    nodes: '- {id: a, template: {apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a}}}',
    old: '- {id: a, template: {apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: a}}}',
    inventory: [entry('HorizontalPodAutoscaler', 'a', 'autoscaling/v1')],
    expected: 'changes HorizontalPodAutoscaler a',
  },
  {
    title: 'a cluster-scoped object, and one of another namespace',
    nodes: `
- {id: n, template: {apiVersion: v1, kind: Namespace, metadata: {name: n}}}
- {id: c, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: other}}}`,
    inventory: [entry('Namespace', 'n', 'v1', ''), entry('ConfigMap', 'c')],
    old: '- {id: n, template: {apiVersion: v1, kind: Namespace, metadata: {name: n}}}',
    expected: 'creates ConfigMap other/c; prunes ConfigMap c',
  },
  {
    title: 'a collection and a nested Graph',
    nodes: `
- id: many
  forEach: [{name: "\${['x', 'y']}"}]
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "many-\${name}"}}
- id: inner
  graph: {nodes: [{id: leaf, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: leaf}}}]}`,
    expected: 'creates ConfigMap many-x, ConfigMap many-y, ConfigMap leaf',
  },
  {
    title: 'a collection that is empty now',
    nodes: `
- id: many
  forEach: [{name: "\${[]}"}]
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "many-\${name}"}}`,
    old: config('a'),
    inventory: [entry('ConfigMap', 'many-x')],
    expected: 'prunes ConfigMap many-x',
  },
  { title: 'a name within the steps of an expression', nodes: computed, expected: 'creates ConfigMap aaa' },
  { title: 'a name that takes more than one expression may: no plan', nodes: computed, steps: { expression: 1 }, expected: undefined },
  { title: 'names that take more than one reconcile may: no plan', nodes: computed, steps: { reconcile: 1 }, expected: undefined },
  {
    title: 'a collection of more items than are allowed: no plan',
    nodes: `
- {id: d, def: {n: 40}}
- id: many
  forEach: [{x: "\${lists.range(d.n + 0)}"}, {y: "\${lists.range(d.n + 0)}"}]
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "many-\${string(x)}-\${string(y)}"}}`,
    expected: undefined,
  },
  {
    title: 'a name that only the cluster knows: no plan',
    nodes: `
- {id: other, ref: {apiVersion: v1, kind: ConfigMap, metadata: {name: other}}}
- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${other.metadata.uid}"}}}`,
    expected: undefined,
  },
  {
    title: 'a stored spec that cannot be told: no plan',
    nodes: config('a'),
    inventory: [entry('ConfigMap', 'a')],
    expected: undefined,
  },
  {
    title: 'a kind that is not served: no plan',
    nodes: '- {id: a, template: {apiVersion: nobody.example.com/v1, kind: Gizmo, metadata: {name: a}}}',
    expected: undefined,
  },
  {
    title: 'many objects are counted',
    nodes: Array.from({ length: 12 }, (_, index) => config(`node${index}`)).join(''),
    old: config('gone'),
    inventory: [entry('ConfigMap', 'gone')],
    expected: 'creates 12 objects; prunes ConfigMap gone',
  },
  {
    title: 'a status of nonsense',
    nodes: config('a'),
    inventory: [{ kind: 7 }, 'x' as unknown as JsonObject, { apiVersion: 'a/b/c', kind: 'K', name: 'n' }],
    expected: 'creates ConfigMap a',
  },
];

for (const { title, nodes, old, inventory = [], steps, expected } of rows) {
  t.test(title, async (t) => {
    const { program, diagnostics } = compileNodes(nodes);
    if (program === undefined) throw new Error(JSON.stringify(diagnostics));
    const plan = await planOf({
      namespace: 'default',
      program,
      oldProgram: old === undefined ? undefined : compileNodes(old).program,
      oldGraph: { status: { managedResources: [...inventory] } },
      isNamespaced: (kind) => testSnapshot().get(kind)?.namespaced,
      steps: { expression: 1_000_000, reconcile: 10_000_000, ...steps },
    });
    t.equal(plan?.message, expected);
    if (plan !== undefined) t.match(plan, { code: 'plan', severity: 'warning' });
  });
}
