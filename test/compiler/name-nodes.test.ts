import t from 'tap';
import { compileNodes } from '../support/compile.ts';

const rows: readonly [title: string, nodes: string, ...messages: readonly string[]][] = [
  [
    'an error of a field names the node',
    '[{id: web, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {n: 1}}}]',
    'expected string, found int, in node "web"',
  ],
  [
    'the type of a nested def is named by its path',
    '[{id: d, def: {x: 1}}, {id: box, graph: {nodes: [{id: d, def: {y: 1}}, {id: e, def: {z: "${d.x}"}}]}}]',
    'def box/d has no field "x", in node "box/e"',
  ],
  [
    'of many levels the nearest are told',
    `[${'{id: g, graph: {nodes: ['.repeat(9)}{id: e, def: {z: "\${}"}}${']}}'.repeat(9)}]`,
    'the expression is empty, in node "…/g/g/g/g/g/g/g/e"',
  ],
  [
    'a nested node is named by its path',
    '[{id: box, graph: {nodes: [{id: kid, def: {x: "${ghost}"}}]}}]',
    'unknown name "ghost": no node in scope has this id, in node "box/kid"',
  ],
  [
    'a name that breaks lines is told in one',
    '[{id: box, graph: {nodes: [{id: "a\\nb\\u001b", def: {x: "${}"}}]}}]',
    'the expression is empty, in node "box/a\\nb\\u001b"',
    'id "a\\nb\\u001b" must begin with a letter and hold only letters and digits',
  ],
  ['a node without id has no name', '[{def: {x: "${}"}}]', 'the expression is empty', 'a node needs an id, found nothing'],
  ['a message that names its node says no more', '[{id: a, def: {x: "${a.x}"}}]', 'cycle: node "a" depends on itself'],
  ['nor does a cycle', '[{id: a, def: {x: "${b.x}"}}, {id: b, def: {x: "${a.x}"}}]', 'cycle: a -> b -> a'],
  [
    'a warning is short',
    '[{id: a, template: {apiVersion: x.dev/v1, kind: Gizmo, metadata: {name: x}}}]',
    'the cluster does not serve x.dev/v1 Gizmo (yet)',
  ],
  [
    'of a long name the end is told',
    `[{id: ${'a'.repeat(90)}, graph: {nodes: [{id: ${'b'.repeat(90)}, def: {x: "\${}"}}]}}]`,
    `the expression is empty, in node "…${'a'.repeat(9)}/${'b'.repeat(90)}"`,
  ],
];

for (const [title, nodes, ...messages] of rows) {
  t.test(title, (t) => {
    t.same(
      compileNodes(nodes).diagnostics.map(({ message }) => message),
      messages,
    );
    t.end();
  });
}
