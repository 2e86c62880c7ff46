import t from 'tap';
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../../src/diagnostic/path.ts';
import { LONGEST_WARNING, printWarning, printWarnings } from '../../webhook/warnings.ts';

const node = FieldPath.of('spec', 'nodes', 12);

function warning(message: string, path: FieldPath = node.field('template')): Diagnostic {
  return { code: 'kind/unserved', severity: 'warning', path, message };
}

const rows: [string, Diagnostic, string][] = [
  ['code, message and place', warning('no Gizmo'), 'kind/unserved: no Gizmo (spec.nodes[12].template)'],
  [
    'a long place is shortened to the node',
    warning(
      'no Gizmo',
      node
        .field('template')
        .field('metadata')
        .field(`annotations${'x'.repeat(80)}`),
    ),
    'kind/unserved: no Gizmo (spec.nodes[12])',
  ],
  ['a long message goes before the place', warning('x'.repeat(100)), `kind/unserved: ${'x'.repeat(100)}`],
  ['a longer message is cut', warning('x'.repeat(200)), `kind/unserved: ${'x'.repeat(104)}…`],
  ['control characters become spaces', warning('a\n\tb\u0000c\u2028d'), 'kind/unserved: a b c d (spec.nodes[12].template)'],
  ['a character outside of the basic plane is not torn', warning('😀'.repeat(200)), `kind/unserved: ${'😀'.repeat(104)}…`],
  ['half a character is replaced', warning('a\ud800b'), 'kind/unserved: a\uFFFDb (spec.nodes[12].template)'],
  ['no place', warning('late', FieldPath.root), 'kind/unserved: late'],
];

for (const [title, diagnostic, expected] of rows) {
  t.test(title, (t) => {
    t.equal(printWarning(diagnostic), expected);
    t.ok([...printWarning(diagnostic)].length <= LONGEST_WARNING);
    t.end();
  });
}

t.test('in path order', (t) => {
  const lines = printWarnings([warning('b'), warning('a', FieldPath.of('spec', 'nodes', 2))]);
  t.strictSame(lines, ['kind/unserved: a (spec.nodes[2])', 'kind/unserved: b (spec.nodes[12].template)']);
  t.end();
});

t.test('more than the API server passes on: the last line counts what is left out', (t) => {
  const warnings = Array.from({ length: 100 }, (_, index) => warning('x'.repeat(90), FieldPath.of('spec', 'nodes', index)));
  const lines = printWarnings(warnings);
  t.ok(lines.join('').length < 4096);
  t.equal(lines.at(-1), `limit/warnings: ${100 - (lines.length - 1)} more warnings are not shown`);
  t.ok(lines.length > 30);
  t.end();
});
