import t from 'tap';
import type { SeenNode } from '../../src/cli/tree/observe.ts';
import { printTree } from '../../src/cli/tree/print.ts';
import { programOf } from '../support/compile.ts';

const NODES = `
- {id: long, def: {v: 1}}
- id: box
  graph: {nodes: [{id: b, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}}, {id: inner, def: {v: 1}}]}
- {id: z, ref: {apiVersion: v1, kind: ConfigMap, metadata: {name: y}}}`;

t.test('a tree has the nodes of each list in the order of the spec, with their states and objects', (t) => {
  const program = programOf(NODES);
  const seen = program.nodes.map((node): SeenNode => {
    const { path } = node;
    if (node.kind === 'graph') return { node, outcome: undefined, objects: [] };
    if (node.kind === 'ref')
      return {
        node,
        outcome: { word: 'waiting', path, trouble: [{ reason: 'DataPending', message: 'does not exist (yet)' }] },
        objects: [],
      };
    const object = { group: '', kind: 'ConfigMap', namespace: 'n', name: 'x' };
    return { node, outcome: { word: 'read', path }, objects: node.kind === 'template' ? [object] : [] };
  });
  const graph = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { namespace: 'n', name: 'g' }, spec: { nodes: [] } };
  t.equal(
    printTree(graph, program, seen, { isColoured: false }),
    `Graph n/g  not seen by a controller yet
├─ long  def       ready
├─ box   graph
│  ├─ b      template  ready  ConfigMap n/x
│  └─ inner  def       ready
└─ z     ref       waiting  (does not exist (yet))
`,
  );
  t.end();
});
