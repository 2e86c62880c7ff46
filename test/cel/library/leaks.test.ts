import { test } from 'tap';
import { evaluateCase } from '../../../src/cli/cel-case.ts';

const SECRET = 'hunter2(';

/** Calls that fail because of the secret itself. */
const FAILING: readonly string[] = [
  'secret.substring(99)',
  "secret.charAt(99) + ''",
  "(secret + '%d').format(['x'])",
  "'%d'.format([secret])",
  "'abc'.matches(secret)",
  "'abc'.find(secret)",
  "'abc'.findAll(secret)",
  '[secret, 1].join()',
  '[1, secret].sum()',
  '[1, secret].sort()',
  'base64.decode(secret)',
  'json.unmarshal(secret)',
  'json.marshal({1: secret})',
  "timestamp('2024-01-01T00:00:00Z').getHours(secret)",
  "timestamp('2024-01-01T00:00:00Z').getHours(secret + ':00')",
  'timestamp(secret)',
  'duration(secret)',
  'ip(secret)',
  'cidr(secret)',
  "cidr('10.0.0.0/8').containsIP(secret)",
  "cidr('10.0.0.0/8').containsCIDR(secret)",
  'url(secret)',
  'quantity(secret)',
  'semver(secret)',
  'math.greatest(secret, 1)',
  'secret.deepMerge({})',
];

test('no error shows a value of the input', async (t) => {
  for (const expr of FAILING) {
    const { error } = evaluateCase({ id: '', expr, vars: new Map([['secret', { schema: undefined, value: SECRET }]]) });
    t.equal(error?.phase, 'eval', expr);
    t.notMatch(JSON.stringify(error), 'hunter2', expr);
  }
});
