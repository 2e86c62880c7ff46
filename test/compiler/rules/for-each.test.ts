import t from 'tap';
import { DEFAULT_LIMITS } from '../../../src/compiler/limits.ts';
import { testGraphs } from '../../support/compile.ts';

const base = '{id: base, def: {l: [a, b], three: [1, 2, 3], six: 6}}';
const each = (forEach: string, name: string, more = '') =>
  `[${base}, {id: a, forEach: ${forEach}, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${name}"${more}}}}]`;
const dimension = 'spec.nodes[1].forEach[0]';
const nameField = 'spec.nodes[1].template.metadata.name';

t.test('names of iterators', (t) => {
  const named = (name: string) => `[${base}, {id: a, forEach: [{${JSON.stringify(name)}: "\${base.l}"}], def: {x: 1}}]`;
  testGraphs(t, [
    ['a letter and digits', named('z1')],
    ['no hyphen', named('a-b'), ['iterator/format', `${dimension}["a-b"]`.replace('["a-b"]', '.a-b')]],
    ['no reserved word', named('item'), ['iterator/reserved', `${dimension}.item`]],
    ['not each', named('each'), ['iterator/reserved', `${dimension}.each`]],
    ['not the id of the node', named('a'), ['iterator/own-id', `${dimension}.a`]],
    [
      'one that hides a node is warned of',
      `[${base}, {id: b, def: {x: 1}}, {id: a, forEach: [{b: "\${base.l}"}], def: {x: "\${b + 'x'}"}}]`,
      ['iterator/hides-node', 'spec.nodes[2].forEach[0].b'],
    ],
    [
      'no name twice',
      `[${base}, {id: a, forEach: [{x: "\${base.l}"}, {x: "\${base.l}"}], def: {v: "\${x}"}}]`,
      ['iterator/duplicate', 'spec.nodes[1].forEach[1].x'],
    ],
    [
      'two keys in one entry',
      `[${base}, {id: a, forEach: [{x: "\${base.l}", y: "\${base.l}"}], def: {v: "\${x}"}}]`,
      ['for-each/dimension', dimension],
    ],
  ]);
  t.end();
});

t.test('every iterator tells the items apart', (t) => {
  const missing = ['iterator/not-in-identity', nameField] as const;
  testGraphs(t, [
    ['in the name', each('[{x: "${base.l}"}]', 'a-${x}')],
    ['inside a call in the name', each('[{x: "${base.l}"}]', "${'a-' + x}")],
    ['not in the name', each('[{x: "${base.l}"}]', 'a'), missing],
    ['in the namespace of a namespaced kind', each('[{x: "${base.l}"}]', 'a', ', namespace: "${x}"')],
    ['one in the name, one in the namespace', each('[{x: "${base.l}"}, {y: "${base.l}"}]', 'a-${x}', ', namespace: "${y}"')],
    ['one of two is missing', each('[{x: "${base.l}"}, {y: "${base.l}"}]', 'a-${x}'), missing],
    ['hidden by a macro it is not there', each('[{x: "${base.l}"}]', "${base.l.map(x, x).join('')}"), missing],
    [
      'in the namespace of a computed kind is not enough',
      `[${base}, {id: a, forEach: [{x: "\${base.l}"}], template: {apiVersion: v1, kind: "\${base.l[0]}", metadata: {name: a, namespace: "\${x}"}}}]`,
      missing,
    ],
    ['a def needs none', `[${base}, {id: a, forEach: [{x: "\${base.l}"}], def: {v: 1}}]`],
    [
      'a patch needs them too',
      `[${base}, {id: a, forEach: [{x: "\${base.l}"}], patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: "\${x}"}}}]`,
      ['iterator/not-in-identity', 'spec.nodes[1].patch.metadata.name'],
    ],
    ['a broken name has no echo', each('[{x: "${base.l}"}]', 'a-${x'), ['expression/unterminated', nameField, 'x']],
  ]);
  t.end();
});

t.test('how many', (t) => {
  const dimensions = (count: number) =>
    `[{id: a, forEach: [${Array.from({ length: count }, (_, i) => `{i${i}: "\${[1]}"}`).join()}], def: {v: 1}}]`;
  testGraphs(t, [
    ['ten dimensions are allowed', dimensions(10)],
    ['eleven are not', dimensions(11), ['for-each/too-many-dimensions', 'spec.nodes[0].forEach']],
  ]);
  const limits = { ...DEFAULT_LIMITS, collectionSize: 5 };
  const tooMany = ['for-each/too-many-items', 'spec.nodes[1].forEach'] as const;
  const over = (...lists: string[]) => `[${base}, {id: a, forEach: [${lists.map((list, i) => `{i${i}: "${list}"}`).join()}], def: {v: 1}}]`;
  testGraphs(
    t,
    [
      ['as many items as the limit', over('${[1, 2, 3, 4, 5]}')],
      ['one more', over('${[1, 2, 3, 4, 5, 6]}'), tooMany],
      ['the product counts', over('${[1, 2, 3]}', '${[1, 2]}'), tooMany],
      ['a range', over('${lists.range(6)}'), tooMany],
      ['a range as long as a number of a def', over('${lists.range(base.six)}'), tooMany],
      ['what is made of each element', over("${lists.range(6).map(n, 'x' + string(n))}"), tooMany],
      ['two lists one after the other', over('${base.three + base.three}'), tooMany],
      ['two lists of which one is not known', over("${base.three + base.l.filter(x, x != 'a').map(x, 1)}", '${[1, 2, 3]}')],
      ['what is made of some elements is not known', over('${lists.range(6).map(n, n > 3, n)}')],
      ['a list of a def', over('${base.three}', '${base.l}'), tooMany],
      [
        'a list of a def in a graph',
        `[{id: g, graph: {nodes: [{id: d, def: {l: [a, b, c]}}]}}, {id: a, forEach: [{i: "\${g.d.l}"}, {j: "\${[1, 2]}"}], def: {v: 1}}]`,
        tooMany,
      ],
      ['an unknown dimension leaves it to run time', over('${base.three}', "${base.l.filter(x, x != 'a')}")],
    ],
    { limits },
  );
  t.end();
});
