import t from 'tap';
import { FieldPath } from '../../src/diagnostic/path.ts';

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

t.test('the segments below a path that another was made from', (t) => {
  const around = FieldPath.of('spec', 'nodes', 3);
  t.same(around.field('def').index(0).below(around), ['def', 0]);
  t.same(around.below(around), []);
  t.equal(FieldPath.of('spec').below(around), undefined);
  t.end();
});
