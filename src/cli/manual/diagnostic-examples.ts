/** What the manual says of one code: what it means, and a Graph's nodes (or a whole Graph) that are wrong, and right. */
export interface DiagnosticExample {
  readonly meaning: string;
  /** Undefined where a wrong Graph would fill pages. */
  readonly wrong?: string;
  readonly right?: string;
}

/** A kind of the examples: fields with an enum and with keys, and a status that is no subresource. */
export const EXAMPLE_CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gauges.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Gauge, plural: gauges}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                level: {type: string, enum: [low, high]}
                marks:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items: {type: object, required: [name], properties: {name: {type: string}, at: {type: integer, anyOf: [{maximum: 10}, {minimum: 100}]}}}
            status: {type: object, properties: {phase: {type: string}}}
`;

const gauge = (fields: string) => `- {id: a, template: {apiVersion: example.com/v1, kind: Gauge, metadata: {name: a}, ${fields}}}`;

const configMap = (fields: string) => `- id: a\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n${indent(fields, 4)}`;
const header = 'apiVersion: kro.run/v1alpha1\nkind: Graph\n';
const nodes = 'nodes:\n    - {id: a, def: {x: 1}}';

/** One entry for each code of the compiler; a test compiles every example. */
export const diagnosticExamples: Readonly<Record<string, DiagnosticExample>> = {
  'annotation/value': {
    meaning:
      'An annotation that steers this project on a template object has a value without meaning; a typing error in it would be found out too late.',
    wrong: configMap('metadata:\n  name: a\n  annotations: {kro.run/on-delete: retian}'),
    right: configMap('metadata:\n  name: a\n  annotations: {kro.run/on-delete: retain}'),
  },
  'condition/not-bool': {
    meaning:
      'includeWhen and readyWhen ask a question: the expression must give a bool, an optional bool, or a value whose type is known only later.',
    wrong: '- {id: cfg, def: {tier: gold}}\n- {id: a, includeWhen: ["${cfg.tier}"], def: {x: 1}}',
    right: '- {id: cfg, def: {tier: gold}}\n- {id: a, includeWhen: ["${cfg.tier == \'gold\'}"], def: {x: 1}}',
  },
  'dependency/cycle': {
    meaning: 'Nodes read each other in a circle, so none of them can be first. A graph node counts as one node with all that is in it.',
    wrong: '- {id: a, def: {x: "${b.y}"}}\n- {id: b, def: {y: "${a.x}"}}',
    right: '- {id: a, def: {x: 1}}\n- {id: b, def: {y: "${a.x}"}}',
  },
  'expression/argument': {
    meaning: 'A constant argument of a function is not what the function can work with.',
    wrong: "- {id: a, def: {x: \"${'abc'.matches('(')}\"}}",
    right: "- {id: a, def: {x: \"${'abc'.matches('a.c')}\"}}",
  },
  'expression/empty': {
    meaning: 'There is nothing between `${` and `}`.',
    wrong: '- {id: a, def: {x: "${}"}}',
    right: '- {id: a, def: {x: "${1}"}}',
  },
  'expression/nested': {
    meaning: 'An expression needs no further `${`. Text that a stamped Graph is to evaluate is quoted.',
    wrong: '- {id: a, def: {x: "${string(${1})}"}}',
    right: '- {id: a, def: {x: "${string(1)}", later: "${\'${b.x}\'}"}}',
  },
  'expression/syntax': {
    meaning: 'The text is not CEL.',
    wrong: '- {id: a, def: {x: "${1 +}"}}',
    right: '- {id: a, def: {x: "${1 + 1}"}}',
  },
  'expression/too-complex': {
    meaning: 'The expression nests deeper, or has more parts, than one expression may. Compute parts of it in a def node.',
  },
  'expression/too-long': {
    meaning: 'One expression may have 16 KiB. Compute parts of it in a def node.',
  },
  'expression/type': {
    meaning: 'A function, an operator or a selection does not take a value of this type.',
    wrong: '- {id: a, def: {x: "${1 + \'a\'}"}}',
    right: '- {id: a, def: {x: "${string(1) + \'a\'}"}}',
  },
  'expression/undeclared': {
    meaning: 'There is no function of this name. `kro-graph functions` lists all.',
    wrong: '- {id: a, def: {x: "${upcase(\'a\')}"}}',
    right: '- {id: a, def: {x: "${\'a\'.upperAscii()}"}}',
  },
  'expression/unknown-field': {
    meaning: 'The value has no field of this name, by the schema of its kind or by the literal shape of a def.',
    wrong: '- {id: cfg, def: {zone: north}}\n- {id: a, def: {x: "${cfg.zoen}"}}',
    right: '- {id: cfg, def: {zone: north}}\n- {id: a, def: {x: "${cfg.zone}"}}',
  },
  'expression/unterminated': {
    meaning: 'A `${` begins an expression that has no end; braces inside it count.',
    wrong: '- {id: a, def: {x: "${1 + 1"}}',
    right: '- {id: a, def: {x: "${1 + 1}", text: "${\'${\'}"}}',
  },
  'expression/unterminated-literal': {
    meaning: 'A quote inside an expression is never closed, so that it swallows the closing brace.',
    wrong: '- {id: a, def: {x: "${\'abc}"}}',
    right: '- {id: a, def: {x: "${\'abc\'}"}}',
  },
  'field/bounds': {
    meaning: 'A literal value is outside of the bounds of its field.',
    wrong: graphTemplate('nodes: []'),
    right: graphTemplate('nodes: [{id: x, def: {y: 1}}]'),
  },
  'field/combination': {
    meaning: 'A literal value breaks an allOf, anyOf, oneOf or not of its field.',
    wrong: gauge('spec: {marks: [{name: top, at: 50}]}'),
    right: gauge('spec: {marks: [{name: top, at: 5}]}'),
  },
  'field/enum': {
    meaning: 'A literal value is none of those that the field allows.',
    wrong: gauge('spec: {level: hihg}'),
    right: gauge('spec: {level: high}'),
  },
  'field/format': {
    meaning: 'A literal text does not have the format of its field, such as base64.',
    wrong: '- id: a\n  template:\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: a}\n    data: {token: "not base64!"}',
    right: '- id: a\n  template:\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: a}\n    data: {token: c2VjcmV0}',
  },
  'field/key-missing': {
    meaning: 'An element of a list lacks the field that tells it from the others.',
    wrong: gauge('spec: {marks: [{at: 5}]}'),
    right: gauge('spec: {marks: [{name: top, at: 5}]}'),
  },
  'field/pattern': {
    meaning: 'A literal text does not match the pattern of its field.',
    wrong: graphTemplate('nodes: [{id: a-b, def: {y: 1}}]'),
    right: graphTemplate('nodes: [{id: aB, def: {y: 1}}]'),
  },
  'field/repeated': {
    meaning: 'Two elements of a list have the same key.',
    wrong: pod('[{name: web, image: nginx}, {name: web, image: envoy}]'),
    right: pod('[{name: web, image: nginx}, {name: proxy, image: envoy}]'),
  },
  'field/required': {
    meaning: 'A field that the schema requires is missing. It only warns, since a mutating webhook may fill it.',
    wrong: '- id: a\n  template:\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: a}\n    spec: {replicas: 1}',
    right: pod('[{name: web, image: nginx}]'),
  },
  'field/type': {
    meaning: 'A literal value is not of the type of its field.',
    wrong: configMap('metadata: {name: a}\ndata: {port: 80}'),
    right: configMap('metadata: {name: a}\ndata: {port: "80"}'),
  },
  'field/type-mismatch': {
    meaning: 'An expression gives a type that its field does not take.',
    wrong: configMap('metadata: {name: a}\ndata: {port: "${80}"}'),
    right: configMap('metadata: {name: a}\ndata: {port: "${string(80)}"}'),
  },
  'field/unknown': {
    meaning: 'The kind has no field of this name.',
    wrong: configMap('metadata: {name: a}\ndato: {k: v}'),
    right: configMap('metadata: {name: a}\ndata: {k: v}'),
  },
  'field/unknown-in-value': {
    meaning: 'An expression gives an object with a field that the kind does not have.',
    wrong:
      '- {id: cfg, def: {spec: {pots: []}}}\n- {id: a, template: {apiVersion: v1, kind: Service, metadata: {name: a}, spec: "${cfg.spec}"}}',
    right:
      '- {id: cfg, def: {spec: {ports: []}}}\n- {id: a, template: {apiVersion: v1, kind: Service, metadata: {name: a}, spec: "${cfg.spec}"}}',
  },
  'for-each/dimension': {
    meaning: 'Each entry of forEach is one dimension: one iterator with one list.',
    wrong: '- {id: a, forEach: [{x: "${[1]}", y: "${[2]}"}], def: {v: "${x + y}"}}',
    right: '- {id: a, forEach: [{x: "${[1]}"}, {y: "${[2]}"}], def: {v: "${x + y}"}}',
  },
  'for-each/iterator-in-dimension': {
    meaning: 'The dimensions of one forEach do not read one another.',
    wrong: '- {id: a, forEach: [{x: "${[1]}"}, {y: "${[x]}"}], def: {v: "${x + y}"}}',
    right: '- {id: a, forEach: [{x: "${[1]}"}, {y: "${[2]}"}], def: {v: "${x + y}"}}',
  },
  'for-each/not-a-list': {
    meaning: 'forEach repeats over a list.',
    wrong: '- {id: a, forEach: [{x: "${3}"}], def: {v: "${x}"}}',
    right: '- {id: a, forEach: [{x: "${lists.range(3)}"}], def: {v: "${x}"}}',
  },
  'for-each/too-many-dimensions': {
    meaning: 'A forEach has at most ten dimensions.',
    wrong: `- id: a\n  forEach: [${Array.from({ length: 11 }, (_, i) => `{i${i}: "\${[1]}"}`).join(', ')}]\n  def: {v: 1}`,
    right: '- {id: a, forEach: [{i: "${[1]}"}], def: {v: 1}}',
  },
  'for-each/too-many-items': {
    meaning: 'A collection has at most 1000 items, unless the controller is told otherwise.',
    wrong: '- {id: a, forEach: [{x: "${lists.range(1001)}"}], def: {v: "${x}"}}',
    right: '- {id: a, forEach: [{x: "${lists.range(1000)}"}], def: {v: "${x}"}}',
  },
  'frame/no-nodes': {
    meaning: 'A Graph, and a graph node, hold a list of at least one node.',
    wrong: '- {id: g, graph: {nodes: []}}',
    right: '- {id: g, graph: {nodes: [{id: a, def: {x: 1}}]}}',
  },
  'graph/annotation': {
    meaning: 'An annotation that steers the controller has a value without meaning; it is ignored.',
    wrong: `${header}metadata:\n  name: g\n  annotations: {kro.run/max-prune: few}\nspec:\n  ${nodes}`,
    right: `${header}metadata:\n  name: g\n  annotations: {kro.run/max-prune: "20%"}\nspec:\n  ${nodes}`,
  },
  'graph/not-a-graph': {
    meaning: 'The object is not a Graph of kro.run/v1alpha1.',
    wrong: `apiVersion: kro.run/v1\nkind: Graph\nmetadata: {name: g}\nspec:\n  ${nodes}`,
    right: `${header}metadata: {name: g}\nspec:\n  ${nodes}`,
  },
  'graph/service-account-name': {
    meaning: 'serviceAccountName is the name of a ServiceAccount.',
    wrong: `${header}metadata: {name: g}\nspec:\n  serviceAccountName: Page_Applier\n  ${nodes}`,
    right: `${header}metadata: {name: g}\nspec:\n  serviceAccountName: page-applier\n  ${nodes}`,
  },
  'graph/spec': {
    meaning: 'A Graph has a spec.',
    wrong: `${header}metadata: {name: g}`,
    right: `${header}metadata: {name: g}\nspec:\n  ${nodes}`,
  },
  'graph/unknown-field': {
    meaning: 'A graph node holds `nodes` and nothing else; it acts as the Graph around it.',
    wrong: '- {id: g, graph: {serviceAccountName: x, nodes: [{id: a, def: {x: 1}}]}}',
    right: '- {id: g, graph: {nodes: [{id: a, def: {x: 1}}]}}',
  },
  'graph/unknown-spec-field': {
    meaning: 'The spec of a Graph has no such field.',
    wrong: `${header}metadata: {name: g}\nspec:\n  serviceAccount: x\n  ${nodes}`,
    right: `${header}metadata: {name: g}\nspec:\n  serviceAccountName: x\n  ${nodes}`,
  },
  'id/duplicate': {
    meaning: 'An id is unique in its node list.',
    wrong: '- {id: a, def: {x: 1}}\n- {id: a, def: {y: 1}}',
    right: '- {id: a, def: {x: 1}}\n- {id: b, def: {y: 1}}',
  },
  'id/format': {
    meaning: 'An id begins with a letter and holds letters and digits only, so that expressions can name it.',
    wrong: '- {id: web-app, def: {x: 1}}',
    right: '- {id: webApp, def: {x: 1}}',
  },
  'id/missing': { meaning: 'Every node has an id.', wrong: '- {def: {x: 1}}', right: '- {id: a, def: {x: 1}}' },
  'id/reserved': {
    meaning: 'Some words are not ids, since they mean something else in an object or an expression.',
    wrong: '- {id: status, def: {x: 1}}',
    right: '- {id: state, def: {x: 1}}',
  },
  'include-when/self-reference': {
    meaning: 'includeWhen is decided before the node exists.',
    wrong: '- {id: a, includeWhen: ["${a.x == 1}"], def: {x: 1}}',
    right: '- {id: b, def: {x: 1}}\n- {id: a, includeWhen: ["${b.x == 1}"], def: {x: 1}}',
  },
  'iterator/duplicate': {
    meaning: 'Each dimension has a name of its own.',
    wrong: '- {id: a, forEach: [{x: "${[1]}"}, {x: "${[2]}"}], def: {v: "${x}"}}',
    right: '- {id: a, forEach: [{x: "${[1]}"}, {y: "${[2]}"}], def: {v: "${x + y}"}}',
  },
  'iterator/format': {
    meaning: 'The name of an iterator begins with a letter and holds letters and digits only.',
    wrong: '- {id: a, forEach: [{my-x: "${[1]}"}], def: {v: 1}}',
    right: '- {id: a, forEach: [{myX: "${[1]}"}], def: {v: "${myX}"}}',
  },
  'iterator/hides-node': {
    meaning: 'An iterator bears the id of a node, which the payload can then not read. It only warns.',
    wrong: '- {id: zone, def: {x: 1}}\n- {id: a, forEach: [{zone: "${[1]}"}], def: {v: "${zone}"}}',
    right: '- {id: zone, def: {x: 1}}\n- {id: a, forEach: [{z: "${[1]}"}], def: {v: "${z}"}}',
  },
  'iterator/not-in-identity': {
    meaning:
      'Every iterator of a template or patch appears in the name (or in the namespace, of a kind known to be namespaced); else all items would be one object.',
    wrong: `- id: a\n  forEach: [{zone: "\${['n', 's']}"}]\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: a}\n    data: {zone: "\${zone}"}`,
    right: `- id: a\n  forEach: [{zone: "\${['n', 's']}"}]\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: "a-\${zone}"}\n    data: {zone: "\${zone}"}`,
  },
  'iterator/own-id': {
    meaning: 'An iterator does not bear the id of its own node.',
    wrong: '- {id: a, forEach: [{a: "${[1]}"}], def: {v: 1}}',
    right: '- {id: a, forEach: [{x: "${[1]}"}], def: {v: "${x}"}}',
  },
  'iterator/reserved': {
    meaning: 'Words that are not ids are not iterators either.',
    wrong: '- {id: a, forEach: [{item: "${[1]}"}], def: {v: 1}}',
    right: '- {id: a, forEach: [{x: "${[1]}"}], def: {v: "${x}"}}',
  },
  'kind/no-status': {
    meaning: 'A patch of status needs a kind with the status subresource.',
    wrong: '- {id: a, patch: {apiVersion: example.com/v1, kind: Gauge, metadata: {name: a}, status: {phase: x}}}',
    right: '- {id: a, patch: {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, status: {phase: Open}}}',
  },
  'kind/not-served': {
    meaning:
      'The cluster does not serve the kind, or not in this version. It only warns: the node waits until the kind is served, the rest goes on.',
    wrong: '- {id: a, ref: {apiVersion: apps/v9, kind: Deployment, metadata: {name: a}}}',
    right: '- {id: a, ref: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}}',
  },
  'kind/verb': {
    meaning: 'The cluster serves the kind, but does not let anybody do with it what the node would do.',
    wrong: '- {id: a, patch: {apiVersion: v1, kind: ComponentStatus, metadata: {name: a, labels: {x: y}}}}',
    right: '- {id: a, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {x: y}}}}',
  },
  'kind/ending': {
    meaning:
      "The kind's CustomResourceDefinition is being deleted: no object of it can be made or changed any more. It only warns: the node waits until the kind is served again, the rest goes on.",
  },
  'limit/compile': { meaning: 'Compiling the Graph takes more work than one Graph may. Split it into several.' },
  'modifier/not-a-list': {
    meaning: 'includeWhen, readyWhen and forEach are lists.',
    wrong: '- {id: a, includeWhen: "${true}", def: {x: 1}}',
    right: '- {id: a, includeWhen: ["${true}"], def: {x: 1}}',
  },
  'modifier/not-allowed': {
    meaning: 'A template accepts includeWhen, readyWhen and forEach, a ref no forEach, a patch no readyWhen, a graph node none.',
    wrong: '- {id: g, includeWhen: ["${true}"], graph: {nodes: [{id: a, def: {x: 1}}]}}',
    right: '- {id: g, graph: {nodes: [{id: a, includeWhen: ["${true}"], def: {x: 1}}]}}',
  },
  'modifier/not-an-expression': {
    meaning: 'The values of modifiers are expressions.',
    wrong: '- {id: a, includeWhen: [true], def: {x: 1}}',
    right: '- {id: a, includeWhen: ["${true}"], def: {x: 1}}',
  },
  'modifier/not-standalone': {
    meaning: 'A value of a modifier is exactly one expression, without text, space or line break around it.',
    wrong: '- id: a\n  includeWhen:\n    - |\n      ${true}\n  def: {x: 1}',
    right: '- id: a\n  includeWhen:\n    - |-\n      ${true}\n  def: {x: 1}',
  },
  'node/kind': {
    meaning: 'A node is exactly one of template, ref, def, patch and graph.',
    wrong: '- {id: a}',
    right: '- {id: a, def: {x: 1}}',
  },
  'node/not-an-object': { meaning: 'An entry of a node list is an object.', wrong: '- text', right: '- {id: a, def: {x: 1}}' },
  'node/unknown-field': {
    meaning: 'A node has no such field.',
    wrong: '- {id: a, includewhen: ["${true}"], def: {x: 1}}',
    right: '- {id: a, includeWhen: ["${true}"], def: {x: 1}}',
  },
  'object/api-version': {
    meaning: 'apiVersion is a version, or group/version.',
    wrong: '- {id: a, ref: {apiVersion: apps/, kind: Deployment, metadata: {name: a}}}',
    right: '- {id: a, ref: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}}',
  },
  'object/cluster-scoped': {
    meaning: 'An object of a cluster-scoped kind is in no namespace.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Namespace, metadata: {name: a, namespace: b}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Namespace, metadata: {name: a}}}',
  },
  'object/kind': {
    meaning: 'The name of a kind is one word.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Config Map, metadata: {name: a}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}',
  },
  'object/metadata': {
    meaning: 'An object has metadata.',
    wrong: '- {id: a, template: {apiVersion: v1, kind: ConfigMap}}',
    right: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}',
  },
  'object/namespace': {
    meaning: 'A namespace is text.',
    wrong: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: 5}}}',
    right: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: "5"}}}',
  },
  'object/required-text': {
    meaning: 'apiVersion, kind and metadata.name are text and not empty.',
    wrong: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: 5}}}',
    right: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "5"}}}',
  },
  'object/same-identity': {
    meaning: 'Two templates that are always included would own one object.',
    wrong: `- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}}\n- {id: b, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}}`,
    right: `- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}}\n- {id: b, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: y}}}`,
  },
  'object/server-field': {
    meaning: 'Some metadata only the API server sets, and some of a patch target only its owner.',
    wrong: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, resourceVersion: "5"}}}',
    right: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}',
  },
  'object/the-graph-itself': {
    meaning: 'A Graph does not manage itself.',
    wrong: `${header}metadata: {name: g, namespace: default}\nspec:\n  nodes:\n    - id: a\n      template:\n        apiVersion: kro.run/v1alpha1\n        kind: Graph\n        metadata: {name: g}\n        spec: {nodes: [{id: b, def: {x: 1}}]}`,
    right: `${header}metadata: {name: g, namespace: default}\nspec:\n  nodes:\n    - id: a\n      template:\n        apiVersion: kro.run/v1alpha1\n        kind: Graph\n        metadata: {name: child}\n        spec: {nodes: [{id: b, def: {x: 1}}]}`,
  },
  'omit/position': {
    meaning:
      '`omit()` leaves out a field or an element of a template, patch or def: not an identity, not a condition, not a part of a text.',
    wrong: '- {id: a, def: {x: "n-${true ? \'a\' : omit()}"}}',
    right: '- {id: a, def: {x: "${true ? \'n-a\' : omit()}"}}',
  },
  'patch/mixed-status': {
    meaning: 'Status is written through its own subresource, so a patch gives either status or anything else.',
    wrong: '- {id: a, patch: {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: {size: 1}, status: {phase: Open}}}',
    right: '- {id: a, patch: {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, status: {phase: Open}}}',
  },
  'patch/nothing': {
    meaning: 'A patch gives at least one field.',
    wrong: '- {id: a, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}',
    right: '- {id: a, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}}',
  },
  'payload/not-an-object': {
    meaning: 'What stands under template, ref, def and patch is an object.',
    wrong: '- {id: a, def: [1, 2]}',
    right: '- {id: a, def: {list: [1, 2]}}',
  },
  'payload/too-deep': { meaning: 'Values of a payload nest at most 1000 levels. Graph nodes nest without limit.' },
  'ready-when/other-node': {
    meaning: 'readyWhen is about the node itself.',
    wrong: '- {id: b, def: {x: 1}}\n- {id: a, readyWhen: ["${b.x == 1}"], def: {x: 1}}',
    right: '- {id: b, readyWhen: ["${b.x == 1}"], def: {x: 1}}\n- {id: a, def: {x: 1}}',
  },
  'ref/name-or-selector': {
    meaning: 'A ref reads one object by name, or a list by a label selector.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {namespace: x}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {namespace: x, selector: {}}}}',
  },
  'ref/unknown-field': {
    meaning: 'A ref only says what to read.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {name: a}}}',
  },
  'reference/each': {
    meaning: '`each` is one item in the readyWhen of a node with forEach, and nothing elsewhere.',
    wrong: '- {id: a, readyWhen: ["${each.x == 1}"], def: {x: 1}}',
    right: '- {id: a, forEach: [{i: "${[1]}"}], readyWhen: ["${each.x == 1}"], def: {x: "${i}"}}',
  },
  'reference/iterator-not-visible': {
    meaning: 'Iterators exist in the payload only.',
    wrong: '- {id: a, forEach: [{i: "${[1]}"}], includeWhen: ["${i == 1}"], def: {x: "${i}"}}',
    right: '- {id: a, forEach: [{i: "${[1, 2].filter(n, n == 1)}"}], def: {x: "${i}"}}',
  },
  'reference/unknown': {
    meaning: 'No node of this list, or of one around it, has this id. A node inside a graph node is reached through it.',
    wrong: '- {id: g, graph: {nodes: [{id: kid, def: {x: 1}}]}}\n- {id: a, def: {y: "${kid.x}"}}',
    right: '- {id: g, graph: {nodes: [{id: kid, def: {x: 1}}]}}\n- {id: a, def: {y: "${g.kid.x}"}}',
  },
  'reference/unpublished': {
    meaning: 'A patch publishes nothing; to read its target use a ref.',
    wrong: '- {id: p, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {k: v}}}\n- {id: a, def: {y: "${p.data.k}"}}',
    right:
      '- {id: p, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {k: v}}}\n- {id: r, ref: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}}\n- {id: a, def: {y: "${r.data.k}"}}',
  },
  'scope/mixed-frames': {
    meaning: 'One value reads nodes of one list only; a text with several expressions is one value.',
    wrong: '- {id: base, def: {v: x}}\n- {id: g, graph: {nodes: [{id: here, def: {w: y}}, {id: a, def: {z: "${base.v}-${here.w}"}}]}}',
    right:
      '- {id: base, def: {v: x}}\n- {id: g, graph: {nodes: [{id: outer, def: {v: "${base.v}"}}, {id: here, def: {w: y}}, {id: a, def: {z: "${outer.v}-${here.w}"}}]}}',
  },
  'selector/label': {
    meaning: 'Keys and values of a selector are labels.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchLabels: {app: "a b"}}}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchLabels: {app: a-b}}}}}',
  },
  'selector/operator': {
    meaning: 'The operators of matchExpressions are In, NotIn, Exists and DoesNotExist.',
    wrong:
      '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchExpressions: [{key: app, operator: Equals, values: [a]}]}}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchExpressions: [{key: app, operator: In, values: [a]}]}}}}',
  },
  'selector/shape': {
    meaning: 'A selector is an object with matchLabels and matchExpressions, or one expression that gives such an object.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: app=web}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchLabels: {app: web}}}}}',
  },
  'selector/unknown-field': {
    meaning: 'A selector has no such field.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchLabel: {app: web}}}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchLabels: {app: web}}}}}',
  },
  'selector/values': {
    meaning: 'In and NotIn need values, Exists and DoesNotExist take none.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchExpressions: [{key: app, operator: In}]}}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchExpressions: [{key: app, operator: Exists}]}}}}',
  },
  'text/not-a-string': {
    meaning: 'Text is made of strings: convert every expression in it.',
    wrong: '- {id: a, def: {x: "n=${1}"}}',
    right: '- {id: a, def: {x: "n=${string(1)}"}}',
  },
  'text/typed-field': {
    meaning: 'A value with anything around its expression, a space or a line break too, is a string, whatever the expression gives.',
    wrong: '- {id: a, template: {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: {size: "1${\'0\'}"}}}',
    right: '- {id: a, template: {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: {size: "${10}"}}}',
  },
};

function indent(text: string, by: number): string {
  return text.replace(/^/gm, ' '.repeat(by));
}

function graphTemplate(spec: string): string {
  return `- id: a\n  template:\n    apiVersion: kro.run/v1alpha1\n    kind: Graph\n    metadata: {name: a}\n    spec:\n      ${spec}`;
}

function pod(containers: string): string {
  return `- id: a\n  template:\n    apiVersion: v1\n    kind: Pod\n    metadata: {name: a}\n    spec:\n      containers: ${containers}`;
}
