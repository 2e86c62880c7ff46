import t from 'tap';
import { testGraphs } from '../../support/compile.ts';

const cm = 'apiVersion: v1, kind: ConfigMap, metadata: {name: x}';

testGraphs(t, [
  [
    'a template accepts all modifiers',
    `[{id: a, includeWhen: ["\${true}"], readyWhen: ["\${each.metadata.name != ''}"], forEach: [{i: "\${['x']}"}], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "x-\${i}"}}}]`,
  ],
  ['a ref has no forEach', `[{id: a, forEach: [{i: "\${['x']}"}], ref: {${cm}}}]`, ['modifier/not-allowed', 'spec.nodes[0].forEach']],
  ['a ref accepts conditions', `[{id: a, includeWhen: ["\${true}"], readyWhen: ["\${a.data.k == 'x'}"], ref: {${cm}}}]`],
  [
    'a patch has no readyWhen',
    `[{id: a, readyWhen: ["\${true}"], patch: {${cm}, data: {a: b}}}]`,
    ['modifier/not-allowed', 'spec.nodes[0].readyWhen'],
  ],
  [
    'a graph accepts none',
    `[{id: g, includeWhen: ["\${true}"], readyWhen: ["\${true}"], forEach: [{i: "\${[1]}"}], graph: {nodes: [{id: a, def: {x: 1}}]}}]`,
    ['modifier/not-allowed', 'spec.nodes[0].forEach'],
    ['modifier/not-allowed', 'spec.nodes[0].includeWhen'],
    ['modifier/not-allowed', 'spec.nodes[0].readyWhen'],
  ],
]);

t.test('a value of a modifier is exactly one expression', (t) => {
  const row = (value: string) => `[{id: a, includeWhen: [${JSON.stringify(value)}], def: {x: 1}}]`;
  const refused = ['modifier/not-standalone', 'spec.nodes[0].includeWhen[0]'] as const;
  testGraphs(t, [
    ['an expression', row('${true}')],
    ['plain text', row('true'), refused],
    ['a space before', row(' ${true}'), refused],
    ['a line break after', row('${true}\n'), refused],
    ['two expressions', row('${true}${true}'), refused],
    ['an expression without end is one mistake', row('${true'), ['expression/unterminated', 'spec.nodes[0].includeWhen[0]', 'true']],
    ['forEach too', '[{id: a, forEach: [{x: "${[1]} "}], def: {v: "${x}"}}]', ['modifier/not-standalone', 'spec.nodes[0].forEach[0].x']],
  ]);
  t.end();
});

t.test('conditions are bool', (t) => {
  const row = (value: string) => `[{id: d, def: {s: text, n: null, o: 1}}, {id: a, includeWhen: ["${value}"], def: {x: 1}}]`;
  const refused = ['condition/not-bool', 'spec.nodes[1].includeWhen[0]'] as const;
  testGraphs(t, [
    ['bool', row("${d.s == 'x'}")],
    ['optional bool', row('${optional.of(true)}')],
    ['dyn', row('${d.n}')],
    ['optional dyn', row('${optional.of(d.n)}')],
    ['a string is refused', row('${d.s}'), refused],
    ['an int is refused', row('${d.o}'), refused],
    ['null itself is refused', row('${null}'), refused],
    ['an optional int is refused', row('${optional.of(1)}'), refused],
    ['a broken one has no echo', row('${d.zzz}'), ['expression/unknown-field', 'spec.nodes[1].includeWhen[0]', 'zzz']],
  ]);
  t.end();
});

t.test('what conditions may read', (t) => {
  testGraphs(t, [
    [
      'includeWhen does not read its own node',
      '[{id: a, includeWhen: ["${a.x == 1}"], def: {x: 1}}]',
      ['include-when/self-reference', 'spec.nodes[0].includeWhen[0]', 'a'],
    ],
    ['readyWhen reads its own node', '[{id: a, readyWhen: ["${a.x == 1}"], def: {x: 1}}]'],
    [
      'readyWhen reads no other node',
      '[{id: b, def: {x: 1}}, {id: a, readyWhen: ["${b.x == 1}"], def: {x: 1}}]',
      ['ready-when/other-node', 'spec.nodes[1].readyWhen[0]', 'b'],
    ],
    ['readyWhen reads nothing at all', '[{id: a, readyWhen: ["${true}"], def: {x: 1}}]'],
  ]);
  t.end();
});
