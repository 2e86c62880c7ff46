import { rows } from './table.ts';

rows('an argument of another type does not fit', [
  ["''.charAt(1)", { fails: 'argument' }],
  ["'héllo'.charAt(1)", "'é'"],
  ["'a😀b'.charAt(1)", "'😀'"],
  ['strings.quote(1)', { check: 'overload' }],
  ["'a'.join('b')", { check: 'overload' }],
  ["'abc'.indexOf('b', '1')", { check: 'overload' }],
  ["'a'.replace('a')", { check: 'overload' }],
  ["'a'.split()", { check: 'overload' }],
  ["'a'.substring()", { check: 'overload' }],
  ["'a'.trim(1)", { check: 'overload' }],
  ["'x'.indexOf(dyn(1))", { fails: 'overload' }],
  ['dyn(1).trim()', { fails: 'overload' }],
  ['dyn(1).reverse()', { fails: 'overload' }],
  ["'a'.lowerAscii(1)", { check: 'overload' }],
]);

rows('what is only known at run time finds its overload then', [
  ['dyn([1]).reverse()', '[1]'],
  ["dyn('abc').reverse()", "'cba'"],
  ["ds.split('')", "['a', 'b', 'c']"],
  ['ds.charAt(di)', "''"],
  ['ds.charAt(dd)', { fails: 'overload' }],
  ['ds.substring(1, di)', "'bc'"],
]);

rows('charAt counts code points and is empty at the end', [
  ["'hello'.charAt(-1)", { fails: 'argument' }],
  ["'a😀b'.charAt(4)", { fails: 'argument' }],
  ["'hello'.charAt(9223372036854775807)", { fails: 'argument' }],
  ["'hello'.charAt(-9223372036854775808)", { fails: 'argument' }],
]);

rows('indexOf starts at a position and finds the empty text wherever it starts', [
  ["''.indexOf('')", '0'],
  ["''.indexOf('a')", '-1'],
  ["''.indexOf('', 5)", '0'],
  ["'abc'.indexOf('', 3)", '3'],
  ["'abc'.indexOf('', 4)", '3'],
  ["'abc'.indexOf('c', 3)", '-1'],
  ["'abc'.indexOf('c', 100)", '-1'],
  ["'abc'.indexOf('a', 9223372036854775807)", '-1'],
  ["'abc'.indexOf('', 9223372036854775807)", '3'],
  ["'abc'.indexOf('', -1)", { fails: 'argument' }],
  ["'abcabc'.indexOf('bc', 2)", '4'],
  ["'a😀b😀'.indexOf('😀', 2)", '3'],
  ["'a😀b😀'.indexOf('', 2)", '2'],
  ["'a😀b😀'.indexOf('b')", '2'],
]);

rows('lastIndexOf searches backwards and finds nothing from beyond the end', [
  ["'abc'.lastIndexOf('', 3)", '3'],
  ["'abc'.lastIndexOf('', 4)", '3'],
  ["'abc'.lastIndexOf('', 0)", '0'],
  ["'abc'.lastIndexOf('a', 3)", '-1'],
  ["'abc'.lastIndexOf('a', 2)", '0'],
  ["'abc'.lastIndexOf('c', 2)", '2'],
  ["'abc'.lastIndexOf('bc', 2)", '1'],
  ["'abc'.lastIndexOf('bc', 1)", '1'],
  ["'abc'.lastIndexOf('abcd', 1)", '-1'],
  ["'abc'.lastIndexOf('a', 9223372036854775807)", '-1'],
  ["''.lastIndexOf('')", '0'],
  ["''.lastIndexOf('', 0)", '0'],
  ["''.lastIndexOf('a', 0)", '-1'],
  ["''.lastIndexOf('a')", '-1'],
  ["'éé'.lastIndexOf('éé')", '0'],
  ["'é'.lastIndexOf('ab')", '-1'],
  ["'ab'.lastIndexOf('é')", '-1'],
  ["'a😀b😀'.lastIndexOf('😀', 2)", '1'],
  ["'a😀b😀'.lastIndexOf('b', 2)", '2'],
  ["'a😀b😀'.lastIndexOf('', 2)", '2'],
  ["'a😀b😀'.lastIndexOf('😀', 3)", '3'],
  ["'a😀b😀'.lastIndexOf('😀', 4)", '-1'],
]);

rows('only the letters of ASCII change their case', [
  ["'ÀB'.lowerAscii()", "'Àb'"],
  ["'àb'.upperAscii()", "'àB'"],
  ["'İ'.lowerAscii()", "'İ'"],
  ["'ß'.upperAscii()", "'ß'"],
]);

rows('replace goes from the left, and between all characters for the empty text', [
  ["'hello'.replace('', '')", "'hello'"],
  ["'hello'.replace('', '_')", "'_h_e_l_l_o_'"],
  ["'hello'.replace('', '_', 5)", "'_h_e_l_l_o'"],
  ["'hello'.replace('', '_', 6)", "'_h_e_l_l_o_'"],
  ["'hello'.replace('', '_', 7)", "'_h_e_l_l_o_'"],
  ["'hello'.replace('', '_', 1)", "'_hello'"],
  ["'😀é'.replace('', '_', 2)", "'_😀_é'"],
  ["'😀é'.replace('', '_', 3)", "'_😀_é_'"],
  ["''.replace('', 'x', 0)", "''"],
  ["''.replace('', 'x', 5)", "'x'"],
  ["''.replace('a', 'x')", "''"],
  ["'aaa'.replace('aa', 'b')", "'ba'"],
  ["'aaaa'.replace('aa', 'b', 1)", "'baa'"],
  ["'hello'.replace('l', '$1')", "'he$1$1o'"],
  ["'hello'.replace('l', '')", "'heo'"],
  ["'hello'.replace('hello', '')", "''"],
  ["'hello'.replace('l', 'LL', 9223372036854775807)", "'heLLLLo'"],
  ["'hello'.replace('l', 'LL', -9223372036854775808)", "'heLLLLo'"],
]);

rows('split keeps empty pieces and puts the rest into the last of a limited number', [
  ["''.split(',')", "['']"],
  ["''.split(',', 1)", "['']"],
  ["''.split('', 1)", '[]'],
  ["''.split('', 0)", '[]'],
  ["'a'.split('', 1)", "['a']"],
  ["'abc'.split('', 3)", "['a', 'b', 'c']"],
  ["'abc'.split('', 4)", "['a', 'b', 'c']"],
  ["'abc'.split('', -1)", "['a', 'b', 'c']"],
  ["'a😀b'.split('')", "['a', '😀', 'b']"],
  ["'a😀b'.split('', 2)", "['a', '😀b']"],
  ["'a,b,'.split(',')", "['a', 'b', '']"],
  ["',a'.split(',')", "['', 'a']"],
  ["'aXXbXXc'.split('XX', 2)", "['a', 'bXXc']"],
  ["'aaa'.split('aa')", "['', 'a']"],
  ["'a,b,c'.split(',', 1)", "['a,b,c']"],
  ["'a,b,c'.split(',', 3)", "['a', 'b', 'c']"],
  ["'a,b,c'.split(',', 9223372036854775807)", "['a', 'b', 'c']"],
]);

rows('a substring lies within the text', [
  ["'tacocat'.substring(7)", "''"],
  ["'tacocat'.substring(7, 7)", "''"],
  ["'tacocat'.substring(3, 3)", "''"],
  ["'tacocat'.substring(-1, 3)", { fails: 'argument' }],
  ["'tacocat'.substring(0, -1)", { fails: 'argument' }],
  ["'tacocat'.substring(8, 9)", { fails: 'argument' }],
  ["'a😀b'.substring(1, 2)", "'😀'"],
  ["'a😀b'.substring(3)", "''"],
  ["'a😀b'.substring(4)", { fails: 'argument' }],
  ["'tacocat'.substring(9223372036854775807)", { fails: 'argument' }],
]);

rows('trim takes off what Go holds for white space', [
  ["'\\ufeffa\\ufeff'.trim()", "'\\ufeffa\\ufeff'"],
  ["'\\u200ba\\u200b'.trim()", "'\\u200ba\\u200b'"],
  ["'\\u180ea'.trim()", "'᠎a'"],
  ["'\\u1680a\\u205f'.trim()", "'a'"],
  ["'\\u2028a\\u2029'.trim()", "'a'"],
  ["'\\x1fa'.trim()", "'\\x1fa'"],
  ["'\\v\\fa'.trim()", "'a'"],
  ["''.trim()", "''"],
  ["'a b'.trim()", "'a b'"],
]);

rows('reverse turns code points around', [
  ["'a😀b'.reverse()", "'b😀a'"],
  ["'e\\u0301'.reverse()", "'\\u0301e'"],
]);

rows('join puts the separator between the items', [
  ['[].join()', "''"],
  ["[].join('x')", "''"],
  ["['a', '', 'b'].join(',')", "'a,,b'"],
  ["['a'].join('')", "'a'"],
  ["[dyn('a'), dyn(1)].join()", { fails: 'overload' }],
]);

rows("quote escapes what Go's quoted text may not hold", [
  ["strings.quote('')", '\'""\''],
  ["strings.quote('\\x07\\x08\\x0c\\x0a\\x0d\\x09\\x0b\\\\\"\\'')", '\'"\\\\a\\\\b\\\\f\\\\n\\\\r\\\\t\\\\v\\\\\\\\\\\\"\\\'"\''],
  ["strings.quote('\\x7f\\u0085\\u2028')", '\'"\\x7f\\u0085\\u2028"\''],
  ["strings.quote('`')", '\'"`"\''],
]);

rows('every text contains, begins and ends with the empty text', [
  ["'abc'.contains('')", 'true'],
  ["''.contains('')", 'true'],
  ["''.startsWith('')", 'true'],
  ["''.endsWith('a')", 'false'],
  ["'😀'.startsWith('\\ud83d')", { check: 'syntax' }],
]);
