import t from 'tap';
import { scopeKey } from '../../../controller/watch/reflectors.ts';
import { valvesIn, valvesScope } from './valves.ts';

const SCOPE = scopeKey(valvesScope('v1'));

/** What is served when a Graph of v1 opens the watch, and after each change of the group; the versions listed, and whether it works in the end. */
const TABLE: readonly [title: string, served: readonly [string[], ...string[][]], lists: readonly string[], isKnowing: boolean][] = [
  ['begins anew in a version that is served when its own no longer is', [['v1', 'v2'], ['v2']], ['v1', 'v2'], true],
  ['keeps its version while that is served', [['v1', 'v2'], ['v3', 'v1'], ['v1']], ['v1', 'v1', 'v1'], true],
  ['stays in the version that it had to take', [['v1'], ['v2'], ['v1', 'v2']], ['v1', 'v2', 'v2'], true],
  ['waits in its own version while none is served', [['v1'], []], ['v1', 'v1'], false],
  ['is found in the version in which its kind comes back', [['v1'], [], ['v2']], ['v1', 'v1', 'v2'], true],
  ['is opened in a version that is served', [['v2']], ['v2'], true],
];

for (const [title, [first, ...changes], lists, isKnowing] of TABLE) {
  t.test(`a watch ${title}`, async (t) => {
    const valves = valvesIn(t, first);
    const watch = valves.pool.acquire(valvesScope('v1'));
    await watch.opened(AbortSignal.timeout(5000));
    for (const served of changes) {
      valves.serve(served);
      valves.pool.beginAnew(new Set(['example.com']));
      await watch.opened(AbortSignal.timeout(5000));
    }
    t.same({ lists: valves.lists, isKnowing: watch.isKnowing }, { lists, isKnowing });
  });
}

t.test('Graphs of several versions share a watch, and none makes it begin anew', async (t) => {
  const valves = valvesIn(t, ['v1', 'v2']);
  const one = valves.pool.acquire(valvesScope('v1'));
  await one.opened(AbortSignal.timeout(5000));
  t.equal(valves.pool.acquire(valvesScope('v2')), one);
  t.equal(valves.pool.acquire(valvesScope('v1')), one);
  t.same(valves.lists, ['v1']);
});

t.test('who uses a watch is told when it knows again in another version', async (t) => {
  const valves = valvesIn(t, ['v1', 'v2']);
  const watch = valves.pool.acquire(valvesScope('v1'));
  await watch.opened(AbortSignal.timeout(5000));
  valves.serve(['v2']);
  valves.pool.beginAnew(new Set(['other.example.com']));
  t.same(valves.lists, ['v1'], 'another group does not matter');
  valves.pool.beginAnew(new Set(['example.com']));
  await watch.opened(AbortSignal.timeout(5000));
  t.same(valves.renewed, [SCOPE]);
});
