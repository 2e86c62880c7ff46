import t from 'tap';
import { mostPruned } from '../../../controller/inventory/guard.ts';
import { wavesOf } from '../../../controller/inventory/waves.ts';
import type { ManagedResource } from '../../../src/api/graph.ts';

const entry = (name: string, wave?: number): ManagedResource => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  nodeID: name,
  ...(wave === undefined ? {} : { wave }),
});

const ROWS: readonly [
  title: string,
  entries: readonly ManagedResource[],
  annotated: Readonly<Record<string, number>>,
  expected: readonly (readonly string[])[],
][] = [
  ['the highest wave goes first', [entry('a', 1), entry('b', 2), entry('c', 3)], {}, [['c'], ['b'], ['a']]],
  ['one wave goes together', [entry('a', 1), entry('b', 2), entry('c', 2)], {}, [['c', 'b'], ['a']]],
  ['the live annotation tells what the entry does not', [entry('a'), entry('b')], { a: 2, b: 1 }, [['a'], ['b']]],
  ['where nothing tells it is the order of the list, one at a time', [entry('a'), entry('b'), entry('c')], {}, [['c'], ['b'], ['a']]],
  ['an entry without a wave stands after its neighbour in the list', [entry('a', 1), entry('x'), entry('b', 2)], {}, [['b'], ['x'], ['a']]],
  ['nothing is no wave', [], {}, []],
];

for (const [title, entries, annotated, expected] of ROWS) {
  t.test(title, (t) => {
    const waves = wavesOf(entries, ({ name }) => annotated[name]);
    t.same(
      waves.map((wave) => wave.entries.map(({ name }) => name)),
      expected,
    );
    t.end();
  });
}

const LIMITS: readonly [limit: string, total: number, expected: number | undefined][] = [
  ['3', 10, 3],
  ['0', 10, 0],
  ['25%', 10, 2],
  ['100%', 10, 10],
  [' 5 ', 10, 5],
  ['many', 10, undefined],
  ['-1', 10, undefined],
  ['', 10, undefined],
];
for (const [limit, total, expected] of LIMITS) {
  t.test(`max-prune "${limit}" of ${total}`, (t) => {
    t.equal(mostPruned(limit, total), expected);
    t.end();
  });
}
