import t from 'tap';
import { comparePaths, FieldPath } from '../../src/diagnostic/path.ts';

const printed: [string, FieldPath, string][] = [
  ['the root is empty', FieldPath.root, ''],
  ['fields are dotted, indexes bracketed', FieldPath.of('spec', 'nodes', 3, 'template', 'kind'), 'spec.nodes[3].template.kind'],
  ['a name that is no plain word is quoted', FieldPath.of('metadata', 'labels', 'a/b'), 'metadata.labels["a/b"]'],
  ['a name with a quote is escaped', FieldPath.of('data', 'a"b'), 'data["a\\"b"]'],
  ['an index may follow an index', FieldPath.of('a', 0, 1), 'a[0][1]'],
  ['a dash is plain', FieldPath.of('data', 'my-key'), 'data.my-key'],
  ['appending leaves the parent as it was', FieldPath.of('spec').field('nodes').index(0), 'spec.nodes[0]'],
];

t.test('a path prints as kubectl writes it', (t) => {
  for (const [title, path, expected] of printed) t.equal(path.toString(), expected, title);
  t.end();
});

const ordered: [string, FieldPath, FieldPath][] = [
  ['indexes by number', FieldPath.of('a', 2), FieldPath.of('a', 10)],
  ['a parent before its child', FieldPath.of('a'), FieldPath.of('a', 'b')],
  ['names by text', FieldPath.of('a', 'b'), FieldPath.of('a', 'c')],
  ['the first difference decides', FieldPath.of('a', 1, 'z'), FieldPath.of('a', 2, 'a')],
];

t.test('paths are ordered as they stand in the object', (t) => {
  for (const [title, first, second] of ordered) {
    t.ok(comparePaths(first, second) < 0, title);
    t.ok(comparePaths(second, first) > 0, `${title}, the other way round`);
    t.equal(comparePaths(first, first), 0, `${title}, with itself`);
  }
  t.end();
});
