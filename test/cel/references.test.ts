import { test } from 'tap';
import { parse } from '../../src/cel/parse.ts';
import { findReferences } from '../../src/cel/references.ts';
import { startOf } from '../../src/cel/stretch.ts';

const rows: readonly (readonly [title: string, expression: string, references: readonly string[]])[] = [
  ['a path is kept', 'a.b.c + d', ['a.b.c@0', 'd@8']],
  ['an optional path is kept', 'a.?b[?0].c', ['a.b@0']],
  ['a literal key is a field', 'a["b"][?"c"].d[e].f', ['a.b.c.d@0', 'e@15']],
  ['has is a reference', 'has(a.b)', ['a.b@4']],
  ['every branch counts', 'true ? a : b', ['a@7', 'b@11']],
  ['a name that a macro binds is none', '[1].map(x, x + y)', ['y@15']],
  ['the range of a macro is outside of its name', 'x.map(x, x)', ['x@0']],
  ['bind hides a name in its body only', 'cel.bind(x, x, x)', ['x@12']],
  ['optMap hides its name', 'a.?b.optMap(c, c + d)', ['a.b@0', 'd@19']],
  ['two names are bound', 'm.transformMap(k, v, k + v + w)', ['m@0', 'w@29']],
  ['a namespace is none', 'math.abs(x) + base64.encode(y).size()', ['x@9', 'y@28']],
  ['a leading dot escapes what is bound', '[1].map(x, .x)', ['x@11']],
  ['a method keeps no path', 'a.b.size()', ['a.b@0']],
  ['the names of a macro with too few arguments are none', 'a.map(x) + b.all(y, y, y, c)', ['a@0', 'b@11']],
  ['sortBy leaves nothing behind', 'a.list.sortBy(x, x.n)', ['a.list@0']],
];

for (const [title, expression, references] of rows) {
  test(title, async (t) => {
    const { ast } = parse(expression);
    if (ast === undefined) throw new Error(`${expression} does not parse`);
    t.strictSame(
      findReferences(ast).map(({ name, path, span }) => `${[name, ...path].join('.')}@${startOf(span)}`),
      references,
    );
  });
}
