import t from 'tap';
import { testGraphs } from '../support/compile.ts';

testGraphs(t, [
  ['a list of no node is refused', '[]', ['frame/no-nodes', 'spec.nodes']],
  ['nodes must be a list', '{a: 1}', ['frame/no-nodes', 'spec.nodes']],
  ['a node is an object', '[text, {id: a, def: {x: 1}}]', ['node/not-an-object', 'spec.nodes[0]']],
  ['a node without payload is refused', '[{id: a}]', ['node/kind', 'spec.nodes[0]']],
  ['a null payload is none', '[{id: a, def: null}]', ['node/kind', 'spec.nodes[0]']],
  ['two payloads are refused', '[{id: a, def: {x: 1}, ref: {}}]', ['node/kind', 'spec.nodes[0]']],
  [
    'a reference to a node of two payloads is no second mistake',
    '[{id: a, def: {x: 1}, ref: {}}, {id: b, def: {x: "${a.x.y}"}}]',
    ['node/kind', 'spec.nodes[0]'],
  ],
  [
    'a field that a node does not have is refused',
    '[{id: a, def: {x: 1}, includewhen: []}]',
    ['node/unknown-field', 'spec.nodes[0].includewhen'],
  ],
  ['a condition list may be null', '[{id: a, includeWhen: null, forEach: null, def: {x: 1}}]'],
  ['includeWhen must be a list', '[{id: a, includeWhen: "${true}", def: {x: 1}}]', ['modifier/not-a-list', 'spec.nodes[0].includeWhen']],
  [
    'a condition must be text',
    '[{id: a, includeWhen: [true], def: {x: 1}}]',
    ['modifier/not-an-expression', 'spec.nodes[0].includeWhen[0]'],
  ],
  ['a dimension is an object', '[{id: a, forEach: ["${[1]}"], def: {x: 1}}]', ['for-each/dimension', 'spec.nodes[0].forEach[0]']],
  [
    'a dimension has one key',
    '[{id: a, forEach: [{x: "${[1]}", y: "${[2]}"}], def: {v: "${x + y}"}}]',
    ['for-each/dimension', 'spec.nodes[0].forEach[0]'],
  ],
  [
    'what a malformed dimension was meant to be is not guessed at',
    '[{id: a, forEach: [{name: x, items: "${[1]}", in: [2]}], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "a-${name}"}}}]',
    ['for-each/dimension', 'spec.nodes[0].forEach[0]'],
    ['iterator/reserved', 'spec.nodes[0].forEach[0].in'],
    ['iterator/reserved', 'spec.nodes[0].forEach[0].items'],
  ],
  [
    'iterators of a map that should be a list are known',
    '[{id: a, forEach: {x: "${[\'b\']}"}, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "a-${x}"}}}]',
    ['modifier/not-a-list', 'spec.nodes[0].forEach'],
  ],
  [
    'so are those of a misspelt forEach',
    '[{id: a, foreach: [{x: "${[\'b\']}"}, text], readyWhen: ["${each.kind != \'\'}"], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "a-${x}"}}}]',
    ['node/unknown-field', 'spec.nodes[0].foreach'],
  ],
  [
    'whatever the misspelling',
    '[{id: a, foErach: [{x: "${[1]}"}], def: {v: "${x + 1}"}}, {id: b, def: {v: "${a[0].v + 1}"}}]',
    ['node/unknown-field', 'spec.nodes[0].foErach'],
  ],
  [
    'what others read of a graph whose nodes cannot be read is not told to be wrong',
    '[{id: g, graph: {ndoes: [{id: a, def: {x: 1}}]}}, {id: h, graph: {nodes: [{def: {x: 1}}]}}, {id: b, def: {v: "${g.a.x + h.a.x}"}}]',
    ['graph/unknown-field', 'spec.nodes[0].graph.ndoes'],
    ['frame/no-nodes', 'spec.nodes[0].graph.nodes'],
    ['id/missing', 'spec.nodes[1].graph.nodes[0].id'],
  ],
  [
    'nor of a ref of which it is not known whether it reads a list',
    '[{id: r, ref: {apiVersion: v1, kind: Pod, metadata: {slector: {}}}}, {id: b, def: {v: "${r.map(p, p.metadata.name)}", w: "${r.metadata.nam}"}}]',
    ['ref/name-or-selector', 'spec.nodes[0].ref.metadata'],
    ['ref/unknown-field', 'spec.nodes[0].ref.metadata.slector'],
  ],
  [
    'mistakes in its lists are found',
    '[{id: a, forEach: {x: "${nope}"}, def: {v: "${x}"}}]',
    ['modifier/not-a-list', 'spec.nodes[0].forEach'],
    ['reference/unknown', 'spec.nodes[0].forEach.x', 'nope'],
  ],
  [
    'a dimension is an expression',
    '[{id: a, forEach: [{x: [1, 2]}], def: {v: "${x}"}}]',
    ['modifier/not-an-expression', 'spec.nodes[0].forEach[0].x'],
  ],
  ['a nested list of no node is refused', '[{id: g, graph: {nodes: []}}]', ['frame/no-nodes', 'spec.nodes[0].graph.nodes']],
  ['a nested graph holds nodes', '[{id: g, graph: {}}]', ['frame/no-nodes', 'spec.nodes[0].graph.nodes']],
  ['a nested graph is an object', '[{id: g, graph: text}]', ['frame/no-nodes', 'spec.nodes[0].graph']],
  [
    'a nested graph holds nothing else',
    '[{id: g, graph: {nodes: [{id: a, def: {x: 1}}], serviceAccountName: x}}]',
    ['graph/unknown-field', 'spec.nodes[0].graph.serviceAccountName'],
  ],
  [
    'every mistake is found in one go, in the order of the Graph',
    '[{id: b-c, def: []}, {id: a, def: {x: "${nope}"}}, {id: g, includeWhen: [], graph: {nodes: [{}]}}]',
    ['payload/not-an-object', 'spec.nodes[0].def'],
    ['id/format', 'spec.nodes[0].id'],
    ['reference/unknown', 'spec.nodes[1].def.x', 'nope'],
    ['node/kind', 'spec.nodes[2].graph.nodes[0]'],
    ['id/missing', 'spec.nodes[2].graph.nodes[0].id'],
    ['modifier/not-allowed', 'spec.nodes[2].includeWhen'],
  ],
]);
