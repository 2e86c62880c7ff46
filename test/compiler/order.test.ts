import t from 'tap';
import { printNodePath } from '../../src/api/names.ts';
import { compileNodes, programOf, testGraphs } from '../support/compile.ts';

const cm = (id: string, value: string, more = '') =>
  `{id: ${id}, ${more} template: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${id}}, data: {k: "${value}"}}}`;

/** The nodes in apply order with their waves, and what each waits for. */
function plan(nodes: string): string[] {
  return programOf(nodes).nodes.map(({ path, wave, dependencies }) => {
    const names = dependencies.map(({ sibling, follows }) => (sibling === follows ? sibling.id : printNodePath(follows.path)));
    return `${wave} ${printNodePath(path)}${names.length === 0 ? '' : ` <- ${names.join(', ')}`}`;
  });
}

const rows: readonly [title: string, nodes: string, expected: readonly string[]][] = [
  ['nodes without dependencies keep the order of the list', `[${cm('b', 'x')}, ${cm('a', 'x')}]`, ['1 b', '1 a']],
  [
    'a chain is applied from its end, whatever the order of the list',
    `[${cm('c', '${b.data.k}')}, ${cm('b', '${a.data.k}')}, ${cm('a', 'x')}]`,
    ['1 a', '2 b <- a', '3 c <- b'],
  ],
  [
    'of nodes that are ready the first of the list goes first',
    `[${cm('d', '${b.data.k}')}, ${cm('c', 'x')}, ${cm('b', 'x')}, ${cm('a', '${c.data.k}')}]`,
    ['1 c', '1 b', '2 d <- b', '2 a <- c'],
  ],
  ['a def adds no wave', `[${cm('a', '${d.v}')}, {id: d, def: {v: "\${e.v}"}}, {id: e, def: {v: x}}]`, ['0 e', '0 d <- e', '1 a <- d']],
  ['a def passes a wave on', `[${cm('a', 'x')}, {id: d, def: {v: "\${a.data.k}"}}, ${cm('b', '${d.v}')}]`, ['1 a', '1 d <- a', '2 b <- d']],
  [
    'a ref adds a wave',
    `[{id: r, ref: {apiVersion: v1, kind: ConfigMap, metadata: {name: r}}}, ${cm('a', '${r.data.k}')}]`,
    ['1 r', '2 a <- r'],
  ],
  [
    'a capture makes the graph node depend, not the child; nothing in it is of a wave before its end',
    `[{id: g, graph: {nodes: [${cm('kid', '${base.data.k}')}, ${cm('kin', 'x')}]}}, ${cm('base', 'x')}]`,
    ['1 base', '2 g <- base', '2 g/kid', '2 g/kin'],
  ],
  [
    'frames within a frame begin after what it captures, and their defs add no wave',
    `[{id: g, graph: {nodes: [${cm('kid', '${base.data.k}')}, {id: h, graph: {nodes: [{id: d, def: {v: x}}, ${cm('kin', '${d.v}')}]}}]}}, ${cm('base', 'x')}]`,
    ['1 base', '2 g <- base', '2 g/kid', '2 g/h', '1 g/h/d', '2 g/h/kin <- d'],
  ],
  [
    'a frame that captures a def alone begins with the first wave',
    `[{id: g, graph: {nodes: [${cm('kid', '${d.v}')}, ${cm('kin', 'x')}]}}, {id: d, def: {v: x}}]`,
    ['0 d', '1 g <- d', '1 g/kid', '1 g/kin'],
  ],
  [
    'a deep capture is passed up to the level of the declaration',
    `[{id: g, graph: {nodes: [{id: h, graph: {nodes: [${cm('kid', '${base.data.k}')}]}}]}}, ${cm('base', 'x')}]`,
    ['1 base', '2 g <- base', '2 g/h', '2 g/h/kid'],
  ],
  [
    'a path into a graph follows that node alone',
    `[${cm('out', '${g.kid.data.k}')}, {id: g, graph: {nodes: [${cm('kid', 'x')}, ${cm('kin', '${kid.data.k}')}]}}]`,
    ['2 g', '1 g/kid', '2 g/kin <- kid', '2 out <- g/kid'],
  ],
  [
    'a graph as a whole is followed whole',
    `[${cm('out', '${string(size(g))}')}, {id: g, graph: {nodes: [${cm('kid', 'x')}, ${cm('kin', '${kid.data.k}')}]}}]`,
    ['2 g', '1 g/kid', '2 g/kin <- kid', '3 out <- g'],
  ],
  [
    'a graph captures through another graph',
    `[{id: f, graph: {nodes: [${cm('kid', '${g.kin.data.k}')}]}}, {id: g, graph: {nodes: [${cm('kin', 'x')}]}}]`,
    ['1 g', '1 g/kin', '2 f <- g/kin', '2 f/kid'],
  ],
  [
    'optional access, has() and an untaken branch are dependencies',
    `[${cm('c', '${has(a.data) ? a.data.?k.orValue(b.data.k) : string(1)}')}, ${cm('a', 'x')}, ${cm('b', 'x')}]`,
    ['1 a', '1 b', '2 c <- a, b'],
  ],
  [
    'includeWhen and forEach are dependencies',
    `[${cm('c', 'x', 'includeWhen: ["${a.data.k == string(1)}"],')}, ${cm('a', 'x')}]`,
    ['1 a', '2 c <- a'],
  ],
  ['readyWhen is none', `[${cm('a', 'x', 'readyWhen: ["${a.data.k == string(1)}"],')}]`, ['1 a']],
];

for (const [title, nodes, expected] of rows) {
  t.test(title, (t) => {
    t.same(plan(nodes), expected);
    t.end();
  });
}

t.test('cycles', (t) => {
  testGraphs(t, [
    [
      'two nodes that read each other',
      `[${cm('a', '${b.data.k}')}, ${cm('b', '${a.data.k}')}]`,
      ['dependency/cycle', 'spec.nodes[0].template.data.k', 'b'],
    ],
    ['a node that reads itself', `[${cm('a', '${a.data.k}')}]`, ['dependency/cycle', 'spec.nodes[0].template.data.k', 'a']],
    ['a def that reads itself', '[{id: d, def: {x: 1, y: "${d.x}"}}]', ['dependency/cycle', 'spec.nodes[0].def.y', 'd']],
    [
      'a child that reads the graph around it',
      `[{id: g, graph: {nodes: [${cm('a', 'x')}, ${cm('b', '${g.a.data.k}')}]}}]`,
      ['dependency/cycle', 'spec.nodes[0].graph.nodes[1].template.data.k', 'g'],
    ],
    [
      'graphs whose children read each other, though not the same ones',
      `[{id: f, graph: {nodes: [${cm('a', '${g.d.data.k}')}, ${cm('b', 'x')}]}}, {id: g, graph: {nodes: [${cm('c', '${f.b.data.k}')}, ${cm('d', 'x')}]}}]`,
      ['dependency/cycle', 'spec.nodes[0].graph.nodes[0].template.data.k', 'g'],
    ],
    [
      'two loops are two mistakes, and a node beyond them is none',
      `[${cm('a', '${b.data.k}')}, ${cm('b', '${a.data.k}')}, ${cm('c', '${d.data.k}')}, ${cm('d', '${c.data.k}')}, ${cm('e', '${a.data.k}')}]`,
      ['dependency/cycle', 'spec.nodes[0].template.data.k', 'b'],
      ['dependency/cycle', 'spec.nodes[2].template.data.k', 'd'],
    ],
    [
      'a loop of defs has no echo in their types',
      '[{id: a, def: {x: "${b.y.z}"}}, {id: b, def: {y: "${a.x.w}"}}]',
      ['dependency/cycle', 'spec.nodes[0].def.x', 'b'],
    ],
  ]);
  t.end();
});

t.test('the whole loop is printed, from its first node, by the shortest way', (t) => {
  const nodes = `[${cm('a', '${c.data.k + b.data.k}')}, ${cm('b', '${c.data.k}')}, ${cm('c', '${a.data.k}')}]`;
  t.same(
    compileNodes(nodes).diagnostics.map(({ message }) => message),
    ['cycle: a -> c -> a'],
  );
  t.end();
});
