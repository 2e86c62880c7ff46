import t from 'tap';
import { testGraphs } from '../support/compile.ts';

const base = '{id: base, def: {v: hello, list: [a, b]}}';

testGraphs(t, [
  [
    'a name that no node bears is refused where it stands',
    `[${base}, {id: a, def: {x: "\${bse.v}"}}]`,
    ['reference/unknown', 'spec.nodes[1].def.x', 'bse'],
  ],
  [
    'every unknown name of an expression is told',
    '[{id: a, def: {x: "${b + c}"}}]',
    ['reference/unknown', 'spec.nodes[0].def.x', 'b'],
    ['reference/unknown', 'spec.nodes[0].def.x', 'c'],
  ],
  ['a name bound by a macro is no reference', `[${base}, {id: a, def: {x: "\${base.list.map(base, base + '!')}"}}]`],
  ['a name bound by cel.bind is no reference', '[{id: a, def: {x: "${cel.bind(b, 1, b + 1)}"}}]'],
  [
    'a bound name is free outside its macro',
    `[${base}, {id: a, def: {x: "\${base.list.exists(w, w == 'a') ? w : 'b'}"}}]`,
    ['reference/unknown', 'spec.nodes[1].def.x', 'w'],
  ],
  ['the name of a type is no reference', '[{id: a, def: {x: "${type(1) == int}"}}]'],
  ['a node may bear the name of a type', '[{id: int, def: {v: 1}}, {id: a, def: {x: "${int.v + 1}"}}]'],
  ['a field of the name of a node is no reference', '[{id: a, def: {b: 1}}, {id: b, def: {x: "${a.b}"}}]'],
  ['a child reads a node around it', `[${base}, {id: g, graph: {nodes: [{id: a, def: {x: "\${base.v}"}}]}}]`],
  ['the nearest declaration wins', `[${base}, {id: g, graph: {nodes: [{id: base, def: {w: 1}}, {id: a, def: {x: "\${base.w}"}}]}}]`],
  [
    'a child is not visible outside',
    '[{id: g, graph: {nodes: [{id: kid, def: {v: 1}}]}}, {id: a, def: {x: "${kid.v}"}}]',
    ['reference/unknown', 'spec.nodes[1].def.x', 'kid'],
  ],
  ['a child is reached through its graph', '[{id: g, graph: {nodes: [{id: kid, def: {v: 1}}]}}, {id: a, def: {x: "${g.kid.v + 1}"}}]'],
  [
    'a child that does not exist is an unknown field',
    '[{id: g, graph: {nodes: [{id: kid, def: {v: 1}}]}}, {id: a, def: {x: "${g.kit.v}"}}]',
    ['expression/unknown-field', 'spec.nodes[1].def.x', 'kit'],
  ],
  [
    'a patch is not read through its graph, be it by a key',
    '[{id: g, graph: {nodes: [{id: p, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: b}}}]}}, {id: a, def: {x: "${g[\'p\'].data}"}}]',
    ['reference/unpublished', 'spec.nodes[1].def.x', 'g'],
  ],
  [
    'an expression reads one frame',
    `[${base}, {id: g, graph: {nodes: [{id: here, def: {w: x}}, {id: a, def: {x: "\${here.w + base.v}"}}]}}]`,
    ['scope/mixed-frames', 'spec.nodes[1].graph.nodes[1].def.x', 'base'],
  ],
  [
    'a string template counts as one expression',
    `[${base}, {id: g, graph: {nodes: [{id: here, def: {w: x}}, {id: a, def: {x: "\${here.w}-\${base.v}"}}]}}]`,
    ['scope/mixed-frames', 'spec.nodes[1].graph.nodes[1].def.x', 'base'],
  ],
  [
    'another node in readyWhen is told once, whatever its frame',
    `[${base}, {id: g, graph: {nodes: [{id: a, readyWhen: ["\${a.x == base.v}"], def: {x: b}}]}}]`,
    ['ready-when/other-node', 'spec.nodes[1].graph.nodes[0].readyWhen[0]', 'base'],
  ],
  [
    'so is the node itself beside one of another frame',
    `[${base}, {id: g, graph: {nodes: [{id: a, includeWhen: ["\${a.x == base.v}"], def: {x: "\${base.v + a.y}", y: b}}]}}]`,
    ['dependency/cycle', 'spec.nodes[1].graph.nodes[0].def.x', 'a'],
    ['include-when/self-reference', 'spec.nodes[1].graph.nodes[0].includeWhen[0]', 'a'],
  ],
  [
    'fields apart may read frames apart',
    `[${base}, {id: g, graph: {nodes: [{id: here, def: {w: x}}, {id: a, def: {x: "\${here.w}", y: "\${base.v}"}}]}}]`,
  ],
  [
    'elements of a list may read frames apart',
    `[${base}, {id: g, graph: {nodes: [{id: here, def: {w: x}}, {id: a, def: {l: ["\${here.w}", "\${base.v}"]}}]}}]`,
  ],
  [
    'an iterator does not count for the frame',
    `[${base}, {id: g, graph: {nodes: [{id: here, def: {w: x}}, {id: a, forEach: [{z: "\${base.list}"}], def: {x: "\${z + here.w}"}}]}}]`,
  ],
  [
    'each exists in readyWhen of a collection',
    `[${base}, {id: a, forEach: [{z: "\${base.list}"}], readyWhen: ["\${each.x == 'a'}"], def: {x: "\${z}"}}]`,
  ],
  [
    'each does not exist without forEach',
    '[{id: a, readyWhen: ["${each.x == 1}"], def: {x: 1}}]',
    ['reference/each', 'spec.nodes[0].readyWhen[0]', 'each'],
  ],
  [
    'each does not exist in a payload',
    `[${base}, {id: a, forEach: [{z: "\${base.list}"}], def: {x: "\${each}", y: "\${z}"}}]`,
    ['reference/each', 'spec.nodes[1].def.x', 'each'],
  ],
  [
    'an iterator is not visible in includeWhen',
    `[${base}, {id: a, forEach: [{z: "\${base.list}"}], includeWhen: ["\${z == 'a'}"], def: {x: "\${z}"}}]`,
    ['reference/iterator-not-visible', 'spec.nodes[1].includeWhen[0]', 'z'],
  ],
  [
    'an iterator is not visible in readyWhen',
    `[${base}, {id: a, forEach: [{z: "\${base.list}"}], readyWhen: ["\${z == 'a'}"], def: {x: "\${z}"}}]`,
    ['reference/iterator-not-visible', 'spec.nodes[1].readyWhen[0]', 'z'],
  ],
  [
    'no dimension reads an iterator of the node',
    `[${base}, {id: a, forEach: [{y: "\${base.list}"}, {z: "\${[y]}"}], def: {x: "\${y + z}"}}]`,
    ['for-each/iterator-in-dimension', 'spec.nodes[1].forEach[1].z', 'y'],
  ],
  [
    'not even when a node bears its name',
    `[${base}, {id: a, forEach: [{base: "\${base.list}"}], def: {x: "\${base}"}}]`,
    ['iterator/hides-node', 'spec.nodes[1].forEach[0].base'],
    ['for-each/iterator-in-dimension', 'spec.nodes[1].forEach[0].base', 'base'],
  ],
  [
    'a patch publishes nothing',
    '[{id: p, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: b}}}, {id: a, def: {x: "${p.data.a}"}}]',
    ['reference/unpublished', 'spec.nodes[1].def.x', 'p'],
  ],
  [
    'nor does one inside a graph',
    '[{id: g, graph: {nodes: [{id: p, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: b}}}]}}, {id: a, def: {x: "${g.p.data.a}"}}]',
    ['reference/unpublished', 'spec.nodes[1].def.x', 'g'],
  ],
  [
    'a Graph knows no schema variable',
    '[{id: a, def: {x: "${schema.spec.name}"}}]',
    ['reference/unknown', 'spec.nodes[0].def.x', 'schema'],
  ],
]);
