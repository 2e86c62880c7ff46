import t from 'tap';
import { testGraphs } from '../support/compile.ts';

const base = `{id: base, def: {s: text, n: 3, d: 0.5, b: true, l: [a, b], nothing: null, empty: [], mixed: [1, a],
  people: [{name: ann, age: 30}, {name: bob, age: 31}], deep: {x: {y: 1}}, e: "\${1 + 1}"}}`;
const cm = (data: string, more = '') => `{id: a, ${more} template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: ${data}}}`;
const web = (
  replicas: string,
) => `{id: web, template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: ${replicas},
  selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: nginx}]}}}}}`;
const data = 'spec.nodes[1].template.data';

t.test('what a def publishes', (t) => {
  testGraphs(t, [
    [
      'literals give their types',
      `[${base}, {id: a, def: {x: "\${base.s + 'x'}", y: "\${base.n + 1}", z: "\${base.d + 0.5}", w: "\${!base.b}"}}]`,
    ],
    ['an expression gives its type', `[${base}, ${cm('{k: "${base.e}"}')}]`, ['field/type-mismatch', `${data}.k`]],
    ['a field that a def does not have is refused', `[${base}, ${cm('{k: "${base.t}"}')}]`, ['expression/unknown-field', `${data}.k`, 't']],
    ['a nested one too', `[${base}, ${cm('{k: "${base.deep.x.z}"}')}]`, ['expression/unknown-field', `${data}.k`, 'z']],
    [
      'also through optional access',
      `[${base}, ${cm('{k: "${base.?t.orValue(string(1))}"}')}]`,
      ['expression/unknown-field', `${data}.k`, 't'],
    ],
    [
      'elements of one shape keep it',
      `[${base}, ${cm('{k: "${base.people[0].nmae}"}')}]`,
      ['expression/unknown-field', `${data}.k`, 'nmae'],
    ],
    ['a mixed list is dyn', `[${base}, ${cm('{k: "${base.mixed[0].anything}"}')}]`],
    ['an empty list is dyn', `[${base}, ${cm('{k: "${base.empty[0].anything}"}')}]`],
    ['null is dyn', `[${base}, ${cm('{k: "${base.nothing.anything}"}')}]`],
    ['a def is a map too', `[${base}, ${cm(`{k: "\${'s' in base ? string(base['n']) : 'x'}"}`)}]`],
    [
      'a collection of defs is a list',
      `[${base}, {id: c, forEach: [{x: "\${base.l}"}], def: {v: "\${x}"}}, {id: a, def: {x: "\${c[0].v + 'x'}", y: "\${c.map(i, i.w)}"}}]`,
      ['expression/unknown-field', 'spec.nodes[2].def.y', 'w'],
    ],
    [
      'shapes of one id in two frames are two',
      '[{id: d, def: {o: {x: 1}}}, {id: g, graph: {nodes: [{id: d, def: {o: {y: 1}}}, {id: a, def: {v: "${d.o.y + 1}"}}]}}, {id: b, def: {v: "${d.o.x + 1}", w: "${g.d.o.y}"}}]',
    ],
  ]);
  t.end();
});

t.test('what fits a field', (t) => {
  testGraphs(t, [
    ['int fits an integer', `[${base}, ${web('"${base.n}"')}]`],
    ['a string does not', `[${base}, ${web('"${base.s}"')}]`, ['field/type-mismatch', 'spec.nodes[1].template.spec.replicas']],
    ['an optional of what fits does', `[${base}, ${web('"${optional.of(base.n)}"')}]`],
    ['dyn fits', `[${base}, ${web('"${base.nothing}"')}]`],
    ['omit() fits', `[${base}, ${web('"${base.b ? base.n : omit()}"')}]`],
    [
      'text with expressions is a string',
      `[${base}, ${web('"1${base.s}"')}]`,
      ['text/typed-field', 'spec.nodes[1].template.spec.replicas'],
    ],
    ['a space around makes it a string', `[${base}, ${web('"${base.n} "')}]`, ['text/typed-field', 'spec.nodes[1].template.spec.replicas']],
    ['an expression in text must be a string', `[${base}, ${cm('{k: "n=${base.n}"}')}]`, ['text/not-a-string', `${data}.k`]],
    ['an optional in text needs a default', `[${base}, ${cm('{k: "n=${optional.of(base.s)}"}')}]`, ['text/not-a-string', `${data}.k`]],
    ['an expression in text of a def too', `[${base}, {id: a, def: {k: "n=\${base.n}"}}]`, ['text/not-a-string', 'spec.nodes[1].def.k']],
    [
      'a map fits labels by its values',
      `[${base}, {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: "\${{'a': 1}}"}}}]`,
      ['field/type-mismatch', 'spec.nodes[1].template.metadata.labels', '1'],
    ],
    [
      'a whole object may come from another',
      `[${web('1')}, {id: a, template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: "\${web.spec}"}}]`,
    ],
    ['an unknown field is refused', `[${cm('{k: v}').replace(' data:', ' dato:')}]`, ['field/unknown', 'spec.nodes[0].template.dato']],
    [
      'below an unknown field nothing more is told',
      `[${base}, ${cm('{k: "${base.n}"}').replace(' data:', ' dato:')}]`,
      ['field/unknown', 'spec.nodes[1].template.dato'],
    ],
    [
      'but its names are looked up',
      `[${cm('{k: "${nope}"}').replace(' data:', ' dato:')}]`,
      ['field/unknown', 'spec.nodes[0].template.dato'],
      ['reference/unknown', 'spec.nodes[0].template.dato.k', 'nope'],
    ],
  ]);
  t.end();
});

t.test('what an object publishes', (t) => {
  testGraphs(t, [
    ['its kind', `[${web('1')}, ${cm('{k: "${web.spec.replicaz}"}')}]`, ['expression/unknown-field', `${data}.k`, 'replicaz']],
    [
      'a collection is a list of it',
      `[${base}, {id: c, forEach: [{x: "\${base.l}"}], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "c-\${x}"}}}, {id: a, def: {v: "\${c[0].metadata.nmae}"}}]`,
      ['expression/unknown-field', 'spec.nodes[2].def.v', 'nmae'],
    ],
    [
      'a ref by selector is a list',
      '[{id: r, ref: {apiVersion: v1, kind: Pod, metadata: {selector: {}}}}, {id: a, def: {v: "${r.metadata}"}}]',
      ['expression/type', 'spec.nodes[1].def.v', 'metadata'],
    ],
    [
      'a computed kind is dyn',
      `[${base}, {id: r, ref: {apiVersion: v1, kind: "\${base.s}", metadata: {name: x}}}, {id: a, def: {v: "\${r.any.thing}"}}]`,
    ],
    [
      'a kind that is not served is dyn',
      '[{id: r, ref: {apiVersion: x.dev/v1, kind: Nope, metadata: {name: x}}}, {id: a, def: {v: "${r.any.thing}"}}]',
      ['kind/not-served', 'spec.nodes[0].ref.kind'],
    ],
    [
      'a graph is a map of its nodes',
      '[{id: g, graph: {nodes: [{id: kid, def: {v: 1}}]}}, {id: a, def: {v: "${g.kid.v + 1}", w: "${\'kid\' in g}"}}]',
    ],
    [
      'a capture keeps its type',
      `[${base}, {id: g, graph: {nodes: [${cm('{k: "${base.n}"}')}]}}]`,
      ['field/type-mismatch', 'spec.nodes[1].graph.nodes[0].template.data.k'],
    ],
    [
      'each is one item',
      `[${base}, {id: c, forEach: [{x: "\${base.l}"}], readyWhen: ["\${each.nmae == 'x'}"], def: {v: "\${x}"}}]`,
      ['expression/unknown-field', 'spec.nodes[1].readyWhen[0]', 'nmae'],
    ],
  ]);
  t.end();
});

t.test('dimensions of a forEach', (t) => {
  const over = (list: string) => `[${base}, {id: c, forEach: [{x: "${list}"}], def: {v: "\${x}"}}]`;
  const place = 'spec.nodes[1].forEach[0].x';
  testGraphs(t, [
    ['a list', over('${base.people}')],
    ['dyn', over('${base.nothing}')],
    ['an int is refused', over('${base.n}'), ['for-each/not-a-list', place]],
    ['a map is refused', over('${{1: 2}}'), ['for-each/not-a-list', place]],
    ['a def as a whole is refused', over('${base}'), ['for-each/not-a-list', place]],
    [
      'a broken dimension has no echo',
      `[${base}, {id: c, forEach: [{x: "\${nope.l}"}], def: {v: "\${x.any.thing + 1}"}}]`,
      ['reference/unknown', place, 'nope'],
    ],
  ]);
  t.end();
});

t.test('mistakes of one node leave the others alone', (t) => {
  testGraphs(t, [
    [
      'each is told once',
      `[{id: x, def: {v: "\${1 + 'a'}"}}, {id: y, def: {v: "\${x.v.w + 1}"}}, {id: z, def: {v: "\${1 + true}"}}]`,
      ['expression/type', 'spec.nodes[0].def.v', "'a'"],
      ['expression/type', 'spec.nodes[2].def.v', 'true'],
    ],
    [
      'the same mistake at two places is told at both',
      `[${base}, {id: x, def: {v: "\${base.z}", w: "\${base.z}"}}]`,
      ['expression/unknown-field', 'spec.nodes[1].def.v', 'z'],
      ['expression/unknown-field', 'spec.nodes[1].def.w', 'z'],
    ],
    [
      'several mistakes of one expression are all told',
      `[${base}, {id: x, def: {v: "\${[base.y, base.z]}"}}]`,
      ['expression/unknown-field', 'spec.nodes[1].def.v', 'y'],
      ['expression/unknown-field', 'spec.nodes[1].def.v', 'z'],
    ],
  ]);
  t.end();
});
