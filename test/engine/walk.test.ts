import t from 'tap';
import { compile } from '../../src/compiler/compile.ts';
import type { ProgramNode } from '../../src/compiler/program.ts';
import { type LeafNode, type Outcomes, type Walker, walk } from '../../src/engine/walk.ts';
import type { Outcome } from '../../src/runtime/outcome.ts';
import { Scope } from '../../src/runtime/scope.ts';
import { programOf } from '../support/compile.ts';
import { testSnapshot } from '../support/schemas.ts';

/** What some nodes do, by path; all others are applied. */
type Script = Readonly<Record<string, 'skipped' | 'waiting' | 'failed'>>;

interface Walked {
  readonly words: Readonly<Record<string, string>>;
  /** Paths in the order in which they were acted on. */
  readonly acted: readonly string[];
}

async function walked(nodes: string, script: Script = {}): Promise<Walked> {
  const acted: string[] = [];
  const scope = new Scope();
  const walker: Walker = {
    scope,
    include(node, canEvaluate) {
      if (scope.isSkipped(node) || node.dependencies.some(({ follows }) => scope.isSkipped(follows))) return 'skipped';
      return canEvaluate && script[node.path.join('/')] === 'skipped' ? 'skipped' : 'included';
    },
    async act(node) {
      const path = node.path.join('/');
      acted.push(path);
      await new Promise((resolve) => setImmediate(resolve));
      return outcomeOf(node, script[path]);
    },
  };
  const outcomes = await walk(programOf(nodes), walker, new AbortController().signal);
  return { words: words(outcomes), acted };
}

function outcomeOf(node: LeafNode, word: Script[string] | undefined): Outcome {
  const trouble = [{ reason: 'ApplyFailed', message: 'x' }] as const;
  if (word === 'waiting' || word === 'failed') return { word, path: node.path, trouble };
  return { word: 'applied', path: node.path };
}

function words(outcomes: Outcomes): Record<string, string> {
  const entries = [...outcomes].map(([node, outcome]) => [
    node.path.join('/'),
    outcome.word === 'blocked' ? `blocked by ${outcome.by.join('/')}` : outcome.word,
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1)));
}

const CHAIN = '[{id: c, def: {k: "${b.k}"}}, {id: b, def: {k: "${a.k}"}}, {id: a, def: {k: v}}, {id: free, def: {k: v}}]';
const BOX = `
- {id: cfg, def: {v: x}}
- id: box
  graph:
    nodes:
    - {id: free, def: {k: v}}
    - {id: kid, def: {k: "\${cfg.v}"}}
    - id: inner
      graph: {nodes: [{id: leaf, def: {k: "\${kid.k}"}}]}
- {id: one, def: {k: "\${box.inner.leaf.k}"}}
- {id: all, def: {k: "\${box}"}}
`;

const ROWS: readonly [title: string, nodes: string, script: Script, words: Record<string, string>][] = [
  ['every node is acted on after what it depends on', CHAIN, {}, { a: 'applied', b: 'applied', c: 'applied', free: 'applied' }],
  [
    'a node that waits stops its dependents and no others',
    CHAIN,
    { a: 'waiting' },
    { a: 'waiting', b: 'blocked by a', c: 'blocked by b', free: 'applied' },
  ],
  ['so does one that fails', CHAIN, { b: 'failed' }, { a: 'applied', b: 'failed', c: 'blocked by b', free: 'applied' }],
  ['a skipped node takes its dependents with it', CHAIN, { a: 'skipped' }, { a: 'skipped', b: 'skipped', c: 'skipped', free: 'applied' }],
  [
    'no node of a child frame begins while what the child captures waits',
    BOX,
    { cfg: 'waiting' },
    {
      all: 'blocked by box',
      box: 'blocked by cfg',
      'box/free': 'blocked by box',
      'box/inner': 'blocked by box',
      'box/inner/leaf': 'blocked by box/inner',
      'box/kid': 'blocked by box',
      cfg: 'waiting',
      one: 'blocked by box/inner/leaf',
    },
  ],
  [
    'a reader of one child follows that child alone, a reader of the whole waits for all',
    BOX,
    { 'box/free': 'failed' },
    {
      all: 'blocked by box/free',
      'box/free': 'failed',
      'box/inner/leaf': 'applied',
      'box/kid': 'applied',
      cfg: 'applied',
      one: 'applied',
    },
  ],
  [
    'what is skipped in a frame is not contagious for a reader of the whole',
    BOX,
    { 'box/free': 'skipped' },
    {
      all: 'applied',
      'box/free': 'skipped',
      'box/inner/leaf': 'applied',
      'box/kid': 'applied',
      cfg: 'applied',
      one: 'applied',
    },
  ],
  [
    'a frame is skipped with what it captures',
    BOX,
    { cfg: 'skipped' },
    {
      all: 'skipped',
      box: 'skipped',
      'box/free': 'skipped',
      'box/inner': 'skipped',
      'box/inner/leaf': 'skipped',
      'box/kid': 'skipped',
      cfg: 'skipped',
      one: 'skipped',
    },
  ],
];

for (const [title, nodes, script, expected] of ROWS) {
  t.test(title, async (t) => {
    t.same((await walked(nodes, script)).words, expected);
  });
}

t.test('nodes that do not depend on one another run at the same time', async (t) => {
  const { acted } = await walked(CHAIN);
  t.same(acted.slice(0, 2).toSorted(), ['a', 'free']);
  t.same(acted.slice(2), ['b', 'c']);
});

t.test('includeWhen that cannot be evaluated yet does not decide', async (t) => {
  const nodes = '[{id: a, def: {on: true}}, {id: b, includeWhen: ["${a.on}"], def: {k: v}}]';
  const { words: found } = await walked(nodes, { a: 'waiting', b: 'skipped' });
  t.same(found, { a: 'waiting', b: 'blocked by a' });
});

t.test('includeWhen decides although something else that the node reads waits', async (t) => {
  const nodes = '[{id: a, def: {on: true}}, {id: w, def: {k: v}}, {id: b, includeWhen: ["${a.on}"], def: {k: "${w.k}"}}]';
  const { words: found } = await walked(nodes, { w: 'waiting', b: 'skipped' });
  t.same(found, { a: 'applied', b: 'skipped', w: 'waiting' });
});

t.test('includeWhen that reads one child of a graph node waits for that child alone', async (t) => {
  const inner = '[{id: on, def: {on: true}}, {id: slow, def: {k: v}}]';
  const nodes = `[{id: g, graph: {nodes: ${inner}}}, {id: w, def: {k: v}}, {id: b, includeWhen: ["\${g.on.on}"], def: {k: "\${w.k}"}}]`;
  const { words: found } = await walked(nodes, { 'g/slow': 'waiting', w: 'waiting', b: 'skipped' });
  t.equal(found['b'], 'skipped');
});

t.test('what an actuator throws ends the walk, once nothing runs any more', async (t) => {
  let running = 0;
  const walker: Walker = {
    scope: new Scope(),
    include: () => 'included',
    async act(node: ProgramNode) {
      running++;
      await new Promise((resolve) => setTimeout(resolve, node.id === 'a' ? 1 : 20));
      running--;
      if (node.id === 'a') throw new Error('broken');
      return { word: 'applied', path: node.path };
    },
  };
  await t.rejects(walk(programOf(CHAIN), walker, new AbortController().signal), { message: 'broken' });
  t.equal(running, 0);
});

t.test('a signal ends the walk before the next node', async (t) => {
  const stop = new AbortController();
  const acted: string[] = [];
  const walker: Walker = {
    scope: new Scope(),
    include: () => 'included',
    async act(node) {
      acted.push(node.id);
      stop.abort(new Error('stopped'));
      return { word: 'applied', path: node.path };
    },
  };
  await t.rejects(walk(programOf('[{id: b, def: {k: "${a.k}"}}, {id: a, def: {k: v}}]'), walker, stop.signal), { message: 'stopped' });
  t.same(acted, ['a']);
});

t.test('a frame 500 deep costs no stack', async (t) => {
  let node: object = { id: 'leaf', def: { k: 'v' } };
  for (let depth = 0; depth < 500; depth++) node = { id: `box${depth}`, graph: { nodes: [node] } };
  const { program } = compile({
    graph: { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name: 'g', namespace: 'n' }, spec: { nodes: [node] } },
    schemas: testSnapshot(),
  });
  if (program === undefined) throw new Error('does not compile');
  let acted = 0;
  const walker: Walker = {
    scope: new Scope(),
    include: () => 'included',
    async act({ path }) {
      acted++;
      return { word: 'applied', path };
    },
  };
  await walk(program, walker, new AbortController().signal);
  t.equal(acted, 1);
});
