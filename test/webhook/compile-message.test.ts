import t from 'tap';
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../../src/diagnostic/path.ts';
import { packReport, unpackReport } from '../../webhook/compile-message.ts';

const path = FieldPath.of('spec', 'nodes', 0, 'def', '0');
const plain: Diagnostic = { code: 'a/b', severity: 'error', message: 'm', path };

/** With its paths as text: they are other objects on the other side. */
function readable({ path, related, ...rest }: Diagnostic): unknown {
  return { ...rest, path: path.toString(), related: related?.map(({ path, ...place }) => ({ ...place, path: path.toString() })) };
}

t.test('a report comes out as it went in', (t) => {
  const diagnostics: Diagnostic[] = [
    plain,
    { ...plain, path: FieldPath.root, severity: 'warning', hint: 'h' },
    { ...plain, expression: 'a + b', span: { start: 0, end: 1 }, related: [{ path: path.field('x') }, { path, expression: 'a + b' }] },
    { ...plain, path: FieldPath.of('spec'), expression: '' },
  ];
  t.same(unpackReport(packReport(diagnostics)).map(readable), diagnostics.map(readable));
  t.same(unpackReport(packReport([])), []);
  t.end();
});

t.test('what diagnostics share is sent once: ways of thousands of levels, and a long expression', (t) => {
  const expression = 'x'.repeat(16_000);
  const diagnostics: Diagnostic[] = [];
  let at = FieldPath.root;
  for (let level = 0; level < 5000; level++) {
    at = at.field('nodes').index(0);
    diagnostics.push({ ...plain, path: at, expression, span: { start: 0, end: 1 } });
  }
  const packed = packReport(diagnostics);
  t.ok(packed.byteLength < 1_000_000, `${packed.byteLength} bytes`);
  t.equal(unpackReport(packed).at(-1)?.path.segments().length, 10_000);
  t.end();
});
