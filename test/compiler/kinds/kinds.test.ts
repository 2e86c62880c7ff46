import t from 'tap';
import { type Finding, testGraphs } from '../../support/compile.ts';

const base = '{id: base, def: {s: text, n: 1, labels: {app: web}}}';
const at = (field: string) => `spec.nodes[0].${field}`;

t.test('template', (t) => {
  const template = (payload: string) => `[{id: a, template: ${payload}}]`;
  testGraphs(t, [
    ['an object', template('{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}')],
    ['not text', template('text'), ['payload/not-an-object', at('template')]],
    [
      'apiVersion, kind and metadata are required, each by itself',
      template('{data: {}}'),
      ['object/required-text', at('template.apiVersion')],
      ['object/required-text', at('template.kind')],
      ['object/metadata', at('template.metadata')],
    ],
    [
      'white space is in no apiVersion',
      template('{apiVersion: "v1 ", kind: ConfigMap, metadata: {name: x}}'),
      ['object/api-version', at('template.apiVersion')],
    ],
    [
      'nor in a kind, which could never be served',
      template('{apiVersion: v1, kind: "ConfigMap ", metadata: {name: x}}'),
      ['object/kind', at('template.kind')],
    ],
    ['a kind is no path', template('{apiVersion: v1, kind: apps/Deployment, metadata: {name: x}}'), ['object/kind', at('template.kind')]],
    [
      'three parts are no apiVersion',
      template('{apiVersion: a/b/c, kind: X, metadata: {name: x}}'),
      ['object/api-version', at('template.apiVersion')],
    ],
    [
      'metadata is an object',
      template('{apiVersion: v1, kind: ConfigMap, metadata: "${x}"}'),
      ['object/metadata', at('template.metadata')],
      ['reference/unknown', at('template.metadata'), 'x'],
    ],
    [
      'a name is required',
      template('{apiVersion: v1, kind: ConfigMap, metadata: {}}'),
      ['object/required-text', at('template.metadata.name')],
    ],
    [
      'a number is no name, said once',
      template('{apiVersion: v1, kind: ConfigMap, metadata: {name: 5}}'),
      ['object/required-text', at('template.metadata.name')],
    ],
    [
      'an empty name is none',
      template('{apiVersion: v1, kind: ConfigMap, metadata: {name: ""}}'),
      ['object/required-text', at('template.metadata.name')],
    ],
    [
      "uid is the server's",
      template('{apiVersion: v1, kind: ConfigMap, metadata: {name: x, uid: y}}'),
      ['object/server-field', at('template.metadata.uid')],
    ],
    [
      'a null timestamp, as tools write it, is absent',
      template('{apiVersion: v1, kind: ConfigMap, metadata: {name: x, creationTimestamp: null}}'),
    ],
    ["finalizers are the owner's", template('{apiVersion: v1, kind: ConfigMap, metadata: {name: x, finalizers: [a.b/c]}}')],
    [
      'an annotation for this project has a meaning',
      template('{apiVersion: v1, kind: ConfigMap, metadata: {name: x, annotations: {kro.run/adopt: nevr}}}'),
      ['annotation/value', `${at('template.metadata.annotations')}["kro.run/adopt"]`],
    ],
    [
      'a computed annotation is not judged',
      `[${base}, {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x, annotations: {kro.run/adopt: "\${base.s}"}}}}]`,
    ],
    [
      'a computed name is a string',
      `[${base}, {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${base.n}"}}}]`,
      ['field/type-mismatch', 'spec.nodes[1].template.metadata.name'],
    ],
    [
      'also of a computed kind',
      `[${base}, {id: a, template: {apiVersion: v1, kind: "\${base.s}", metadata: {name: "\${base.n}"}}}]`,
      ['field/type-mismatch', 'spec.nodes[1].template.metadata.name'],
    ],
    [
      'the rest of a computed kind is not judged',
      `[${base}, {id: a, template: {apiVersion: v1, kind: "\${base.s}", metadata: {name: x}, any: {thing: [1, "\${base.n}"]}}}]`,
    ],
    [
      'expressions stand anywhere in a CustomResourceDefinition',
      `[${base}, {id: a, template: {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: gears.x.io}, spec: {group: x.io, scope: Namespaced,
        names: {kind: Gear, plural: gears}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: "\${base.s}", minLength: "\${base.s}",
        properties: {a: {type: "\${base.n}"}}}}}]}}}]`,
    ],
    [
      'above its schema they are typed',
      `[${base}, {id: a, template: {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: gears.x.io}, spec: {group: "\${base.n}", scope: Namespaced,
        names: {kind: Gear, plural: gears}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}}]`,
      ['field/type-mismatch', 'spec.nodes[1].template.spec.group'],
    ],
    [
      'a label of that name too',
      `[${base}, {id: a, template: {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: gears.x.io, labels: {openAPIV3Schema: "\${base.n}"}}, spec: {group: x.io, scope: Namespaced,
        names: {kind: Gear, plural: gears}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}}]`,
      ['field/type-mismatch', 'spec.nodes[1].template.metadata.labels.openAPIV3Schema'],
    ],
    [
      'a stamped Graph keeps what is deferred',
      `[${base}, {id: a, template: {apiVersion: kro.run/v1alpha1, kind: Graph, metadata: {name: x}, spec: {nodes: [{id: k, def: {v: "\${'\${no ( expression}'}", w: "\${base.s}"}}]}}}]`,
    ],
    [
      "what it does not defer is this Graph's",
      `[{id: a, template: {apiVersion: kro.run/v1alpha1, kind: Graph, metadata: {name: x}, spec: {nodes: [{id: k, def: {v: 1}}, {id: l, def: {v: "\${k.v}"}}]}}}]`,
      ['reference/unknown', at('template.spec.nodes[1].def.v'), 'k'],
    ],
  ]);
  t.end();
});

t.test('ref', (t) => {
  const ref = (metadata: string) => `[${base}, {id: a, ref: {apiVersion: v1, kind: Pod, metadata: ${metadata}}}]`;
  const here = 'spec.nodes[1].ref.metadata';
  testGraphs(t, [
    [
      'a field that a computed selector does not have',
      "[{id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: \"${{'matchLabel': {'a': 'b'}}}\"}}}]",
      ['field/unknown-in-value', at('ref.metadata.selector'), "'matchLabel'"],
    ],
    [
      'an operator in an expression',
      `[{id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchExpressions: [{key: a, operator: "\${'Equals'}"}]}}}}]`,
      ['field/enum', at('ref.metadata.selector.matchExpressions[0].operator')],
    ],
    ['by name', ref('{name: x}')],
    ['by selector', ref('{selector: {matchLabels: {app: web}}}')],
    ['all', ref('{selector: {}}')],
    ['neither', ref('{namespace: x}'), ['ref/name-or-selector', here]],
    ['both', ref('{name: x, selector: {}}'), ['ref/name-or-selector', here]],
    ['both, one of them empty, is one mistake', ref('{name: "", selector: {}}'), ['ref/name-or-selector', here]],
    ['an empty name', ref('{name: ""}'), ['object/required-text', `${here}.name`]],
    ['labels select nothing', ref('{name: x, labels: {a: b}}'), ['ref/unknown-field', `${here}.labels`]],
    [
      'a ref has no data',
      `[{id: a, ref: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {}}}]`,
      ['ref/unknown-field', at('ref.data')],
    ],
    ['one expression for the whole selector', ref('{selector: "${ {\'matchLabels\': base.labels} }"}')],
    ['of the shape of a selector', ref("{selector: \"${ {'matchLabels': {'a': 1}} }\"}"), ['field/type-mismatch', `${here}.selector`, '1']],
    ['not a string', ref('{selector: "${base.s}"}'), ['field/type-mismatch', `${here}.selector`]],
    ['not text with an expression', ref('{selector: "app=${base.s}"}'), ['selector/shape', `${here}.selector`]],
    [
      'strings in it may be expressions',
      ref('{selector: {matchLabels: {app: "${base.s}"}, matchExpressions: [{key: "${base.s}", operator: In, values: ["x-${base.s}"]}]}}'),
    ],
    [
      'that give strings',
      ref('{selector: {matchLabels: {app: "${base.n}"}}}'),
      ['field/type-mismatch', `${here}.selector.matchLabels.app`],
    ],
    ['a label is text', ref('{selector: {matchLabels: {app: true}}}'), ['selector/shape', `${here}.selector.matchLabels.app`]],
    ['a label has a form', ref('{selector: {matchLabels: {app: "a b"}}}'), ['selector/label', `${here}.selector.matchLabels.app`]],
    [
      "a key's prefix is a subdomain",
      ref('{selector: {matchLabels: {"a..b/x": c, "A.b/x": c, "a-/x": c}}}'),
      ...['a..b/x', 'A.b/x', 'a-/x'].sort().map((key): Finding => ['selector/label', `${here}.selector.matchLabels["${key}"]`]),
    ],
    ['a key has one slash', ref('{selector: {matchLabels: {"a/b/c": d}}}'), ['selector/label', `${here}.selector.matchLabels["a/b/c"]`]],
    ['a key with a prefix', ref('{selector: {matchLabels: {"app.kubernetes.io/name": c}}}')],
    [
      'a wrong operator does not hide the values',
      ref('{selector: {matchExpressions: [{key: a, operator: in, values: b}, {key: c, operator: 1, values: [1]}]}}'),
      ['selector/operator', `${here}.selector.matchExpressions[0].operator`],
      ['selector/shape', `${here}.selector.matchExpressions[0].values`],
      ['selector/shape', `${here}.selector.matchExpressions[1].operator`],
      ['selector/shape', `${here}.selector.matchExpressions[1].values[0]`],
    ],
    ['its key too', ref('{selector: {matchLabels: {"a b": c}}}'), ['selector/label', `${here}.selector.matchLabels["a b"]`]],
    [
      'Exists takes no values',
      ref('{selector: {matchExpressions: [{key: a, operator: Exists, values: [b]}]}}'),
      ['selector/values', `${here}.selector.matchExpressions[0].values`],
    ],
    [
      'NotIn needs some',
      ref('{selector: {matchExpressions: [{key: a, operator: NotIn, values: []}]}}'),
      ['selector/values', `${here}.selector.matchExpressions[0].values`],
    ],
    [
      'an operator is required',
      ref('{selector: {matchExpressions: [{key: a}]}}'),
      ['selector/shape', `${here}.selector.matchExpressions[0].operator`],
    ],
    [
      'a key is required',
      ref('{selector: {matchExpressions: [{operator: Exists}]}}'),
      ['selector/shape', `${here}.selector.matchExpressions[0].key`],
    ],
  ]);
  t.end();
});

t.test('patch', (t) => {
  const patch = (fields: string) => `[{id: a, patch: {apiVersion: example.com/v1, kind: Widget, ${fields}}}]`;
  testGraphs(t, [
    ['labels alone', patch('metadata: {name: x, labels: {a: b}}')],
    ['status alone', patch('metadata: {name: x}, status: {phase: Open}')],
    ['nothing', patch('metadata: {name: x, namespace: y}'), ['patch/nothing', at('patch')]],
    ['status and spec', patch('metadata: {name: x}, spec: {size: 1}, status: {phase: Open}'), ['patch/mixed-status', at('patch.status')]],
    [
      'status that is null, and spec',
      patch('metadata: {name: x}, spec: {size: 1}, status: null'),
      ['patch/mixed-status', at('patch.status')],
    ],
    [
      'status that is null alone',
      patch('metadata: {name: x}, status: null'),
      ['patch/nothing', at('patch')],
      ['field/type', at('patch.status')],
    ],
    ['status and labels', patch('metadata: {name: x, labels: {a: b}}, status: {phase: Open}'), ['patch/mixed-status', at('patch.status')]],
    [
      'owner references',
      patch('metadata: {name: x, ownerReferences: []}, spec: {size: 1}'),
      ['object/server-field', at('patch.metadata.ownerReferences')],
    ],
    ['a field of the wrong type', patch('metadata: {name: x}, spec: {size: big}'), ['field/type', at('patch.spec.size')]],
    [
      'required fields are not missed',
      '[{id: a, patch: {apiVersion: apps/v1, kind: Deployment, metadata: {name: x}, spec: {replicas: 1}}}]',
    ],
  ]);
  t.end();
});

t.test('def and graph', (t) => {
  testGraphs(t, [
    ['a def is an object', '[{id: a, def: "${ {} }"}]', ['payload/not-an-object', at('def')]],
    ['an empty one too', '[{id: a, def: {}}]'],
    ['a graph depends on nothing of its own', '[{id: g, graph: {nodes: [{id: a, def: {x: 1}}, {id: b, def: {y: "${a.x}"}}]}}]'],
  ]);
  t.end();
});
