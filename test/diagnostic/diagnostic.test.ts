import t from 'tap';
import { defineDiagnostic, inPathOrder } from '../../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../../src/diagnostic/path.ts';
import { printBlock, printLine, printMessage } from '../../src/diagnostic/print.ts';

const unknownName = defineDiagnostic({
  code: 'reference/unknown',
  severity: 'error',
  message: ({ id }: { id: string }) => `no node "${id}"`,
  hint: ({ id }) => (id === 'wep' ? 'did you mean "web"?' : undefined),
});

const path = FieldPath.of('spec', 'nodes', 0, 'def', 'a');

t.test('a definition makes diagnostics of its code', (t) => {
  const place = { path, expression: 'wep.b', span: { start: 0, end: 3 } };
  t.same(unknownName({ id: 'wep' }, place), {
    code: 'reference/unknown',
    severity: 'error',
    path,
    expression: 'wep.b',
    span: { start: 0, end: 3 },
    message: 'no node "wep"',
    hint: 'did you mean "web"?',
  });
  t.same(Object.keys(unknownName({ id: 'x' }, { path })), ['code', 'severity', 'path', 'message'], 'absent members are absent');
  t.equal(unknownName.code, 'reference/unknown');
  t.end();
});

t.test('a quoted name cannot pass for another line', (t) => {
  const { message } = unknownName({ id: 'a\n* spec: all is well\u001b[2J\u2028' }, { path });
  t.equal(message, 'no node "a\\n* spec: all is well\\u001b[2J\\u2028"');
  t.end();
});

t.test('diagnostics come in path order, then by position, each once', (t) => {
  const at = (place: FieldPath, start: number, id: string) =>
    unknownName({ id }, { path: place, expression: 'e', span: { start, end: start + 1 } });
  const later = FieldPath.of('spec', 'nodes', 10);
  const found = inPathOrder([at(later, 0, 'c'), at(path, 5, 'b'), at(path, 1, 'a'), at(path, 5, 'b')]);
  t.same(
    found.map(({ message }) => message),
    ['no node "a"', 'no node "b"', 'no node "c"'],
  );
  t.end();
});

t.test('a diagnostic prints as a message, a line and a block', (t) => {
  const diagnostic = unknownName({ id: 'wep' }, { path, expression: "'x' +\n wep.b", span: { start: 7, end: 10 } });
  t.equal(printMessage(diagnostic), 'no node "wep" in ${\'x\' +…} at 8 (did you mean "web"?)');
  t.equal(printLine(diagnostic), 'spec.nodes[0].def.a: no node "wep" in ${\'x\' +…} at 8 (did you mean "web"?) [reference/unknown]');
  t.equal(
    printBlock(diagnostic),
    'spec.nodes[0].def.a: no node "wep" [reference/unknown]\n  |  wep.b\n  |  ^^^\n  hint: did you mean "web"?',
  );
  t.equal(printLine(unknownName({ id: 'x' }, { path })), 'spec.nodes[0].def.a: no node "x" [reference/unknown]');
  t.end();
});
