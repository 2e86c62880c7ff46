import t from 'tap';
import { Scope } from '../../src/runtime/scope.ts';
import { programOf } from '../support/compile.ts';
import { nodeAt } from './runtime.ts';

const program = programOf(`[{id: a, def: {v: 1}}, {id: g, graph: {nodes: [{id: k, def: {v: 1}},
  {id: p, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: b}}}, {id: h, graph: {nodes: [{id: l, def: {v: 1}}]}}]}}]`);

t.test('a node has a value once it has published', (t) => {
  const scope = new Scope();
  t.equal(scope.valueOf(nodeAt(program, 'a')), undefined);
  scope.publish(nodeAt(program, 'a'), { v: 1 });
  t.same(scope.valueOf(nodeAt(program, 'a')), { v: 1 });
  t.end();
});

t.test('a graph is the map of what its nodes have published so far', (t) => {
  const scope = new Scope();
  const g = nodeAt(program, 'g');
  t.same(scope.valueOf(g), { h: {} });
  scope.publish(nodeAt(program, 'g/k'), { v: 2 });
  scope.publish(nodeAt(program, 'g/h/l'), { v: 3 });
  t.same(scope.valueOf(g), { h: { l: { v: 3 } }, k: { v: 2 } });
  t.same(scope.valueOf(nodeAt(program, 'g/h')), { l: { v: 3 } });
  scope.publish(nodeAt(program, 'g/k'), { v: 4 });
  t.same(scope.valueOf(g), { h: { l: { v: 3 } }, k: { v: 4 } });
  t.end();
});

t.test('it is so too when it is first looked at after they have published', (t) => {
  const scope = new Scope();
  scope.publish(nodeAt(program, 'g/h/l'), { v: 3 });
  scope.publish(nodeAt(program, 'g/k'), { v: 2 });
  t.same(scope.valueOf(nodeAt(program, 'g')), { h: { l: { v: 3 } }, k: { v: 2 } });
  t.end();
});

t.test('what stands in a skipped graph is skipped', (t) => {
  const scope = new Scope();
  scope.skip(nodeAt(program, 'g'));
  t.equal(scope.isSkipped(nodeAt(program, 'g/h/l')), true);
  t.equal(scope.isSkipped(nodeAt(program, 'a')), false);
  t.end();
});
