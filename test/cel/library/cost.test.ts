import { rows } from './table.ts';

// Without its cost each of these would run for seconds to minutes, and everything of the process would wait for it.

rows('few letters stand for many digits: quantities are charged for theirs', [
  ["cel.bind(a, quantity('1e9000'), lists.range(50000).all(i, a.compareTo(quantity('1')) > 0))", { fails: 'limit' }],
  ["cel.bind(a, quantity('1e9000'), lists.range(50000).all(i, a.add(1).isGreaterThan(a)))", { fails: 'limit' }],
  ["cel.bind(a, quantity('1e9000'), cel.bind(b, quantity('1'), lists.range(50000).all(i, a != b)))", { fails: 'limit' }],
  ["lists.range(50000).all(i, isQuantity('1e9000'))", { fails: 'limit' }],
  ["lists.range(50000).all(i, quantity('1Gi').compareTo(quantity('1Mi')) > 0)", 'true'],
  ["quantity('1e9000').isGreaterThan(quantity('1e8999'))", 'true'],
]);

rows('what is finer than 1n is rounded up, at no cost', [
  ["lists.range(50000).all(i, isQuantity('123456e-9000'))", 'true'],
  ["quantity('123456e-9000') == quantity('1n')", 'true'],
  ["quantity('1e-10') == quantity('1n')", 'true'],
  ["quantity('9999e-12') == quantity('10n')", 'true'],
  ["quantity('19999999999e-19') == quantity('2n')", 'true'],
  ["quantity('20000000001e-19') == quantity('3n')", 'true'],
  ["quantity('-1e-9000') == quantity('-1n')", 'true'],
]);

rows('reading a text costs more than its length', [
  ["lists.range(200000).all(i, duration('1s') == duration('1s'))", { fails: 'limit' }],
  ["lists.range(200000).all(i, timestamp('2024-01-01T00:00:00Z') == timestamp(0))", 'false'],
  ["lists.range(200000).all(i, semver('1.2.3').isLessThan(semver('1.2.4')))", { fails: 'limit' }],
  ["lists.range(200000).all(i, ip('::1') != ip('::2'))", { fails: 'limit' }],
  ["lists.range(20000).all(i, duration('1s') == duration('1s') && ip('::1') != ip('::2'))", 'true'],
]);

rows('a class of Unicode counts for as many instructions as its ranges take time', [
  [`'a'.matches('${'\\\\pL'.repeat(600)}')`, { check: 'argument' }],
  [`'a'.matches('${'[\\\\pL\\\\PN]'.repeat(300)}')`, { check: 'argument' }],
  [`dyn('a').matches(dyn('${'\\\\pL'.repeat(600)}'))`, { fails: 'argument' }],
  [`'${'a'.repeat(100)}'.matches('^${'\\\\pL'.repeat(100)}$')`, 'true'],
]);
