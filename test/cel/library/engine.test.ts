import { rows } from './table.ts';

// Each row was compared with cel-go 0.31 and the libraries of Kubernetes.

rows('a value of an opaque type equals its like or null only, as an operand of ==', [
  ["dyn(quantity('1')) == 1", { fails: 'overload' }],
  ["dyn(ip('1.2.3.4')) == dyn('1.2.3.4')", { fails: 'overload' }],
  ["dyn(cidr('10.0.0.0/8')) == dyn(ip('10.0.0.0'))", { fails: 'overload' }],
  ["dyn(url('https://a')) == dyn('https://a')", { fails: 'overload' }],
  ["dyn(semver('1.2.3')) == dyn([])", { fails: 'overload' }],
  ['dyn(format.uuid()) == dyn(1)', { fails: 'overload' }],
  ["optional.of(dyn(quantity('1'))) == optional.of(dyn(1))", { fails: 'overload' }],
  // The right side as written, which is a case of its own.
  ["dyn(ip('1.2.3.4')) == '1.2.3.4'", { fails: 'overload' }],
  ["dyn(quantity('1')) == true", { fails: 'overload' }],
  ["optional.of(dyn(quantity('1'))) == optional.of('1')", { fails: 'overload' }],
  ["1 == dyn(quantity('1'))", 'false'],
  ["'1.2.3.4' == dyn(ip('1.2.3.4'))", 'false'],
  ["dyn(quantity('1')) != 1", 'true'],
  ["dyn(quantity('1')) == null", 'false'],
  ["null == dyn(quantity('1'))", 'false'],
  ["quantity('1') == null", 'false'],
  ["dyn(quantity('1')) == quantity('1000m')", 'true'],
  ["dyn(quantity('1')) in [dyn(1)]", 'false'],
  ["[dyn(quantity('1')), 1].indexOf(1)", '1'],
]);

rows('omit() is equal to nothing, and no operand of ==', [
  ['omit() == 1', { fails: 'argument' }],
  ['omit() == omit()', { fails: 'argument' }],
  ['optional.of(omit()) == optional.of(1)', { fails: 'argument' }],
  ["omit() == 'a'", { fails: 'argument' }],
  ['1 == omit()', 'false'],
  ['omit() == null', 'false'],
  ['omit() != 1', 'true'],
  ['omit() in [1, omit()]', 'false'],
  ['[omit(), 1].indexOf(1)', '1'],
  ['[omit(), omit()].distinct().size()', '2'],
]);

rows('NaN has no order, to whatever it is compared', [
  ["dyn(0.0/0.0) < dyn('a')", 'false'],
  ['dyn(0.0/0.0) >= dyn(null)', 'false'],
  ['dyn(true) < dyn(0.0/0.0)', 'false'],
  ['dyn(timestamp(0)) > dyn(0.0/0.0)', 'false'],
  ["dyn(duration('1s')) <= dyn(0.0/0.0)", 'false'],
  ['dyn(null) < dyn(0.0/0.0)', { fails: 'overload' }],
]);

rows('numbers of different types are compared inside macros, and nowhere else without dyn', [
  ['[1.5, 0.5].filter(x, x > 1)', '[1.5]'],
  ['[1].all(x, x < 1.5 && x >= 1u)', 'true'],
  ['cel.bind(x, 1.5, x > 1)', 'true'],
  ['optional.of(1.5).optMap(x, x > 1)', 'optional.of(true)'],
  ['[3, 1].sortBy(x, x > 1.5)', '[1, 3]'],
  ['[1].map(x, [x].exists(y, y < 1.5))', '[true]'],
  ['[1.5 > 1].map(x, x)', { check: 'overload' }],
  ['1.5 > 1', { check: 'overload' }],
  ['[1.5].filter(x, x == 1)', { check: 'overload' }],
  ['[1.5].map(x, x + 1)', { check: 'overload' }],
  ['[1 < 2.5].indexOf([1].all(x, true))', '0'],
]);

rows('a timestamp as text keeps the offset that it was written with', [
  ["string(timestamp('2024-01-01T01:30:00+02:00'))", "'2024-01-01T01:30:00+02:00'"],
  ["string(timestamp('2024-01-01T01:30:00.100-07:30'))", "'2024-01-01T01:30:00.1-07:30'"],
  ["string(timestamp('2024-01-01T01:30:00+00:00'))", "'2024-01-01T01:30:00Z'"],
  ["string(timestamp('2024-01-01T23:30:00+02:00') + duration('1h'))", "'2024-01-02T00:30:00+02:00'"],
  ["string(timestamp('2024-01-01T01:30:00+02:00') - duration('2h'))", "'2023-12-31T23:30:00+02:00'"],
  ["string([timestamp('2024-01-01T01:30:00+02:00')].max())", "'2024-01-01T01:30:00+02:00'"],
  ["json.encode(timestamp('2024-01-01T01:30:00+02:00'))", '\'"2024-01-01T01:30:00+02:00"\''],
  ["'%s'.format([timestamp('2024-01-01T01:30:00+02:00')])", "'2023-12-31T23:30:00Z'"],
  ["timestamp('2024-01-01T01:30:00+02:00').getHours()", '23'],
  ["timestamp('2024-01-01T01:30:00+02:00') == timestamp('2023-12-31T23:30:00Z')", 'true'],
  ["timestamp('2024-01-01T00:00:00Z') - duration('-2562047h47m16.854775808s')", { fails: 'overflow' }],
]);

rows('a duration as text is a double of seconds', [
  ["string(duration('1234567890.123456789s'))", "'1234567890.1234567s'"],
  ["string(duration('2562047h47m16.854775807s'))", "'9223372036.854776s'"],
  ["string(duration('0.123456789s'))", "'0.123456789s'"],
  ["string(duration('1ns'))", "'0.000000001s'"],
  ["string(duration('-90s'))", "'-90s'"],
  ["json.encode(duration('1234567890.123456789s'))", '\'"1234567890.1234567s"\''],
  ["'%s'.format([duration('1234567890.123456789s')])", "'1234567890.1234567s'"],
]);

rows('a double is read as Go reads it, with underscores between its digits', [
  ["double('1_0')", '10.0'],
  ["double('1_000.2_5e1_0')", '1000.25e10'],
  ["double('0x1_0p4')", '256.0'],
  ["double('0x_1p4')", '16.0'],
  ["double('1__0')", { fails: 'conversion' }],
  ["double('_1')", { fails: 'conversion' }],
  ["double('1_')", { fails: 'conversion' }],
  ["double('1e_5')", { fails: 'conversion' }],
  ["double('1_.5')", { fails: 'conversion' }],
  ["int('1_0')", { fails: 'conversion' }],
]);

rows('null is a value that an optional may have', [
  ['optional.of(dyn(null)).orValue(2)', 'dyn(null)'],
  ['optional.of(null).or(optional.of(timestamp(0))).value()', 'null'],
  ["dyn({'a': null}).?a.orValue(1)", 'null'],
  ['optional.ofNonZeroValue(optional.none()).hasValue()', 'true'],
  ["optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z')).hasValue()", 'false'],
  ['optional.ofNonZeroValue(timestamp(0)).hasValue()', 'true'],
]);

rows('an optional entry is optional', [
  ["{?'p': null}", { check: 'overload' }],
  ['[?null]', { check: 'overload' }],
  ["'%s'.format([?optional.of('a')])", { check: 'argument' }],
  ["'%s %d'.format([?optional.of('a'), 1])", { check: 'argument' }],
  ["'%s'.format([?dyn(optional.of('a'))])", "'a'"],
]);

rows('an optional entry without a value removes the entry before it', [
  ["{'a': 1, ?'a': optional.none()}", '{}'],
  ["{?'a': optional.none(), 'a': 1}", "{'a': 1}"],
  ["{'a': 1, ?'a': optional.of(2)}", { fails: 'duplicate' }],
]);

rows('a value that came as dyn stays what it is, whatever its uses have it taken for', [
  ['dl.distinct()[0] + dl.distinct()[1]', '4'],
  ['dl.distinct().map(x, -x)', '[-3, -1, -2]'],
  ['dl.distinct().map(x, x - x)', '[0, 0, 0]'],
  ["['a', 'b'].map(x, dyn(x)).distinct().map(x, x + x)", "['aa', 'bb']"],
  ["dyn(['x', 'yy']).distinct()[0] + dyn(['x', 'yy']).distinct()[1]", "'xyy'"],
  ["dyn(['x', 'y']).last().optMap(x, x + x)", "optional.of('yy')"],
  ["dyn({'a': 'x'}).merge({}).a + dyn({'a': 'x'}).merge({}).a", "'xx'"],
  ["dyn(['x', 'yy']).distinct().map(x, x.size())", '[1, 2]'],
  ["dyn(['x', [1, 2]]).distinct().map(x, size(x))", '[1, 2]'],
]);

rows('what it is taken for decides which function runs', [
  ['dyn([1.5, 2.5]).distinct().max()', { fails: 'overload' }],
  ['dyn([[1.5, 2.5]]).flatten().sum()', { fails: 'overload' }],
  ["dyn(['b', 'a']).distinct().isSorted()", { fails: 'overload' }],
  ["dyn(['x']).distinct().map(x, x.reverse())", { fails: 'overload' }],
  ['dl.distinct().map(x, math.abs(x))', { fails: 'overload' }],
  ['dl.distinct().max()', '3'],
  ["dyn(['b', 'a']).distinct().sort()", "['a', 'b']"],
]);

rows('an index is a string, bool or number, whatever it is an index of', [
  ["{'a': 1}[dyn(null)]", { fails: 'overload' }],
  ["{'a': 1}[?dyn(null)]", { fails: 'overload' }],
  ["{}[dyn(quantity('1'))]", { fails: 'overload' }],
  ['dl[?dyn(timestamp(0))]', { fails: 'overload' }],
  ["optional.of({'a': 1})[?dyn([])]", { fails: 'overload' }],
  ["dyn(1)[?'a']", 'optional.none()'],
  ['null[1]', { fails: 'overload' }],
]);

rows('a suffix alone is a quantity only where Kubernetes takes it for zero', [
  ["isQuantity('Ki')", 'true'],
  ["isQuantity('Pi')", 'false'],
  ["isQuantity('-Ei')", 'false'],
  ["isQuantity('0Ei')", 'true'],
  ["quantity('1.Gi').isInteger()", 'true'],
  ["quantity('1.0Gi').isInteger()", 'false'],
]);
