import { test } from 'tap';
import { Budget } from '../../src/cel/budget.ts';
import { check } from '../../src/cel/check.ts';
import { Environment } from '../../src/cel/environment.ts';
import { EvaluationError } from '../../src/cel/error.ts';
import { libraries } from '../../src/cel/library/index.ts';
import { parse } from '../../src/cel/parse.ts';
import { plan } from '../../src/cel/plan.ts';
import type { Type } from '../../src/cel/type.ts';
import { dynType } from '../../src/cel/type.ts';
import { toJson } from '../../src/runtime/to-json.ts';

/** Literals by type; the odd ones among them are where libraries break. */
const LITERALS: Readonly<Record<string, readonly string[]>> = {
  bool: ['true', 'false'],
  int: ['0', '1', '-1', '7', '100', '9223372036854775807', '-9223372036854775808', '9007199254740993', '1000001'],
  uint: ['0u', '1u', '64u', '18446744073709551615u'],
  double: ['0.0', '-0.0', '1.5', '1e308', '1e-320', '(0.0 / 0.0)', '(1.0 / 0.0)', '9007199254740993.0'],
  string: [
    "''",
    "'a'",
    "'a,b'",
    "'😀é'",
    "'%d%s%e%x'",
    "'(a+)+$'",
    "'['",
    "'1.2.3.4'",
    "'::1/64'",
    "'1.2.3'",
    "'500m'",
    '\'{"a": [1]}\'',
    "'2024-02-30T00:00:00Z'",
    "'1h'",
    "'http://a/?b'",
    "'\\x00'",
    "'UTC'",
    "'__proto__'",
  ],
  bytes: ["b''", "b'a'", "b'\\xff'"],
  null: ['null'],
  timestamp: ['timestamp(0)', "timestamp('9999-12-31T23:59:59.999999999Z')", "timestamp('0001-01-01T00:00:00Z')"],
  duration: ["duration('0s')", "duration('-2562047h')", "duration('1ns')"],
  list: ['[]', '[1, 2]', "['a', 'b']", "[1, 'a', null]", '[[1], [2, [3]]]', '[1.0, 2u, 1]', '[optional.none()]', '[timestamp(0)]'],
  map: ['{}', "{'a': 1}", "{1: 'a', true: [1]}", "{'__proto__': {'constructor': 1}}"],
  optional: ['optional.none()', 'optional.of(1)', 'optional.of([optional.none()])'],
  type: ['int', 'type(type(1))'],
  'kubernetes.Quantity': ["quantity('1Gi')", "quantity('-1e3')"],
  'kubernetes.Semver': ["semver('1.2.3-a.1+b')"],
  'kubernetes.URL': ["url('https://user:p@[::1]:80/a?b=c&b=d')"],
  'kubernetes.NamedFormat': ['format.uri()', 'format.date()'],
  'net.IP': ["ip('::ffff')", "ip('1.2.3.4')"],
  'net.CIDR': ["cidr('10.0.0.0/8')", "cidr('::/0')"],
};
const EVERY = Object.values(LITERALS).flat();

let seed = 20_261_130;
function next(below: number): number {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return seed % below;
}

function pick(from: readonly string[]): string {
  return from[next(from.length)] ?? 'null';
}

/** An argument for a parameter: mostly of its type, sometimes of any, often hidden behind dyn. */
function argument(type: Type, depth: number): string {
  if (depth > 0 && next(4) === 0) return call(depth - 1);
  const name = type.kind === 'opaque' ? type.name : type.kind;
  const text = next(6) === 0 ? pick(EVERY) : pick(LITERALS[name] ?? EVERY);
  return next(3) === 0 ? `dyn(${text})` : text;
}

const overloads = libraries.flatMap((library) => library.functions.flatMap((declared) => declared.overloads));

function call(depth: number): string {
  const overload = overloads[next(overloads.length)];
  if (overload === undefined) return 'null';
  const { name, receiver, parameters } = overload.signature;
  const args = parameters.map((parameter) => argument(parameter, depth));
  const [first = 'null', second = 'null'] = args;
  const operator = /^_(.{1,2})_$/.exec(name)?.[1];
  if (operator !== undefined && operator !== '?.') return `(${first} ${operator} ${second})`;
  if (name === '@in') return `(${first} in ${second})`;
  if (name === '-_' || name === '!_') return `${name[0]}(${first})`;
  if (name === '_[_]' || name === '_[?_]') return `(${first})[${name === '_[?_]' ? '?' : ''}${second}]`;
  if (name.includes('@') || name.startsWith('_')) return `[${first}].map(x, ${second})`;
  return receiver ? `(${first}).${name}(${args.slice(1).join(', ')})` : `${name}(${args.join(', ')})`;
}

test('any call of any function gives a value, an issue or an EvaluationError, soon', async (t) => {
  const environment = Environment.standard();
  let evaluated = 0;
  for (let round = 0; round < 20_000; round++) {
    const expression = call(2);
    const start = performance.now();
    try {
      const { ast } = parse(expression);
      const checked = ast === undefined ? undefined : check(ast, environment).checked;
      if (checked === undefined) continue;
      evaluated++;
      const budget = new Budget();
      toJson(
        plan(checked)(() => undefined, budget),
        dynType,
        budget,
      );
    } catch (error) {
      if (!(error instanceof EvaluationError)) t.fail(`${expression}: ${error instanceof Error ? error.stack : String(error)}`);
    }
    const taken = performance.now() - start;
    if (taken > 1000) t.fail(`${expression} takes ${taken.toFixed(0)} ms`);
  }
  t.ok(evaluated > 5000, `${evaluated} of them evaluate`);
});
