import t from 'tap';
import { parse as parseYaml } from 'yaml';
import { check } from '../../src/cel/check.ts';
import { Environment } from '../../src/cel/environment.ts';
import { parse } from '../../src/cel/parse.ts';
import { intType, listType, stringType, type Type } from '../../src/cel/type.ts';
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../../src/diagnostic/path.ts';
import { reportExpressionMisfits } from '../../src/schema/fits-expression.ts';
import { inlineSchema, type OpenApiSchema } from '../../src/schema/openapi.ts';
import { testSchema } from '../support/schemas.ts';

const environment = Environment.standard().with(
  new Map<string, Type>([
    ['text', stringType],
    ['count', intType],
    ['texts', listType(stringType)],
  ]),
);
const containers = testSchema('v1', 'Pod', 'spec', 'containers');
const custom = inlineSchema(
  parseYaml(
    '{type: object, properties: {level: {type: string, enum: [low, high]}, percent: {type: integer, maximum: 100}, name: {type: string}}}',
  ),
  'Custom',
);

function findings(expression: string, schema: OpenApiSchema): string[] {
  const parsed = parse(expression);
  if (parsed.ast === undefined) throw new Error(`${expression} does not parse`);
  const { checked } = check(parsed.ast, environment);
  if (checked === undefined) throw new Error(`${expression} has mistakes`);
  const found: Diagnostic[] = [];
  reportExpressionMisfits(checked, schema, { path: FieldPath.of('f'), expression }, (diagnostic) => found.push(diagnostic));
  return found.map(
    ({ code, message, span }) => `${code}${span === undefined ? '' : ` ${expression.slice(span.start, span.end)}`}: ${message}`,
  );
}

const rows: [title: string, expression: string, schema: OpenApiSchema, expected: string[]][] = [
  ['a map literal that fits', "{'level': 'low', 'percent': count, 'name': text}", custom, []],
  ['a field that is unknown', "{'nam': text}", custom, [`field/unknown-in-value 'nam': Custom has no field "nam"`]],
  ['a field of another type', "{'percent': text}", custom, ['field/type-mismatch text: "percent": expected int, found string']],
  ['an enum, where the value is literal', "{'level': 'hihg'}", custom, ['field/enum \'hihg\': "hihg" is not one of "low", "high"']],
  ['both branches', "{'level': count > 1 ? 'low' : 'lo'}", custom, ['field/enum \'lo\': "lo" is not one of "low", "high"']],
  ['a bound', "{'percent': 101}", custom, ['field/bounds 101: the number must be at most 100, found 101']],
  ['a whole literal', "'lo'", testLevel(), ['field/enum: "lo" is not one of "low", "high"']],
  ['keys that are computed', '{text: text}', custom, []],
  [
    'optional entries',
    "{?'name': optional.of(text), ?'percent': optional.of(text)}",
    custom,
    ['field/type-mismatch optional.of(text): "percent": expected int, found string'],
  ],
  ['elements', "[{'name': 'a'}, {'nam': 'b'}]", containers, [`field/unknown-in-value 'nam': "[]": core.v1.Container has no field "nam"`]],
  [
    'what a loop makes',
    "texts.map(x, {'name': x, 'image': count})",
    containers,
    ['field/type-mismatch count: "[].image": expected string, found int'],
  ],
  [
    'behind a bind',
    "cel.bind(x, text, {'name': x, 'imag': x})",
    testSchema('v1', 'Pod', 'spec', 'containers', 0),
    [`field/unknown-in-value 'imag': core.v1.Container has no field "imag"`],
  ],
  [
    'nested',
    "[{'name': 'a', 'ports': [{'containerPort': '80'}]}]",
    containers,
    ['field/type-mismatch \'80\': "[].ports[].containerPort": expected int, found string'],
  ],
  [
    'a map where a list belongs',
    "{'name': 'a'}",
    containers,
    ['field/type-mismatch: expected list(core.v1.Container), found map(string, string)'],
  ],
];

function testLevel(): OpenApiSchema {
  const level = custom.property('level');
  if (level === undefined) throw new Error('Custom has a level');
  return level;
}

t.test('parts of an expression', async (t) => {
  for (const [title, expression, schema, expected] of rows) t.same(findings(expression, schema), expected, title);
});
