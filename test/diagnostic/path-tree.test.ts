import t from 'tap';
import { FieldPath } from '../../src/diagnostic/path.ts';
import { PathSet, PathTree } from '../../src/diagnostic/path-tree.ts';

function compare(first: FieldPath, second: FieldPath): number {
  const [a = 0, b = 0] = new PathTree().positions([first, second]);
  return a - b;
}

const ordered: [string, FieldPath, FieldPath][] = [
  ['indexes by number', FieldPath.of('a', 2), FieldPath.of('a', 10)],
  ['a parent before its child', FieldPath.of('a'), FieldPath.of('a', 'b')],
  ['names by text', FieldPath.of('a', 'b'), FieldPath.of('a', 'c')],
  ['the first difference decides', FieldPath.of('a', 1, 'z'), FieldPath.of('a', 2, 'a')],
];

t.test('paths are ordered as they stand in the object', (t) => {
  for (const [title, first, second] of ordered) {
    t.ok(compare(first, second) < 0, title);
    t.ok(compare(second, first) > 0, `${title}, the other way round`);
    t.equal(compare(first, FieldPath.of(...first.segments())), 0, `${title}, with itself`);
  }
  t.end();
});

t.test('equal paths are one place, whatever objects say them', (t) => {
  const set = new PathSet();
  t.notOk(set.has(FieldPath.root));
  set.add(FieldPath.of('a', 'b', 1));
  t.ok(set.has(FieldPath.of('a').field('b').index(1)));
  t.notOk(set.has(FieldPath.of('a', 'b', '1')), 'a field is no index');
  t.notOk(set.has(FieldPath.of('a', 'b')));
  t.end();
});

t.test('10,000 places, each in the one before', (t) => {
  const paths: FieldPath[] = [];
  let path = FieldPath.root;
  for (let level = 0; level < 10_000; level++) {
    path = path.field('a').index(0);
    paths.push(path);
  }
  const positions = new PathTree().positions(paths.toReversed());
  t.same(positions.toReversed().slice(0, 3), [2, 4, 6]);
  t.equal(positions[0], 20_000);
  t.end();
});
