import t from 'tap';
import { isYounger, type KnownGraph, rivalGraphs } from '../../../controller/apply/rivals.ts';
import { templateManager } from '../../../src/api/names.ts';

function graph(uid: string, second: number): KnownGraph {
  return { name: `n/${uid}`, uid, creationTimestamp: `2026-01-01T00:00:0${second}Z` };
}

const AGES: readonly [title: string, graph: KnownGraph, than: KnownGraph, expected: boolean][] = [
  ['the later one is younger', graph('a', 2), graph('b', 1), true],
  ['the earlier one is not', graph('b', 1), graph('a', 2), false],
  ['of two of one second, the UID decides', graph('b', 1), graph('a', 1), true],
  ['so that exactly one of them gives way', graph('a', 1), graph('b', 1), false],
];
for (const [title, one, than, expected] of AGES) {
  t.test(title, (t) => {
    t.equal(isYounger(one, than), expected);
    t.end();
  });
}

t.test('rivals are the Graphs that exist and own fields as templates: not the Graph itself, its patches, nor anybody else', async (t) => {
  const [own, alive, dead] = [templateManager('own'), templateManager('alive'), templateManager('dead')];
  const asked: string[][] = [];
  const aliveGraphs = async (hashes: readonly string[]): Promise<ReadonlyMap<string, KnownGraph>> => {
    asked.push([...hashes]);
    return new Map([['alive', graph('alive', 1)]]);
  };
  t.same(await rivalGraphs([own, 'kubectl', `kro-graphengine.patch.${'0'.repeat(12)}.${'1'.repeat(12)}`], own, { aliveGraphs }), []);
  t.same(asked, [], 'nobody is asked where there is none');
  t.same(await rivalGraphs([own, dead, alive], own, { aliveGraphs }), [graph('alive', 1)]);
  t.equal(asked[0]?.length, 2);
});
