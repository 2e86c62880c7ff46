import t from 'tap';
import { testGraphs } from '../../support/compile.ts';

testGraphs(t, [
  ['an id may hold digits', '[{id: a1, def: {x: 1}}]'],
  ['an id begins with a letter', '[{id: 1a, def: {x: 1}}]', ['id/format', 'spec.nodes[0].id']],
  ['an id holds no hyphen', '[{id: a-b, def: {x: 1}}]', ['id/format', 'spec.nodes[0].id']],
  ['an id holds no underscore', '[{id: a_b, def: {x: 1}}]', ['id/format', 'spec.nodes[0].id']],
  ['a node needs an id', '[{def: {x: 1}}]', ['id/missing', 'spec.nodes[0].id']],
  ['an empty id is none', '[{id: "", def: {x: 1}}]', ['id/missing', 'spec.nodes[0].id']],
  ['a number is no id', '[{id: 5, def: {x: 1}}]', ['id/missing', 'spec.nodes[0].id']],
  ['each is reserved', '[{id: each, def: {x: 1}}]', ['id/reserved', 'spec.nodes[0].id']],
  ['true is reserved', '[{id: "true", def: {x: 1}}]', ['id/reserved', 'spec.nodes[0].id']],
  ['the case of a reserved word counts', '[{id: Each, def: {x: 1}}]'],
  ['ids that differ by case are two', '[{id: a, def: {x: 1}}, {id: A, def: {x: "${a.x}"}}]'],
  [
    'a second node of one id is refused, each time',
    '[{id: a, def: {x: 1}}, {id: a, def: {y: 1}}, {id: a, def: {z: 1}}]',
    ['id/duplicate', 'spec.nodes[1].id'],
    ['id/duplicate', 'spec.nodes[2].id'],
  ],
  ['an id may be used again in a frame inside', '[{id: a, def: {x: 1}}, {id: g, graph: {nodes: [{id: a, def: {y: 1}}]}}]'],
  [
    'ids of a frame inside are judged too',
    '[{id: g, graph: {nodes: [{id: a-b, def: {x: 1}}, {id: spec, def: {x: 1}}]}}]',
    ['id/format', 'spec.nodes[0].graph.nodes[0].id'],
    ['id/reserved', 'spec.nodes[0].graph.nodes[1].id'],
  ],
]);
