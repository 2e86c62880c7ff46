import t from 'tap';
import { snapshotOf } from '../../../src/schema/bundle.ts';
import { testGraphs } from '../../support/compile.ts';

const cm = (metadata: string, more = '') => `{id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: ${metadata}${more}}}`;

t.test('kinds of the cluster', (t) => {
  testGraphs(t, [
    [
      'one that is not served only warns',
      '[{id: a, template: {apiVersion: x.dev/v1, kind: Gizmo, metadata: {name: x}, spec: {a: 1}}}]',
      ['kind/not-served', 'spec.nodes[0].template.kind'],
    ],
    [
      'one that cannot be patched is refused',
      '[{id: a, patch: {apiVersion: v1, kind: ComponentStatus, metadata: {name: x, labels: {a: b}}}}]',
      ['kind/verb', 'spec.nodes[0].patch.kind'],
    ],
    [
      'a cluster-scoped one has no namespace',
      '[{id: a, template: {apiVersion: v1, kind: Namespace, metadata: {name: x, namespace: y}}}]',
      ['object/cluster-scoped', 'spec.nodes[0].template.metadata.namespace'],
    ],
    [
      'nor a computed one',
      '[{id: d, def: {n: x}}, {id: a, ref: {apiVersion: v1, kind: Namespace, metadata: {name: x, namespace: "${d.n}"}}}]',
      ['object/cluster-scoped', 'spec.nodes[1].ref.metadata.namespace'],
    ],
    [
      'a status needs its subresource',
      '[{id: a, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, status: {a: b}}}]',
      ['field/unknown', 'spec.nodes[0].patch.status'],
    ],
  ]);
  t.end();
});

t.test('metadata that no kind has', (t) => {
  const metadata = 'spec.nodes[0].template.metadata';
  const role = (name: string) =>
    `{id: a, template: {apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: "${name}"}, rules: []}}`;
  testGraphs(t, [
    ['a name that is no part of a URL is refused', `[${cm('{name: a/b}')}]`, ['object/name', `${metadata}.name`]],
    ['a name in upper case is none of a standard kind', `[${cm('{name: A_b}')}]`, ['object/name', `${metadata}.name`]],
    ['unless the kind takes it', `[${role('system:A_b')}]`],
    ['but no kind takes a path', `[${role('a/b')}]`, ['object/name', `${metadata}.name`]],
    [
      'what a custom kind asks of its names is left to the API server',
      '[{id: a, template: {apiVersion: example.com/v1, kind: Widget, metadata: {name: A_b}, spec: {size: 1}}}]',
    ],
    ['what a ref names need not be there', '[{id: a, ref: {apiVersion: v1, kind: ConfigMap, metadata: {name: A_b}}}]'],
    [
      'a key is judged beside a value that is computed',
      `[{id: d, def: {v: x}}, ${cm('{name: x, labels: {"a b": "${d.v}"}}')}]`,
      ['object/label', 'spec.nodes[1].template.metadata.labels["a b"]'],
    ],
    ['a label is not too long', `[${cm(`{name: x, labels: {a: ${'b'.repeat(64)}}}`)}]`, ['object/label', `${metadata}.labels.a`]],
    ['a namespace has a name, too', `[${cm('{name: a, namespace: A_b}')}]`, ['object/name', `${metadata}.namespace`]],
    [
      'also where objects are read or patched, whatever their kind',
      `[{id: a, ref: {apiVersion: v1, kind: Pod, metadata: {namespace: a.b, selector: {}}}},
        {id: b, patch: {apiVersion: v1, kind: "\${'Pod'}", metadata: {name: .., labels: {a: b c}}}}]`,
      ['object/name', 'spec.nodes[0].ref.metadata.namespace'],
      ['object/label', 'spec.nodes[1].patch.metadata.labels.a'],
      ['object/name', 'spec.nodes[1].patch.metadata.name'],
    ],
    [
      'a namespace that may not be there is one mistake',
      '[{id: a, template: {apiVersion: v1, kind: Namespace, metadata: {name: a, namespace: A_b}}}]',
      ['object/cluster-scoped', `${metadata}.namespace`],
    ],
    [
      'keys and values of labels have their form',
      `[${cm('{name: a, labels: {a: b c, "d e": f, "x.y/g": "", "${h}": i}}')}]`,
      ['object/label', `${metadata}.labels["\${h}"]`],
      ['object/label', `${metadata}.labels.a`],
      ['object/label', `${metadata}.labels["d e"]`],
    ],
    [
      'keys of annotations too, in whatever case',
      `[${cm('{name: a, annotations: {X.y/Z: any text, "a b": c}}')}]`,
      ['object/label', `${metadata}.annotations["a b"]`],
    ],
    ['what an expression gives is judged by the API server', `[${cm(`{name: "\${'a/b'}", labels: {a: "\${'b c'} d"}}`)}]`],
  ]);
  t.end();
});

t.test('a kind whose CustomResourceDefinition is being deleted', (t) => {
  const kind = { group: 'x.dev', version: 'v1', kind: 'Gizmo' };
  const verbs = new Set(['delete', 'deletecollection', 'get', 'list', 'watch']);
  const schemas = snapshotOf([{ kind, plural: 'gizmos', namespaced: true, verbs, hasStatus: false, schema: undefined, hash: 'h' }]);
  testGraphs(
    t,
    [
      [
        'is waited for, as one that is not served',
        '[{id: a, template: {apiVersion: x.dev/v1, kind: Gizmo, metadata: {name: x}, spec: {a: 1}}}]',
        ['kind/ending', 'spec.nodes[0].template.kind'],
      ],
      ['can still be read', '[{id: a, ref: {apiVersion: x.dev/v1, kind: Gizmo, metadata: {name: x}}}]'],
    ],
    { schemas },
  );
  t.end();
});

t.test('identities', (t) => {
  const graph = (metadata: string) =>
    `[{id: a, template: {apiVersion: kro.run/v1alpha1, kind: Graph, metadata: ${metadata}, spec: {nodes: [{id: x, def: {a: 1}}]}}}]`;
  const itself = ['object/the-graph-itself', 'spec.nodes[0].template.metadata.name'] as const;
  testGraphs(t, [
    ['no template is the Graph itself', graph('{name: g}'), itself],
    ['nor with its namespace', graph('{name: g, namespace: default}'), itself],
    ['one in another namespace is another', graph('{name: g, namespace: other}')],
    ['one of another name is another', graph('{name: h}')],
    [
      'one whose namespace is computed may be another',
      '[{id: d, def: {n: x}}, {id: a, template: {apiVersion: kro.run/v1alpha1, kind: Graph, metadata: {name: g, namespace: "${d.n}"}, spec: {nodes: [{id: x, def: {a: 1}}]}}}]',
    ],
    [
      'two templates are not one object',
      `[${cm('{name: x}')}, ${cm('{name: x, namespace: default}').replace('id: a', 'id: b')}]`,
      ['object/same-identity', 'spec.nodes[1].template.metadata.name'],
    ],
    [
      'not even in two frames',
      `[${cm('{name: x}')}, {id: g, graph: {nodes: [${cm('{name: x}')}]}}]`,
      ['object/same-identity', 'spec.nodes[1].graph.nodes[0].template.metadata.name'],
    ],
    [
      'not even in two versions',
      '[{id: a, template: {apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: x}, spec: {maxReplicas: 1, scaleTargetRef: {kind: D, name: d}}}}, {id: b, template: {apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: x}, spec: {maxReplicas: 1, scaleTargetRef: {kind: D, name: d}}}}]',
      ['object/same-identity', 'spec.nodes[1].template.metadata.name'],
    ],
    [
      'unless one of them may be left out',
      `[{id: d, def: {on: true}}, ${cm('{name: x}')}, ${cm('{name: x}').replace('id: a', 'id: b, includeWhen: ["${d.on}"]')}]`,
    ],
    ['another namespace is another object', `[${cm('{name: x}')}, ${cm('{name: x, namespace: other}').replace('id: a', 'id: b')}]`],
  ]);
  t.end();
});

t.test('omit()', (t) => {
  const base = '{id: d, def: {on: true}}';
  testGraphs(t, [
    ['leaves out a field of a template', `[${base}, ${cm('{name: x}', ', data: {k: "${d.on ? string(1) : omit()}"}')}]`],
    ['leaves out a field of a def', `[${base}, {id: e, def: {k: "\${d.on ? 1 : omit()}"}}]`],
    [
      'not the name',
      `[${base}, ${cm('{name: "${d.on ? string(1) : omit()}"}')}]`,
      ['omit/position', 'spec.nodes[1].template.metadata.name', 'omit()'],
    ],
    [
      'not the namespace',
      `[${base}, ${cm('{name: x, namespace: "${d.on ? string(1) : omit()}"}')}]`,
      ['omit/position', 'spec.nodes[1].template.metadata.namespace', 'omit()'],
    ],
    [
      'not a condition',
      `[${base}, {id: e, includeWhen: ["\${d.on ? true : omit()}"], def: {k: 1}}]`,
      ['omit/position', 'spec.nodes[1].includeWhen[0]', 'omit()'],
    ],
    [
      'not a part of a text',
      `[${base}, ${cm('{name: x}', ', data: {k: "a-${d.on ? string(1) : omit()}"}')}]`,
      ['omit/position', 'spec.nodes[1].template.data.k', 'omit()'],
    ],
    [
      'not in a ref',
      `[${base}, {id: e, ref: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${d.on ? string(1) : omit()}"}}}]`,
      ['omit/position', 'spec.nodes[1].ref.metadata.name', 'omit()'],
    ],
    ['the word in a literal is no call', `[${base}, ${cm('{name: "${\'omit()\'}"}')}]`],
  ]);
  t.end();
});
