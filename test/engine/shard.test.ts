import t from 'tap';
import { inheritedLabels, inShard, selectorKeys } from '../../src/engine/shard.ts';

const KEYS: readonly [selector: string, keys: readonly string[]][] = [
  ['', []],
  ['kro.run/shard=a', ['kro.run/shard']],
  ['shard==a', ['shard']],
  ['shard!=a', ['shard']],
  ['shard in (a, b),!old', ['shard', 'old']],
  ['shard notin (a,b) , team', ['shard', 'team']],
  ['generation>5,wave < 3', ['generation', 'wave']],
];
for (const [selector, keys] of KEYS) {
  t.test(`the keys of "${selector}"`, (t) => {
    t.same(selectorKeys(selector), keys);
    t.end();
  });
}

t.test('a Graph that a Graph makes is in the shard of its parent', (t) => {
  const parent = { shard: 'a', other: 'x' };
  const child = { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name: 'c', labels: { own: 'y' } } };
  t.same(inShard(child, inheritedLabels(parent, ['shard'])).metadata, { name: 'c', labels: { shard: 'a', own: 'y' } });
  t.equal(inShard(child, inheritedLabels(parent, [])), child, 'without shards nothing is added');
  t.same(
    inShard(child, inheritedLabels(undefined, ['shard'])).metadata,
    { name: 'c', labels: { own: 'y' } },
    'a parent of the shard of those without label',
  );
  const chosen = { ...child, metadata: { name: 'c', labels: { shard: 'b' } } };
  t.same(inShard(chosen, inheritedLabels(parent, ['shard'])).metadata, chosen.metadata, 'the author decides');
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
  t.equal(inShard(config, inheritedLabels(parent, ['shard'])), config, 'other kinds are left alone');
  t.end();
});
