import t from 'tap';
import { printResourceKind } from '../../src/api/object.ts';
import { Budget } from '../../src/cel/budget.ts';
import { uses } from '../../src/compiler/uses.ts';
import { nodeAt } from '../runtime/runtime.ts';
import { programOf } from '../support/compile.ts';

const nodes = `[
  {id: cfg, def: {kind: Pod, v: "\${1 + 1}"}},
  {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}},
  {id: b, ref: {apiVersion: x.dev/v1, kind: Gizmo, metadata: {selector: {}}}},
  {id: g, graph: {nodes: [{id: c, patch: {apiVersion: v1, kind: "\${cfg.kind}", metadata: {name: c}, status: {x: "\${b.map(o, o.x)}"}}}, {id: d, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: d}}}]}}]`;

t.test('what a Program tells of its Graph', (t) => {
  const program = programOf(nodes);
  t.same(program.kinds.map(printResourceKind), ['v1 ConfigMap', 'x.dev/v1 Gizmo']);
  t.same(program.missingKinds.map(printResourceKind), ['x.dev/v1 Gizmo']);
  t.equal(program.hasDynamicTypes, true);
  t.same(
    program.nodes.map(({ kind, position, publishesList }) => [kind, position, publishesList]),
    [
      ['def', 0, false],
      ['template', 1, false],
      ['ref', 2, true],
      ['graph', 3, false],
      ['patch', 4, false],
      ['template', 5, false],
    ],
  );
  const patch = nodeAt(program, 'g/c');
  t.equal(patch.kind === 'patch' && patch.subresource, 'status');
  t.equal(patch.frame.owner, nodeAt(program, 'g'));
  t.equal(patch.published, undefined);
  t.same(
    nodeAt(program, 'g').dependencies.map(({ follows }) => follows.id),
    ['cfg', 'b'],
  );
  t.same(patch.dependencies, []);
  t.end();
});

t.test('an expression knows what it reads', (t) => {
  const program =
    programOf(`[{id: r, ref: {apiVersion: v1, kind: ConfigMap, metadata: {name: r}}}, {id: d, def: {v: "\${r.data.k}"}}, {id: e, def: {w: x}},
    {id: g, graph: {nodes: [{id: k, def: {v: 1}}]}},
    {id: a, forEach: [{i: "\${[1]}"}], includeWhen: ["\${d.v == 'x'}", "\${e.w == 'x'}", "\${g.k.v == 1}"], def: {c: "\${1 + 1}", i: "\${i}"}}]`);
  const a = nodeAt(program, 'a');
  t.same(
    a.includeWhen.map(({ text, readsCluster, isConstant, references, follows }) => [
      text,
      readsCluster,
      isConstant,
      references.map(({ id }) => id),
      follows.map(({ id }) => id),
    ]),
    [
      ["d.v == 'x'", true, false, ['d'], ['d']],
      ["e.w == 'x'", false, false, ['e'], ['e']],
      ['g.k.v == 1', false, false, ['g'], ['k']],
    ],
  );
  const payload = a.kind === 'def' ? a.payload.entries : new Map();
  t.match(payload.get('c'), { kind: 'standalone', expression: { isConstant: true, locals: [] } });
  t.match(payload.get('i'), { kind: 'standalone', expression: { isConstant: false, locals: ['i'] } });
  t.end();
});

t.test('what depends on nothing is evaluated once', (t) => {
  const program = programOf('[{id: a, def: {l: "${lists.range(100)}"}}]');
  const node = nodeAt(program, 'a');
  const payload = node.kind === 'def' ? node.payload.entries.get('l') : undefined;
  if (payload?.kind !== 'standalone') throw new Error('l is an expression');
  const first = payload.expression.evaluate(() => undefined, new Budget());
  t.equal(
    payload.expression.evaluate(() => undefined, new Budget({ steps: 0, size: 0 })),
    first,
  );
  t.end();
});

t.test('the kinds that a spec names', (t) => {
  const rows: readonly [title: string, spec: unknown, expected: readonly string[]][] = [
    ['nothing', undefined, []],
    ['no list', { nodes: 'x' }, []],
    [
      'each once, also inside graphs',
      {
        nodes: [
          { template: { apiVersion: 'v1', kind: 'Pod' } },
          { graph: { nodes: [{ ref: { apiVersion: 'v1', kind: 'Pod' } }, { patch: { apiVersion: 'apps/v1', kind: 'Deployment' } }] } },
        ],
      },
      ['v1 Pod', 'apps/v1 Deployment'],
    ],
    [
      'not what is computed, malformed or missing',
      {
        nodes: [
          { template: { apiVersion: '${a}', kind: 'X' } },
          { ref: { apiVersion: 'v1', kind: '${k}' } },
          { ref: { apiVersion: 'a/b/c', kind: 'X' } },
          { ref: { kind: 'X' } },
          null,
          5,
        ],
      },
      [],
    ],
  ];
  for (const [title, spec, expected] of rows) t.same(uses(spec).map(printResourceKind), expected, title);
  t.end();
});
