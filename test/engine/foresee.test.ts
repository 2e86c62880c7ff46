import t from 'tap';
import { Budget } from '../../src/cel/budget.ts';
import { collisions, type Foreseen, foresee } from '../../src/engine/foresee.ts';
import { Scope } from '../../src/runtime/scope.ts';
import { programOf } from '../support/compile.ts';

async function foreseen(nodes: string): Promise<Foreseen[]> {
  return foresee(programOf(nodes), { scope: new Scope(), budget: new Budget({ steps: 1e7, size: 1e7 }) }, async () => undefined);
}

const CM = 'apiVersion: v1, kind: ConfigMap';
const LATE = `{id: late, ref: {${CM}, metadata: {name: late}}}`;

const ROWS: readonly [title: string, nodes: string, expected: readonly string[]][] = [
  ['a literal name', `[{id: a, template: {${CM}, metadata: {name: x}}}]`, ['a/0 x certain']],
  ['a name that a def gives', `[{id: d, def: {n: x}}, {id: a, template: {${CM}, metadata: {name: "\${d.n}-y"}}}]`, ['a/0 x-y certain']],
  [
    "a name that another's manifest gives",
    `[{id: a, template: {${CM}, metadata: {name: x}}}, {id: b, template: {${CM}, metadata: {name: "\${a.metadata.name}-y"}}}]`,
    ['a/0 x certain', 'b/0 x-y uncertain'],
  ],
  [
    'a literal name whose manifest needs live data',
    `[${LATE}, {id: a, template: {${CM}, metadata: {name: x}, data: {k: "\${late.data.k}"}}}]`,
    ['a/0 x certain'],
  ],
  [
    'a name made of the name of a manifest that waits for live data',
    `[${LATE}, {id: a, template: {${CM}, metadata: {name: x}, data: {k: "\${late.data.k}"}}}, {id: b, template: {${CM}, metadata: {name: "\${a.metadata.name}-y"}}}]`,
    ['a/0 x certain', 'b/0 x-y uncertain'],
  ],
  ['a name that only a live object gives is not known', `[${LATE}, {id: a, template: {${CM}, metadata: {name: "\${late.data.k}"}}}]`, []],
  [
    'nor one behind it',
    `[${LATE}, {id: a, template: {${CM}, metadata: {name: "\${late.data.k}"}}}, {id: b, template: {${CM}, metadata: {name: "\${a.metadata.name}"}}}]`,
    [],
  ],
  [
    'every item of a collection',
    `[{id: d, def: {l: [p, q]}}, {id: a, forEach: [{n: "\${d.l}"}], template: {${CM}, metadata: {name: "x-\${n}"}}}]`,
    ['a/0 x-p certain', 'a/1 x-q certain'],
  ],
  [
    'a collection of more items than are allowed is not foreseen, nor what is made of it: its walk fails',
    `[{id: d, def: {n: 40}}, {id: a, forEach: [{x: "\${lists.range(d.n + 0)}"}, {y: "\${lists.range(d.n + 0)}"}], template: {${CM}, metadata: {name: "x-\${string(x)}-\${string(y)}"}}}, {id: b, template: {${CM}, metadata: {name: "\${a[0].metadata.name}-y"}}}]`,
    [],
  ],
  [
    'what is skipped is left out, with its dependents',
    `[{id: a, includeWhen: ["\${false}"], template: {${CM}, metadata: {name: x}}}, {id: b, template: {${CM}, metadata: {name: y}, data: {k: "\${a.metadata.name}"}}}]`,
    [],
  ],
  [
    'what a live value decides to skip is not known',
    `[${LATE}, {id: a, includeWhen: ["\${late.data.k == 'x'}"], template: {${CM}, metadata: {name: x}}}]`,
    [],
  ],
  [
    'a patch and the nodes of a frame',
    `[{id: box, graph: {nodes: [{id: p, patch: {${CM}, metadata: {name: t}, data: {k: v}}}, {id: a, template: {${CM}, metadata: {name: x, namespace: other}}}]}}]`,
    ['box/p/0 t certain', 'box/a/0 other/x certain'],
  ],
];

for (const [title, nodes, expected] of ROWS) {
  t.test(title, async (t) => {
    const found = (await foreseen(nodes)).map(({ node, item, identity, isCertain }) => {
      const place = identity.namespace === '' ? identity.name : `${identity.namespace}/${identity.name}`;
      return `${node.path.join('/')}/${item} ${place} ${isCertain ? 'certain' : 'uncertain'}`;
    });
    t.same(found, expected);
  });
}

t.test('two items that render one object collide before anything is written; what is not certain does not', async (t) => {
  const twice = await foreseen(
    `[{id: d, def: {l: [p, p]}}, {id: a, forEach: [{n: "\${d.l}"}], template: {${CM}, metadata: {name: "x-\${n}"}}}]`,
  );
  t.same(
    collisions(twice, ({ identity }) => identity).map(({ key, first, second }) => [key, first.item, second.item]),
    [['/ConfigMap//x-p', 0, 1]],
  );
  const maybe = await foreseen(
    `[{id: a, template: {${CM}, metadata: {name: x}}}, {id: b, template: {${CM}, metadata: {name: "\${a.metadata.name}"}}}]`,
  );
  t.same(
    collisions(maybe, ({ identity }) => identity),
    [],
  );
});
