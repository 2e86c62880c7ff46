import t from 'tap';
import { trace } from './runtime.ts';

const base = '{id: base, def: {on: true, off: false, l: [null, 1], o: [true]}}';

/** The words of the nodes: values are left out. */
function words(nodes: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(trace(`[${base}, ${nodes}]`))
      .filter(([path]) => path !== 'base')
      .map(([path, found]) => [path, typeof found === 'string' ? found.replace(/:.*/, '') : 'done']),
  );
}

const when = (id: string, condition: string, value = '1') => `{id: ${id}, includeWhen: ["${condition}"], def: {v: ${value}}}`;
const reads = (id: string, value: string) => `{id: ${id}, def: {v: "${value}"}}`;

const rows: readonly [title: string, nodes: string, expected: Readonly<Record<string, string>>][] = [
  ['true includes', when('a', '${base.on}'), { a: 'done' }],
  ['false skips', when('a', '${base.off}'), { a: 'skipped' }],
  ['all must be true', '{id: a, includeWhen: ["${base.on}", "${base.off}"], def: {v: 1}}', { a: 'skipped' }],
  ['the first that is false decides', '{id: a, includeWhen: ["${base.off}", "${1 / 0 > 0}"], def: {v: 1}}', { a: 'skipped' }],
  ['an empty optional counts as false', when('a', '${base.o[?5]}'), { a: 'skipped' }],
  ['an optional of true includes', when('a', '${base.o[?0]}'), { a: 'done' }],
  ['null counts as false', when('a', '${base.l[0]}'), { a: 'skipped' }],
  ['any other value is hard', when('a', '${base.l[1]}'), { a: 'failed' }],
  [
    'skipping is contagious',
    `${when('a', '${base.off}')}, ${reads('b', '${a.v}')}, ${reads('c', '${b.v}')}, {id: d, def: {v: 1}}`,
    { a: 'skipped', b: 'skipped', c: 'skipped', d: 'done' },
  ],
  ['a skipped node evaluates nothing', when('a', '${base.off}', '"${1 / 0}"'), { a: 'skipped' }],
  [
    'a reader outside follows the child alone',
    `{id: g, graph: {nodes: [${when('k', '${base.off}')}, ${reads('l', '${1}')}]}}, ${reads('x', '${g.k.v}')}, ${reads('y', '${g.l.v}')}`,
    { 'g/k': 'skipped', 'g/l': 'done', x: 'skipped', y: 'done' },
  ],
  [
    'a graph as a whole is there without the skipped child',
    `{id: g, graph: {nodes: [${when('k', '${base.off}')}, ${reads('l', '${1}')}]}}, ${reads('x', '${size(g) == 1 ? 1 : 1 / 0}')}`,
    { 'g/k': 'skipped', 'g/l': 'done', x: 'done' },
  ],
  [
    'a graph that captures a skipped node is skipped whole',
    `${when('a', '${base.off}')}, {id: g, graph: {nodes: [${reads('k', '${a.v}')}, ${reads('l', '${1}')}]}}, ${reads('x', '${g.l.v}')}`,
    { a: 'skipped', g: 'skipped', 'g/k': 'skipped', 'g/l': 'skipped', x: 'skipped' },
  ],
  [
    'a failure stops only what depends on it',
    `${reads('a', '${1 / (size(base.l) - 2)}')}, ${reads('b', '${a.v}')}, ${reads('c', '${1}')}`,
    { a: 'failed', b: 'blocked', c: 'done' },
  ],
];

for (const [title, nodes, expected] of rows) {
  t.test(title, (t) => {
    t.same(words(nodes), expected);
    t.end();
  });
}
