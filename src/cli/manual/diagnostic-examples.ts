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
      'A `kro.run` annotation on the object of a template has an unknown value. This is an error, since a typing mistake would be noticed too late.',
    wrong: configMap('metadata:\n  name: a\n  annotations: {kro.run/on-delete: retian}'),
    right: configMap('metadata:\n  name: a\n  annotations: {kro.run/on-delete: retain}'),
  },
  'condition/not-bool': {
    meaning:
      'An expression of includeWhen or readyWhen must evaluate to a bool, an optional bool, or a value whose type is known only at run time.',
    wrong: '- {id: cfg, def: {tier: gold}}\n- {id: a, includeWhen: ["${cfg.tier}"], def: {x: 1}}',
    right: '- {id: cfg, def: {tier: gold}}\n- {id: a, includeWhen: ["${cfg.tier == \'gold\'}"], def: {x: 1}}',
  },
  'dependency/cycle': {
    meaning:
      'Nodes depend on each other in a cycle, so none of them can be first. A graph node counts as one node together with the nodes in it.',
    wrong: '- {id: a, def: {x: "${b.y}"}}\n- {id: b, def: {y: "${a.x}"}}',
    right: '- {id: a, def: {x: 1}}\n- {id: b, def: {y: "${a.x}"}}',
  },
  'expression/argument': {
    meaning: 'A constant argument of a function is invalid, such as a malformed regular expression.',
    wrong: "- {id: a, def: {x: \"${'abc'.matches('(')}\"}}",
    right: "- {id: a, def: {x: \"${'abc'.matches('a.c')}\"}}",
  },
  'expression/empty': {
    meaning: 'There is nothing between `${` and `}`.',
    wrong: '- {id: a, def: {x: "${}"}}',
    right: '- {id: a, def: {x: "${1}"}}',
  },
  'expression/nested': {
    meaning: 'An expression must not contain another `${`. Quote an expression that a stamped Graph is to evaluate.',
    wrong: '- {id: a, def: {x: "${string(${1})}"}}',
    right: '- {id: a, def: {x: "${string(1)}", later: "${\'${b.x}\'}"}}',
  },
  'expression/syntax': {
    meaning: 'The expression is not valid CEL.',
    wrong: '- {id: a, def: {x: "${1 +}"}}',
    right: '- {id: a, def: {x: "${1 + 1}"}}',
  },
  'expression/too-complex': {
    meaning: 'The expression is nested too deeply or has too many parts. Compute parts of it in a def node.',
  },
  'expression/too-long': {
    meaning: 'An expression can be at most 16 KiB long. Compute parts of it in a def node.',
  },
  'expression/type': {
    meaning: 'A function, an operator or a field selection does not accept a value of this type.',
    wrong: '- {id: a, def: {x: "${1 + \'a\'}"}}',
    right: '- {id: a, def: {x: "${string(1) + \'a\'}"}}',
  },
  'expression/undeclared': {
    meaning: 'There is no function with this name. `kro-graph functions` lists all functions.',
    wrong: '- {id: a, def: {x: "${upcase(\'a\')}"}}',
    right: '- {id: a, def: {x: "${\'a\'.upperAscii()}"}}',
  },
  'expression/unknown-field': {
    meaning: 'The value has no field with this name, according to the schema of its kind or the literal content of a def.',
    wrong: '- {id: cfg, def: {zone: north}}\n- {id: a, def: {x: "${cfg.zoen}"}}',
    right: '- {id: cfg, def: {zone: north}}\n- {id: a, def: {x: "${cfg.zone}"}}',
  },
  'expression/unterminated': {
    meaning: 'A `${` begins an expression that has no closing `}`. Braces inside the expression are counted.',
    wrong: '- {id: a, def: {x: "${1 + 1"}}',
    right: '- {id: a, def: {x: "${1 + 1}", text: "${\'${\'}"}}',
  },
  'expression/unterminated-literal': {
    meaning: 'A string inside the expression has no closing quote, so it includes the closing `}`.',
    wrong: '- {id: a, def: {x: "${\'abc}"}}',
    right: '- {id: a, def: {x: "${\'abc\'}"}}',
  },
  'field/bounds': {
    meaning: 'A literal value is outside the bounds that the schema of its field sets.',
    wrong: graphTemplate('nodes: []'),
    right: graphTemplate('nodes: [{id: x, def: {y: 1}}]'),
  },
  'field/combination': {
    meaning: 'A literal value violates an allOf, anyOf, oneOf or not in the schema of its field.',
    wrong: gauge('spec: {marks: [{name: top, at: 50}]}'),
    right: gauge('spec: {marks: [{name: top, at: 5}]}'),
  },
  'field/enum': {
    meaning: 'A literal value is not one of the values that its field allows (enum).',
    wrong: gauge('spec: {level: hihg}'),
    right: gauge('spec: {level: high}'),
  },
  'field/format': {
    meaning: 'A literal string does not have the format of its field, such as base64.',
    wrong: '- id: a\n  template:\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: a}\n    data: {token: "not base64!"}',
    right: '- id: a\n  template:\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: a}\n    data: {token: c2VjcmV0}',
  },
  'field/key-missing': {
    meaning: 'An item of a list lacks its key field (`x-kubernetes-list-map-keys`).',
    wrong: gauge('spec: {marks: [{at: 5}]}'),
    right: gauge('spec: {marks: [{name: top, at: 5}]}'),
  },
  'field/pattern': {
    meaning: 'A literal string does not match the pattern of its field.',
    wrong: graphTemplate('nodes: [{id: a-b, def: {y: 1}}]'),
    right: graphTemplate('nodes: [{id: aB, def: {y: 1}}]'),
  },
  'field/repeated': {
    meaning: 'Two items of a list have the same key.',
    wrong: pod('[{name: web, image: nginx}, {name: web, image: envoy}]'),
    right: pod('[{name: web, image: nginx}, {name: proxy, image: envoy}]'),
  },
  'field/required': {
    meaning: 'A field that the schema requires is missing. This is only a warning, since a mutating webhook may set it.',
    wrong: '- id: a\n  template:\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: a}\n    spec: {replicas: 1}',
    right: pod('[{name: web, image: nginx}]'),
  },
  'field/type': {
    meaning: 'A literal value does not have the type of its field.',
    wrong: configMap('metadata: {name: a}\ndata: {port: 80}'),
    right: configMap('metadata: {name: a}\ndata: {port: "80"}'),
  },
  'field/type-mismatch': {
    meaning: 'An expression has a type that its field does not accept.',
    wrong: configMap('metadata: {name: a}\ndata: {port: "${80}"}'),
    right: configMap('metadata: {name: a}\ndata: {port: "${string(80)}"}'),
  },
  'field/unknown': {
    meaning: 'The kind has no field with this name.',
    wrong: configMap('metadata: {name: a}\ndato: {k: v}'),
    right: configMap('metadata: {name: a}\ndata: {k: v}'),
  },
  'field/unknown-in-value': {
    meaning: 'An expression evaluates to an object with a field that the kind does not have.',
    wrong:
      '- {id: cfg, def: {spec: {pots: []}}}\n- {id: a, template: {apiVersion: v1, kind: Service, metadata: {name: a}, spec: "${cfg.spec}"}}',
    right:
      '- {id: cfg, def: {spec: {ports: []}}}\n- {id: a, template: {apiVersion: v1, kind: Service, metadata: {name: a}, spec: "${cfg.spec}"}}',
  },
  'for-each/dimension': {
    meaning: 'Each entry of forEach must be one dimension: one iterator with one list.',
    wrong: '- {id: a, forEach: [{x: "${[1]}", y: "${[2]}"}], def: {v: "${x + y}"}}',
    right: '- {id: a, forEach: [{x: "${[1]}"}, {y: "${[2]}"}], def: {v: "${x + y}"}}',
  },
  'for-each/iterator-in-dimension': {
    meaning: 'The dimensions of one forEach cannot read one another.',
    wrong: '- {id: a, forEach: [{x: "${[1]}"}, {y: "${[x]}"}], def: {v: "${x + y}"}}',
    right: '- {id: a, forEach: [{x: "${[1]}"}, {y: "${[2]}"}], def: {v: "${x + y}"}}',
  },
  'for-each/not-a-list': {
    meaning: 'A dimension of forEach must be a list.',
    wrong: '- {id: a, forEach: [{x: "${3}"}], def: {v: "${x}"}}',
    right: '- {id: a, forEach: [{x: "${lists.range(3)}"}], def: {v: "${x}"}}',
  },
  'for-each/too-many-dimensions': {
    meaning: 'A forEach can have at most ten dimensions.',
    wrong: `- id: a\n  forEach: [${Array.from({ length: 11 }, (_, i) => `{i${i}: "\${[1]}"}`).join(', ')}]\n  def: {v: 1}`,
    right: '- {id: a, forEach: [{i: "${[1]}"}], def: {v: 1}}',
  },
  'for-each/too-many-items': {
    meaning: 'A forEach can yield at most 1000 items by default (`--limits-collection-size`).',
    wrong: '- {id: a, forEach: [{x: "${lists.range(1001)}"}], def: {v: "${x}"}}',
    right: '- {id: a, forEach: [{x: "${lists.range(1000)}"}], def: {v: "${x}"}}',
  },
  'frame/no-nodes': {
    meaning: 'A Graph and a graph node need a list of at least one node.',
    wrong: '- {id: g, graph: {nodes: []}}',
    right: '- {id: g, graph: {nodes: [{id: a, def: {x: 1}}]}}',
  },
  'graph/annotation': {
    meaning: 'A `kro.run` annotation of the Graph has an unknown value and is ignored.',
    wrong: `${header}metadata:\n  name: g\n  annotations: {kro.run/max-prune: few}\nspec:\n  ${nodes}`,
    right: `${header}metadata:\n  name: g\n  annotations: {kro.run/max-prune: "20%"}\nspec:\n  ${nodes}`,
  },
  'graph/not-a-graph': {
    meaning: 'The object is not a Graph of kro.run/v1alpha1.',
    wrong: `apiVersion: kro.run/v1\nkind: Graph\nmetadata: {name: g}\nspec:\n  ${nodes}`,
    right: `${header}metadata: {name: g}\nspec:\n  ${nodes}`,
  },
  'graph/service-account-name': {
    meaning: 'serviceAccountName must be a valid name of a ServiceAccount.',
    wrong: `${header}metadata: {name: g}\nspec:\n  serviceAccountName: Page_Applier\n  ${nodes}`,
    right: `${header}metadata: {name: g}\nspec:\n  serviceAccountName: page-applier\n  ${nodes}`,
  },
  'graph/spec': {
    meaning: 'A Graph needs a spec.',
    wrong: `${header}metadata: {name: g}`,
    right: `${header}metadata: {name: g}\nspec:\n  ${nodes}`,
  },
  'graph/unknown-field': {
    meaning: 'A graph node has the field `nodes` and no other. It uses the ServiceAccount of the Graph that contains it.',
    wrong: '- {id: g, graph: {serviceAccountName: x, nodes: [{id: a, def: {x: 1}}]}}',
    right: '- {id: g, graph: {nodes: [{id: a, def: {x: 1}}]}}',
  },
  'graph/unknown-spec-field': {
    meaning: 'The spec of a Graph has no field with this name.',
    wrong: `${header}metadata: {name: g}\nspec:\n  serviceAccount: x\n  ${nodes}`,
    right: `${header}metadata: {name: g}\nspec:\n  serviceAccountName: x\n  ${nodes}`,
  },
  'id/duplicate': {
    meaning: 'An id must be unique in its list of nodes.',
    wrong: '- {id: a, def: {x: 1}}\n- {id: a, def: {y: 1}}',
    right: '- {id: a, def: {x: 1}}\n- {id: b, def: {y: 1}}',
  },
  'id/format': {
    meaning: 'An id must begin with a letter and consist of letters and digits, so that expressions can use it.',
    wrong: '- {id: web-app, def: {x: 1}}',
    right: '- {id: webApp, def: {x: 1}}',
  },
  'id/missing': { meaning: 'Every node has an id.', wrong: '- {def: {x: 1}}', right: '- {id: a, def: {x: 1}}' },
  'id/reserved': {
    meaning: 'Some words cannot be ids, since they have another meaning in an object or an expression.',
    wrong: '- {id: status, def: {x: 1}}',
    right: '- {id: state, def: {x: 1}}',
  },
  'include-when/self-reference': {
    meaning: 'includeWhen cannot read its own node, since it is evaluated before the node exists.',
    wrong: '- {id: a, includeWhen: ["${a.x == 1}"], def: {x: 1}}',
    right: '- {id: b, def: {x: 1}}\n- {id: a, includeWhen: ["${b.x == 1}"], def: {x: 1}}',
  },
  'iterator/duplicate': {
    meaning: 'Each dimension of a forEach needs an iterator with a different name.',
    wrong: '- {id: a, forEach: [{x: "${[1]}"}, {x: "${[2]}"}], def: {v: "${x}"}}',
    right: '- {id: a, forEach: [{x: "${[1]}"}, {y: "${[2]}"}], def: {v: "${x + y}"}}',
  },
  'iterator/format': {
    meaning: 'The name of an iterator must begin with a letter and consist of letters and digits.',
    wrong: '- {id: a, forEach: [{my-x: "${[1]}"}], def: {v: 1}}',
    right: '- {id: a, forEach: [{myX: "${[1]}"}], def: {v: "${myX}"}}',
  },
  'iterator/hides-node': {
    meaning: 'An iterator has the same name as a node, so the node with that id cannot be read here.',
    wrong: '- {id: zone, def: {x: 1}}\n- {id: a, forEach: [{zone: "${[1]}"}], def: {v: "${zone}"}}',
    right: '- {id: zone, def: {x: 1}}\n- {id: a, forEach: [{z: "${[1]}"}], def: {v: "${z}"}}',
  },
  'iterator/not-in-identity': {
    meaning:
      'The name of the object in a template or patch (or its namespace, if the kind is known to be namespaced) must contain every iterator. Otherwise several items would be the same object.',
    wrong: `- id: a\n  forEach: [{zone: "\${['n', 's']}"}]\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: a}\n    data: {zone: "\${zone}"}`,
    right: `- id: a\n  forEach: [{zone: "\${['n', 's']}"}]\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: "a-\${zone}"}\n    data: {zone: "\${zone}"}`,
  },
  'iterator/own-id': {
    meaning: 'An iterator cannot have the id of its own node.',
    wrong: '- {id: a, forEach: [{a: "${[1]}"}], def: {v: 1}}',
    right: '- {id: a, forEach: [{x: "${[1]}"}], def: {v: "${x}"}}',
  },
  'iterator/reserved': {
    meaning: 'Words that are reserved for ids are also reserved for iterators.',
    wrong: '- {id: a, forEach: [{item: "${[1]}"}], def: {v: 1}}',
    right: '- {id: a, forEach: [{x: "${[1]}"}], def: {v: "${x}"}}',
  },
  'kind/no-status': {
    meaning: 'A patch of status needs a kind with a status subresource.',
    wrong: '- {id: a, patch: {apiVersion: example.com/v1, kind: Gauge, metadata: {name: a}, status: {phase: x}}}',
    right: '- {id: a, patch: {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, status: {phase: Open}}}',
  },
  'kind/not-served': {
    meaning:
      'The cluster does not serve the kind, or not in this version. This is only a warning: the node waits until the kind is served, and other nodes continue.',
    wrong: '- {id: a, ref: {apiVersion: apps/v9, kind: Deployment, metadata: {name: a}}}',
    right: '- {id: a, ref: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}}',
  },
  'kind/verb': {
    meaning: 'The cluster serves the kind, but without the verbs that the node needs.',
    wrong: '- {id: a, patch: {apiVersion: v1, kind: ComponentStatus, metadata: {name: a, labels: {x: y}}}}',
    right: '- {id: a, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {x: y}}}}',
  },
  'kind/ending': {
    meaning:
      "The kind's CustomResourceDefinition is being deleted, so its objects can no longer be created or changed. This is only a warning: the node waits until the kind is served again, and other nodes continue.",
  },
  'limit/compile': {
    meaning: 'Compiling the Graph takes more steps than allowed (`--limits-compile-steps`). Split it into several Graphs.',
  },
  'modifier/not-a-list': {
    meaning: 'includeWhen, readyWhen and forEach must be lists.',
    wrong: '- {id: a, includeWhen: "${true}", def: {x: 1}}',
    right: '- {id: a, includeWhen: ["${true}"], def: {x: 1}}',
  },
  'modifier/not-allowed': {
    meaning:
      'The node kind does not support this field. A template supports includeWhen, readyWhen and forEach, and so does a def; a ref has no forEach, a patch no readyWhen, and a graph node none of them.',
    wrong: '- {id: g, includeWhen: ["${true}"], graph: {nodes: [{id: a, def: {x: 1}}]}}',
    right: '- {id: g, graph: {nodes: [{id: a, includeWhen: ["${true}"], def: {x: 1}}]}}',
  },
  'modifier/not-an-expression': {
    meaning: 'The values of includeWhen, readyWhen and forEach must be expressions.',
    wrong: '- {id: a, includeWhen: [true], def: {x: 1}}',
    right: '- {id: a, includeWhen: ["${true}"], def: {x: 1}}',
  },
  'modifier/not-standalone': {
    meaning:
      'Each value of includeWhen, readyWhen and forEach must be exactly one expression, without text, spaces or line breaks around it.',
    wrong: '- id: a\n  includeWhen:\n    - |\n      ${true}\n  def: {x: 1}',
    right: '- id: a\n  includeWhen:\n    - |-\n      ${true}\n  def: {x: 1}',
  },
  'node/kind': {
    meaning: 'A node must have exactly one of the fields template, ref, def, patch and graph.',
    wrong: '- {id: a}',
    right: '- {id: a, def: {x: 1}}',
  },
  'node/not-an-object': { meaning: 'An entry of a list of nodes must be an object.', wrong: '- text', right: '- {id: a, def: {x: 1}}' },
  'node/unknown-field': {
    meaning: 'A node has no field with this name.',
    wrong: '- {id: a, includewhen: ["${true}"], def: {x: 1}}',
    right: '- {id: a, includeWhen: ["${true}"], def: {x: 1}}',
  },
  'object/api-version': {
    meaning: 'apiVersion must be a version or group/version.',
    wrong: '- {id: a, ref: {apiVersion: apps/, kind: Deployment, metadata: {name: a}}}',
    right: '- {id: a, ref: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}}',
  },
  'object/cluster-scoped': {
    meaning: 'An object of a cluster-scoped kind cannot have a namespace.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Namespace, metadata: {name: a, namespace: b}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Namespace, metadata: {name: a}}}',
  },
  'object/kind': {
    meaning: 'kind must be a valid name of a kind: a single word.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Config Map, metadata: {name: a}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}',
  },
  'object/label': {
    meaning: 'The API server accepts only valid keys and values of labels, and valid keys of annotations.',
    wrong: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {team: "blue team"}}}}',
    right: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {team: blue-team}}}}',
  },
  'object/metadata': {
    meaning: 'An object needs metadata.',
    wrong: '- {id: a, template: {apiVersion: v1, kind: ConfigMap}}',
    right: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}',
  },
  'object/name': {
    meaning: 'No object can have this name, or no namespace. Rules that only some kinds have are left to the API server.',
    wrong: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: team/a}}}',
    right: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: team-a}}}',
  },
  'object/namespace': {
    meaning: 'A namespace must be a string.',
    wrong: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: 5}}}',
    right: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: "5"}}}',
  },
  'object/required-text': {
    meaning: 'apiVersion, kind and metadata.name must be non-empty strings.',
    wrong: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: 5}}}',
    right: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "5"}}}',
  },
  'object/same-identity': {
    meaning: 'Two templates that are always included describe the same object.',
    wrong: `- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}}\n- {id: b, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}}`,
    right: `- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}}\n- {id: b, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: y}}}`,
  },
  'object/server-field': {
    meaning: 'Some metadata can be set only by the API server, and some metadata of the target of a patch only by its owner.',
    wrong: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, resourceVersion: "5"}}}',
    right: '- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}',
  },
  'object/the-graph-itself': {
    meaning: 'A Graph cannot manage itself.',
    wrong: `${header}metadata: {name: g, namespace: default}\nspec:\n  nodes:\n    - id: a\n      template:\n        apiVersion: kro.run/v1alpha1\n        kind: Graph\n        metadata: {name: g}\n        spec: {nodes: [{id: b, def: {x: 1}}]}`,
    right: `${header}metadata: {name: g, namespace: default}\nspec:\n  nodes:\n    - id: a\n      template:\n        apiVersion: kro.run/v1alpha1\n        kind: Graph\n        metadata: {name: child}\n        spec: {nodes: [{id: b, def: {x: 1}}]}`,
  },
  'omit/position': {
    meaning:
      '`omit()` can leave out a field or a list item of a template, patch or def. It cannot be used for the identity of an object, in a condition, or within text.',
    wrong: '- {id: a, def: {x: "n-${true ? \'a\' : omit()}"}}',
    right: '- {id: a, def: {x: "${true ? \'n-a\' : omit()}"}}',
  },
  'patch/mixed-status': {
    meaning: 'Status is written through its own subresource, so a patch sets either status or other fields.',
    wrong: '- {id: a, patch: {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: {size: 1}, status: {phase: Open}}}',
    right: '- {id: a, patch: {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, status: {phase: Open}}}',
  },
  'patch/nothing': {
    meaning: 'A patch must set at least one field.',
    wrong: '- {id: a, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}',
    right: '- {id: a, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}}',
  },
  'payload/not-an-object': {
    meaning: 'The values of template, ref, def and patch must be objects.',
    wrong: '- {id: a, def: [1, 2]}',
    right: '- {id: a, def: {list: [1, 2]}}',
  },
  'payload/too-deep': {
    meaning: 'Values of a template, ref, def or patch can be nested at most 1000 levels deep. Graph nodes can be nested without limit.',
  },
  'ready-when/other-node': {
    meaning: 'readyWhen can read only its own node.',
    wrong: '- {id: b, def: {x: 1}}\n- {id: a, readyWhen: ["${b.x == 1}"], def: {x: 1}}',
    right: '- {id: b, readyWhen: ["${b.x == 1}"], def: {x: 1}}\n- {id: a, def: {x: 1}}',
  },
  'ref/name-or-selector': {
    meaning: 'A ref needs either metadata.name (one object) or metadata.selector (a list), not both.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {namespace: x}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {namespace: x, selector: {}}}}',
  },
  'ref/unknown-field': {
    meaning: 'A ref has only fields that say what to read.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {name: a}}}',
  },
  'reference/each': {
    meaning: '`each` is the item in the readyWhen of a node with forEach. It does not exist elsewhere.',
    wrong: '- {id: a, readyWhen: ["${each.x == 1}"], def: {x: 1}}',
    right: '- {id: a, forEach: [{i: "${[1]}"}], readyWhen: ["${each.x == 1}"], def: {x: "${i}"}}',
  },
  'reference/iterator-not-visible': {
    meaning: 'Iterators can be used only in the template, patch or def of their node.',
    wrong: '- {id: a, forEach: [{i: "${[1]}"}], includeWhen: ["${i == 1}"], def: {x: "${i}"}}',
    right: '- {id: a, forEach: [{i: "${[1, 2].filter(n, n == 1)}"}], def: {x: "${i}"}}',
  },
  'reference/unknown': {
    meaning: 'No node of this list, or of a list around it, has this id. A node inside a graph node is read through the graph node.',
    wrong: '- {id: g, graph: {nodes: [{id: kid, def: {x: 1}}]}}\n- {id: a, def: {y: "${kid.x}"}}',
    right: '- {id: g, graph: {nodes: [{id: kid, def: {x: 1}}]}}\n- {id: a, def: {y: "${g.kid.x}"}}',
  },
  'reference/unpublished': {
    meaning: 'A patch cannot be read. To read its target, use a ref.',
    wrong: '- {id: p, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {k: v}}}\n- {id: a, def: {y: "${p.data.k}"}}',
    right:
      '- {id: p, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {k: v}}}\n- {id: r, ref: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}}\n- {id: a, def: {y: "${r.data.k}"}}',
  },
  'scope/mixed-frames': {
    meaning: 'A value can read nodes of only one list (frame). Text with several expressions is one value.',
    wrong: '- {id: base, def: {v: x}}\n- {id: g, graph: {nodes: [{id: here, def: {w: y}}, {id: a, def: {z: "${base.v}-${here.w}"}}]}}',
    right:
      '- {id: base, def: {v: x}}\n- {id: g, graph: {nodes: [{id: outer, def: {v: "${base.v}"}}, {id: here, def: {w: y}}, {id: a, def: {z: "${outer.v}-${here.w}"}}]}}',
  },
  'selector/label': {
    meaning: 'Keys and values of a selector must be valid label keys and values.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchLabels: {app: "a b"}}}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchLabels: {app: a-b}}}}}',
  },
  'selector/operator': {
    meaning: 'The operator of a matchExpression must be In, NotIn, Exists or DoesNotExist.',
    wrong:
      '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchExpressions: [{key: app, operator: Equals, values: [a]}]}}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchExpressions: [{key: app, operator: In, values: [a]}]}}}}',
  },
  'selector/shape': {
    meaning: 'A selector must be an object with matchLabels and matchExpressions, or one expression that evaluates to such an object.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: app=web}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchLabels: {app: web}}}}}',
  },
  'selector/unknown-field': {
    meaning: 'A selector has no field with this name.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchLabel: {app: web}}}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchLabels: {app: web}}}}}',
  },
  'selector/values': {
    meaning: 'In and NotIn need values; Exists and DoesNotExist cannot have any.',
    wrong: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchExpressions: [{key: app, operator: In}]}}}}',
    right: '- {id: a, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {matchExpressions: [{key: app, operator: Exists}]}}}}',
  },
  'text/not-a-string': {
    meaning: 'An expression with text around it must be a string. Convert it.',
    wrong: '- {id: a, def: {x: "n=${1}"}}',
    right: '- {id: a, def: {x: "n=${string(1)}"}}',
  },
  'text/typed-field': {
    meaning: 'A value with anything around its expression, even a space or a line break, is a string, whatever the type of the expression.',
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
