import t from 'tap';
import { isValueFree, readSchemaRefusal } from '../../src/kube/schema-refusal.ts';

const patch = 'failed to create typed patch object (n/w; apps/v1, Kind=Deployment): ';
const undeclared = 'field not declared in schema';
const keyless =
  'element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)';

const ROWS: readonly [title: string, text: string, expected: ReturnType<typeof readSchemaRefusal>][] = [
  [
    'a field that the schema does not have',
    `${patch}.spec.template.spec.containers[name="web"].nope: ${undeclared}`,
    {
      of: 'patch',
      causes: [{ type: 'FieldValueInvalid', field: '.spec.template.spec.containers[name="web"].nope', message: undeclared }],
    },
  ],
  [
    'several faults, a line each',
    `${patch}errors:\n  .spec.nope: ${undeclared}\n  .spec.env: duplicate entries for key [name="A"]\n  .spec.replicas: expected numeric (int or float), got string`,
    {
      of: 'patch',
      causes: [
        { type: 'FieldValueInvalid', field: '.spec.nope', message: undeclared },
        { type: 'FieldValueDuplicate', field: '.spec.env', message: 'duplicate entries for key [name="A"]' },
        { type: 'FieldValueTypeInvalid', field: '.spec.replicas', message: 'expected numeric (int or float), got string' },
      ],
    },
  ],
  [
    'a value of several lines is no fault more',
    `${patch}errors:\n  .spec.a: expected map, got x\n  .netrc: SECRET\nb: ${undeclared}\n  .spec.b: ${undeclared}`,
    {
      of: 'patch',
      causes: [
        { type: 'FieldValueTypeInvalid', field: '.spec.a', message: 'expected map, got x' },
        { type: 'FieldValueInvalid', field: '.spec.b', message: undeclared },
      ],
    },
  ],
  [
    'a value that looks like a fault stays in its text',
    `${patch}.spec.a: expected list, got .b: expected\nlist`,
    {
      of: 'patch',
      causes: [{ type: 'FieldValueTypeInvalid', field: '.spec.a', message: 'expected list, got .b: expected\nlist' }],
    },
  ],
  [
    'an item without its key',
    `${patch}.spec.env: ${keyless}`,
    { of: 'patch', causes: [{ type: 'FieldValueInvalid', field: '.spec.env', message: keyless }] },
  ],
  [
    'what is stored is not told, though a manifest be literal',
    'failed to create typed live object (/w; x.io/v1, Kind=W): .spec.size: expected numeric (int or float), got SECRET',
    { of: 'live', causes: [{ type: 'FieldValueTypeInvalid', field: '.spec.size', message: 'the live object does not fit the schema' }] },
  ],
  ['a kind whose schema is not known yet names no field', `${patch}no corresponding type for x.io/v1, Kind=W`, undefined],
  ['another internal error', 'etcdserver: leader changed', undefined],
];
for (const [title, text, expected] of ROWS) {
  t.test(title, async (t) => t.strictSame(readSchemaRefusal(text), expected));
}

t.test('texts that never hold a value', async (t) => {
  t.ok(isValueFree(undeclared));
  t.ok(isValueFree(keyless));
  t.notOk(isValueFree('duplicate entries for key [name="A"]'));
  t.notOk(isValueFree('expected string, got 5'));
  t.notOk(isValueFree(`${undeclared}\nSECRET`));
});
