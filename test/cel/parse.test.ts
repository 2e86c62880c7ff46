import { test } from 'tap';
import type { Ast } from '../../src/cel/ast.ts';
import { parse } from '../../src/cel/parse.ts';
import { endOf, spanOf, startOf } from '../../src/cel/stretch.ts';

/** A tree as text: `(name child child)`, with the range of each node where `spans` asks. */
function show(ast: Ast): string {
  switch (ast.kind) {
    case 'literal':
      return typeof ast.value === 'string'
        ? JSON.stringify(ast.value)
        : `${String(ast.value instanceof Uint8Array ? `b:${[...ast.value]}` : showNumber(ast.value))}`;
    case 'identifier':
      return `${ast.absolute ? '.' : ''}${ast.name}`;
    case 'select':
      return `(${ast.optional ? '.?' : '.'} ${show(ast.operand)} ${ast.field})`;
    case 'has':
      return `(has ${show(ast.operand)} ${ast.field})`;
    case 'index':
      return `(${ast.optional ? '[?]' : '[]'} ${show(ast.operand)} ${show(ast.index)})`;
    case 'call':
      return `(${ast.name}${ast.target === undefined ? '' : ` ${show(ast.target)}:`}${ast.args.map((arg) => ` ${show(arg)}`).join('')})`;
    case 'list':
      return `[${ast.items.map((item) => `${item.optional ? '?' : ''}${show(item.value)}`).join(' ')}]`;
    case 'map':
      return `{${ast.entries.map((entry) => `${entry.optional ? '?' : ''}${show(entry.key)}:${show(entry.value)}`).join(' ')}}`;
    case 'logic':
      return `(${ast.operator} ${ast.terms.map(show).join(' ')})`;
    case 'conditional':
      return `(? ${show(ast.condition)} ${show(ast.whenTrue)} ${show(ast.whenFalse)})`;
    case 'bind':
      return `(bind ${ast.name} ${show(ast.value)} ${show(ast.body)})`;
    case 'optionalMap':
      return `(${ast.flat ? 'optFlatMap' : 'optMap'} ${ast.name} ${show(ast.target)} ${show(ast.body)})`;
    case 'comprehension':
      return `(${ast.form} ${ast.names.join(',')} ${show(ast.range)}${ast.condition === undefined ? '' : ` if ${show(ast.condition)}`} ${show(ast.body)})`;
    default:
      return ast satisfies never;
  }
}

function showNumber(value: unknown): string {
  return typeof value === 'object' && value !== null && 'value' in value
    ? `${value.constructor.name}:${String(value.value)}`
    : String(value);
}

const trees: readonly (readonly [title: string, expression: string, tree: string])[] = [
  ['operators bind as in CEL', '1 + 2 * 3 - 4', '(_-_ (_+_ 1 (_*_ 2 3)) 4)'],
  ['comparisons bind alike, from the left', 'a == b < c', '(_<_ (_==_ a b) c)'],
  ['parentheses keep a comparison together', 'a == (b < c)', '(_==_ a (_<_ b c))'],
  ['a parenthesised left side is one operand', '(a < b) == (c < d)', '(_==_ (_<_ a b) (_<_ c d))'],
  ['a chain of && is one node', 'a && b && c || d', '(|| (&& a b c) d)'],
  ['conditionals nest to the right', 'a ? b : c ? d : e', '(? a b (? c d e))'],
  ['signs cancel in pairs', '!!!a', '(!_ a)'],
  ['a minus sign is part of a number', '-9223372036854775808', '-9223372036854775808'],
  ['a minus sign is part of a number behind a "!", too', '[!-1, !!-1, !-.5]', '[(!_ -1) -1 (!_ -0.5)]'],
  ['only loops keep a name', 'cel.bind(__result__, a, __result__)', '(bind __result__ a __result__)'],
  ['a binary minus before a negative number', '1 - -1', '(_-_ 1 -1)'],
  ['doubles without a whole part', '.5 + a.b', '(_+_ 0.5 (. a b))'],
  ['whole doubles and uints are told from ints', '[1, 1.0, 1u, 0x1F]', '[1 Double:1 Uint:1 31]'],
  ['strings of every form', `'a' + "b" + '''c'd''' + r'\\d' + R"x"`, '(_+_ (_+_ (_+_ (_+_ "a" "b") "c\'d") "\\\\d") "x")'],
  ['escapes', "'\\x41\\u00e9\\101\\n'", '"AéA\\n"'],
  ['bytes are UTF-8, escapes are bytes', "[b'é', b'\\xff', br'\\d']", '[b:195,169 b:255 b:92,100]'],
  ['a string may follow a name without a space', "x in['a']", '(@in x ["a"])'],
  ['optional selections', 'a.?b.c[?0][d]', '([] ([?] (. (.? a b) c) 0) d)'],
  ['optional entries', "[?a, b, ?(c)] == {?'k': v, 'l': w}", '(_==_ [?a b ?c] {?"k":v "l":w})'],
  ['a nested optional entry is its own', '[?[?a], [b]]', '[?[?a] [b]]'],
  ['back-quoted fields', 'a.`x.y/z-1`.?`b c`', '(.? (. a x.y/z-1) b c)'],
  ['names that JavaScript knows', 'a.__proto__.constructor.prototype', '(. (. (. a __proto__) constructor) prototype)'],
  ['reserved words are fields', 'x.namespace.for.while', '(. (. (. x namespace) for) while)'],
  ['a leading dot', '.a.b', '(. .a b)'],
  ['empty list and map with a comma', '[[,], {,}, [1,], {1: 2,}]', '[[] {} [1] {1:2}]'],
  ['comments and line breaks', 'a // b "\n + c', '(_+_ a c)'],
  ['calls', 'f() + a.g(1, h(2))', '(_+_ (f) (g a: 1 (h 2)))'],
  ['has', 'has(a.b.c)', '(has (. a b) c)'],
  ['loops', '[1].map(x, x > 0, x).filter(y, true)', '(filter y (list x [1] if (_>_ x 0) x) true)'],
  ['loops with two names', 'm.transformMap(k, v, v)', '(map k,v m v)'],
  ['bind and optMap', 'cel.bind(x, 1, a.?b.optMap(y, y + x))', '(bind x 1 (optMap y (.? a b) (_+_ y x)))'],
  ['a method that is no macro', 'a.map()', '(map a:)'],
];

for (const [title, expression, tree] of trees) {
  test(title, async (t) => {
    const { ast, issues } = parse(expression);
    t.equal(ast === undefined ? JSON.stringify(issues) : show(ast), tree);
  });
}

const errors: readonly (readonly [expression: string, kind: string, start: number, end: number])[] = [
  ['', 'syntax', 0, 0],
  ['1 +', 'syntax', 3, 3],
  ['(1', 'syntax', 0, 1],
  ['1)', 'syntax', 1, 2],
  ["a + 'b", 'syntax', 4, 6],
  ["'\\q'", 'syntax', 1, 3],
  ["a + '\\ud800'", 'syntax', 5, 11],
  ["b'\\u0041'", 'syntax', 2, 8],
  ['9223372036854775808', 'syntax', 0, 19],
  ['-(9223372036854775808)', 'syntax', 2, 21],
  ['18446744073709551616u', 'syntax', 0, 21],
  ['1 + for', 'syntax', 4, 7],
  ['f(1,)', 'syntax', 3, 4],
  ['!-a', 'syntax', 1, 2],
  ['a ? b ? 1 : 2 : 3', 'syntax', 6, 7],
  ['[?]', 'syntax', 1, 2],
  ['a.`b', 'syntax', 2, 4],
  ['a.`b`c', 'syntax', 5, 6],
  ['a..b', 'syntax', 2, 3],
  ['a.?.b', 'syntax', 3, 4],
  ['{}..a', 'syntax', 3, 4],
  ['0X1F', 'syntax', 0, 4],
  ['a.B{}', 'undeclared', 0, 3],
  ['a.B{c: 1, ?d: [1].map(x, x)}.c', 'undeclared', 0, 3],
  ['B{a: C{}}', 'undeclared', 0, 1],
  ['B{1: 2}', 'syntax', 2, 3],
  ['B{a: 1, 2: 3}', 'syntax', 8, 9],
  ['B{a.b: 1}', 'syntax', 3, 4],
  ['B{a: 1', 'syntax', 1, 2],
  ['B{} +', 'syntax', 5, 5],
  ['(a).B{}', 'syntax', 5, 6],
  ['!-1u', 'syntax', 1, 2],
  ['!--1', 'syntax', 1, 2],
  ['true!!', 'syntax', 4, 5],
  ['a !! b', 'syntax', 2, 3],
  [`''"a"''`, 'syntax', 2, 5],
  [`'a'"b"`, 'syntax', 3, 6],
  [`b'a'b'b'`, 'syntax', 4, 8],
  [`'a' 'b'`, 'syntax', 4, 7],
  ['[1].map(2, has(a))', 'argument', 8, 9],
  ['has(a)', 'argument', 4, 5],
  ['[1].map(2, x)', 'argument', 8, 9],
  ['cel.bind(a.b, 1, 2)', 'argument', 9, 12],
  ['[1].all(x, x, true)', 'argument', 11, 12],
  ['math.greatest()', 'argument', 0, 15],
  ["{'a': 1}.sortBy(k, k)", 'argument', 0, 8],
  ["'abc'.sortBy(c, c)", 'argument', 0, 5],
  ['[1].map(__result__, 1)', 'argument', 8, 18],
  ['[1].sortBy(__result__, 1)', 'argument', 11, 21],
];

for (const [expression, kind, start, end] of errors) {
  test(`${expression || 'nothing'} is an error of kind ${kind} at its place`, async (t) => {
    const [issue] = parse(expression).issues ?? [];
    t.strictSame([issue?.kind, issue?.span], [kind, { start, end }]);
  });
}

test('every node has its range in the text', async (t) => {
  const text = " a.b + 'é' == f( x )[0] ";
  const { ast } = parse(text);
  const ranges: string[] = [];
  const walk = (node: Ast): void => {
    ranges.push(text.slice(startOf(node.span), endOf(node.span)));
    if (node.kind === 'call') [...(node.target === undefined ? [] : [node.target]), ...node.args].forEach(walk);
    if (node.kind === 'index') [node.operand, node.index].forEach(walk);
    if (node.kind === 'select') walk(node.operand);
  };
  if (ast !== undefined) walk(ast);
  t.strictSame(ranges, ["a.b + 'é' == f( x )[0]", "a.b + 'é'", 'a.b', 'a', "'é'", 'f( x )[0]', 'f( x )', 'x', '0']);
});

const limits: readonly (readonly [title: string, expression: string, fits: boolean])[] = [
  ['249 parentheses', `${'('.repeat(249)}1${')'.repeat(249)}`, true],
  ['250 parentheses', `${'('.repeat(250)}1${')'.repeat(250)}`, false],
  ['249 lists', `${'['.repeat(249)}1${']'.repeat(249)}`, true],
  ['250 macros', `${'[1].map(x, '.repeat(250)}1${')'.repeat(250)}`, false],
  ['249 conditionals', `${'true ? 1 : '.repeat(249)}1`, true],
  ['250 conditionals', `${'true ? 1 : '.repeat(250)}1`, false],
  ['a sum of 251 terms', Array(251).fill('1').join(' + '), true],
  ['a sum of 252 terms', Array(252).fill('1').join(' + '), false],
  ['3,000 conjuncts', Array(3000).fill('a').join('&&'), true],
  ['10,000 negations', `${'!'.repeat(10_000)}a`, true],
  ['8,000 selections', `a${'.b'.repeat(8000)}`, false],
  ['16 KiB', `'${'a'.repeat(16 * 1024 - 2)}'`, true],
  ['more than 16 KiB', `'${'a'.repeat(16 * 1024)}'`, false],
];

for (const [title, expression, fits] of limits) {
  test(`${title} ${fits ? 'parse' : 'are too many'}`, async (t) => {
    const { issues } = parse(expression);
    t.strictSame(
      issues?.map((issue) => issue.kind),
      fits ? undefined : ['limit'],
    );
  });
}

test('any text parses or gives an issue with a range in the text', async (t) => {
  const pieces = [
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '?',
    ':',
    ',',
    '.',
    '`a`',
    "'",
    '"',
    "'''",
    '\\',
    'a',
    'for',
    'b',
    'r',
    '1',
    '.5',
    '0x',
    '1e',
    'u',
    '-',
    '!',
    '&&',
    '||',
    '==',
    '<',
    'in',
    '//',
    '\n',
    'has(',
    '.map(x,',
    'cel.bind(',
    '😀',
    '\u0000',
    '$',
  ];
  let seed = 7;
  const next = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: 1 + next(14) }, () => pieces[next(pieces.length)]).join(next(3) === 0 ? ' ' : '');
    const { ast, issues } = parse(text);
    const spans = ast === undefined ? (issues ?? []).map((issue) => issue.span) : [spanOf(ast.span)];
    if (spans.length === 0 || spans.some(({ start, end }) => start < 0 || end < start || end > text.length))
      t.fail(JSON.stringify({ text, spans }));
  }
  t.pass();
});

const paths = [
  ...['a', 'a.b.c', 'cfg.value', '_a1._b.C9', 'x.package.while', '__proto__.prototype', 'constructor.__proto__', 'int', 'list.size.map'],
  ...['package', 'while.x', 'true', 'a.true', 'a.in', 'null.x', 'in.a', 'a.', 'a..b', '1.a', 'a.1', 'a b', `a${'.a'.repeat(98)}`],
  ...[`a${'.a'.repeat(120)}`, `a${'.a'.repeat(400)}`],
];

/** A blank at the end leaves a plain path to the parser. */
for (const path of paths) {
  test(`"${path.slice(0, 30)}" reads alike as a plain path and by the parser`, (t) => {
    const [plain, parsed] = [parse(path), parse(`${path} `)];
    t.equal(plain.ast === undefined, parsed.ast === undefined);
    if (parsed.ast !== undefined) t.strictSame(plain, parsed);
    t.end();
  });
}
