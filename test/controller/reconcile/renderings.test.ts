import t from 'tap';
import { Renderings } from '../../../controller/reconcile/renderings.ts';
import type { Program, ProgramNode } from '../../../src/compiler/program.ts';
import type { LeafNode } from '../../../src/engine/walk.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import { programOf } from '../../support/compile.ts';

const CM = 'apiVersion: v1, kind: ConfigMap';
const NODES = `[
  {id: source, ref: {${CM}, metadata: {name: source}}},
  {id: constant, def: {n: 1}},
  {id: middle, def: {n: "\${source.metadata.name + string(constant.n)}"}},
  {id: last, def: {n: "\${middle.n}"}},
  {id: direct, template: {${CM}, metadata: {name: direct}, data: {k: "\${source.metadata.name}"}}},
  {id: through, template: {${CM}, metadata: {name: through}, data: {k: "\${last.n}"}}},
  {id: alone, template: {${CM}, metadata: {name: alone}}},
  {id: frame, graph: {nodes: [{id: inner, template: {${CM}, metadata: {name: inner}}}]}},
  {id: outer, template: {${CM}, metadata: {name: outer}, data: {k: "\${frame.inner.metadata.name}"}}},
  {id: many, forEach: [{i: "\${[source.metadata.name]}"}], template: {${CM}, metadata: {name: "\${'i-' + i}"}}}
]`;

function nodeOf(program: Program, id: string): LeafNode {
  const node = program.nodes.find((one) => one.id === id);
  if (node === undefined || node.kind === 'graph') throw new Error(`no node ${id}`);
  return node;
}

const object = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

/** A walk in which the defs that are named were computed, after `source` gave this object. */
function walk(program: Program, renderings: Renderings<{ size: number }>, source: object | undefined, defs: readonly string[]): Scope {
  const scope = new Scope();
  renderings.begin(program);
  if (source !== undefined) scope.publish(nodeOf(program, 'source'), source as never);
  for (const id of ['constant', 'middle', 'last'].filter((one) => defs.includes(one))) {
    const def: ProgramNode = nodeOf(program, id);
    if (def.kind === 'def') renderings.computed(def, scope);
  }
  return scope;
}

const ALL = ['constant', 'middle', 'last'];
const same = object('a');

/** What the second walk finds of what was kept in the first. */
const ROWS: readonly [title: string, node: string, second: object | undefined, defs: readonly string[], isKept: boolean][] = [
  ['nothing is read', 'alone', object('b'), ALL, true],
  ['the very same object is read', 'direct', same, ALL, true],
  ['another object is read, equal or not', 'direct', object('a'), ALL, false],
  ['nothing is there to be read', 'direct', undefined, ALL, false],
  ['a list is made of the same object', 'many', same, ALL, true],
  ['a list is made of another object', 'many', object('a'), ALL, false],
  ['defs over defs were computed from the same object', 'through', same, ALL, true],
  ['defs over defs were computed from another object', 'through', object('a'), ALL, false],
  ['a def is skipped', 'through', same, ['constant', 'middle'], false],
  ['a graph node is read', 'outer', same, ALL, false],
];
for (const [title, id, second, defs, isKept] of ROWS) {
  t.test(`${title}: what was rendered is ${isKept ? 'kept' : 'not kept'}`, (t) => {
    const program = programOf(NODES);
    const renderings = new Renderings<{ size: number }>();
    const given = { size: 10 };
    renderings.keep(nodeOf(program, id), walk(program, renderings, same, ALL), given);
    const scope = walk(program, renderings, second, defs);
    t.equal(renderings.recall(nodeOf(program, id), scope), isKept ? given : undefined);
    t.end();
  });
}

t.test('an input that was another for one walk counts as another', (t) => {
  const program = programOf(NODES);
  const renderings = new Renderings<{ size: number }>();
  const through = nodeOf(program, 'through');
  renderings.keep(through, walk(program, renderings, same, ALL), { size: 1 });
  walk(program, renderings, object('b'), ALL);
  t.equal(renderings.recall(through, walk(program, renderings, same, ALL)), undefined, 'a mark is never used twice');
  t.end();
});

t.test('what is kept is weighed, replaced and forgotten', (t) => {
  const program = programOf(NODES);
  const renderings = new Renderings<{ size: number }>();
  const scope = walk(program, renderings, same, ALL);
  renderings.keep(nodeOf(program, 'alone'), scope, { size: 10 });
  renderings.keep(nodeOf(program, 'direct'), scope, { size: 5 });
  t.equal(renderings.size, 15);
  renderings.keep(nodeOf(program, 'alone'), scope, { size: 1 });
  t.equal(renderings.size, 6, 'the former one counts no more');
  renderings.keep(nodeOf(program, 'alone'), scope, { size: 100 * 1024 * 1024 });
  t.equal(renderings.size, 5, 'too much is not kept');
  t.equal(renderings.recall(nodeOf(program, 'alone'), scope), undefined);
  renderings.begin(programOf(NODES));
  t.equal(renderings.size, 0, 'another Program has other nodes');
  t.end();
});
