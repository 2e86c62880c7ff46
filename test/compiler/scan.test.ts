import t from 'tap';
import { scan } from '../../src/compiler/scan.ts';

/** What a string is: undefined for literal text, one text for a standalone expression, a list of parts, or the fault. */
type Reading = undefined | string | readonly (string | readonly [string])[] | { readonly fault: string; readonly at: number };

const rows: readonly [title: string, value: string, expected: Reading][] = [
  ['text without an expression is literal', 'plain', undefined],
  ['$x, $(x) and {x} are text', '$x $(x) {x} $', undefined],
  ['a value that is one expression is standalone', '${a.b}', 'a.b'],
  ['spaces inside the braces belong to the expression', '${ a }', ' a '],
  ['text before it makes a string template', ' ${a}', [' ', ['a']]],
  ['a line break after it makes a string template', '${a}\n', [['a'], '\n']],
  ['two expressions make a string template', '${a}${b}', [['a'], ['b']]],
  ['a doubled dollar is a dollar and an expression', '$${x}', ['$', ['x']]],
  ['braces of a map nest', '${{"a": {"b": 1}}}', '{"a": {"b": 1}}'],
  ['a brace in single quotes is text', "${'}'}", "'}'"],
  ['a brace in double quotes is text', '${"}"}', '"}"'],
  ['an expression in a literal is text', '${"${x}"}', '"${x}"'],
  ['quotes nest by their kind', `\${"\${'\${x}'}"}`, `"\${'\${x}'}"`],
  ['an escaped quote does not end a literal', '${"a\\"}"}', '"a\\"}"'],
  ['an escaped backslash ends before the quote', '${"a\\\\"}x', [['"a\\\\"'], 'x']],
  ['a raw literal knows no escapes', '${r"\\"}x', [['r"\\"'], 'x']],
  ['raw bytes know no escapes', "${br'\\'}x", [["br'\\'"], 'x']],
  ['a bytes literal has escapes', "${b'\\'}'}", "b'\\'}'"],
  ['a word that ends in r is no prefix', '${bar"\\"}"}', 'bar"\\"}"'],
  ['a triple-quoted literal holds quotes and line breaks', "${'''a'}\n''}'''}", "'''a'}\n''}'''"],
  ['an empty literal is no triple quote', "${''}", "''"],
  ['a triple-quoted literal with escapes', '${"""\\"""}"""}', '"""\\"""}"""'],
  ['a comment is passed over whole', '${a // }\n}', 'a // }\n'],
  ['two slashes in a literal are no comment', '${"http://x"}', '"http://x"'],
  ['a division is no comment', '${a / b}', 'a / b'],
  ['a back-quoted field is passed over whole', '${a.`b-}`}', 'a.`b-}`'],
  ['an expression without end is a fault', 'x ${a.b', { fault: 'unterminated', at: 0 }],
  ['a later expression without end is a fault', '${a} ${b', { fault: 'unterminated', at: 0 }],
  ['a brace too few is a fault', '${{1: 2}', { fault: 'unterminated', at: 0 }],
  ['a comment swallows the brace', '${a // }', { fault: 'unterminated', at: 0 }],
  ['a literal without end is a fault where it begins', "${a + 'b}", { fault: 'unterminated-literal', at: 4 }],
  ['a literal in single quotes ends on its line', "${'a\n'}", { fault: 'unterminated-literal', at: 0 }],
  ['an expression inside one is a fault', '${string(${1})}', { fault: 'nested', at: 7 }],
  ['an empty expression is one', '${}', ''],
];

for (const [title, value, expected] of rows) {
  t.test(title, (t) => {
    t.same(read(value), expected);
    t.end();
  });
}

t.test('offsets count from the beginning of the string', (t) => {
  t.same(scan('ab ${x}-${yy}'), {
    kind: 'text',
    parts: ['ab ', { text: 'x', offset: 5 }, '-', { text: 'yy', offset: 10 }],
  });
  t.end();
});

t.test('a long string is read to its end', (t) => {
  t.equal(scan(`\${[${"'}', ".repeat(100_000)}]}`).kind, 'standalone');
  t.end();
});

function read(value: string): Reading {
  const scanned = scan(value);
  switch (scanned.kind) {
    case 'literal':
      return undefined;
    case 'standalone':
      return scanned.expression.text;
    case 'text':
      return scanned.parts.map((part) => (typeof part === 'string' ? part : ([part.text] as const)));
    case 'broken':
      return { fault: scanned.fault.fault, at: scanned.fault.span.start };
  }
}
