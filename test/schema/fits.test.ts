import t from 'tap';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  errorType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  stringType,
  structType,
  type Type,
  timestampType,
  uintType,
} from '../../src/cel/type.ts';
import { celTypeOf } from '../../src/schema/cel-type.ts';
import { misfits } from '../../src/schema/fits.ts';
import { inlineSchema, type OpenApiSchema, type RawSchema } from '../../src/schema/openapi.ts';
import { testSchema } from '../support/schemas.ts';

const of = (raw: RawSchema): OpenApiSchema => inlineSchema(raw, 'x');
const text = of({ type: 'string' });
const integer = of({ type: 'integer' });
const intOrString = of({ 'x-kubernetes-int-or-string': true });
const bytes = of({ type: 'string', format: 'byte' });
const time = of({ type: 'string', format: 'date-time' });
const object = of({ type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } } });
const deployment = (...path: (string | number)[]): OpenApiSchema => testSchema('apps/v1', 'Deployment', ...path);
const pod = (...path: (string | number)[]): OpenApiSchema => testSchema('v1', 'Pod', ...path);

const fitting: [string, Type, OpenApiSchema][] = [
  ['a scalar fits its own type', stringType, text],
  ['dyn fits everything', dynType, integer],
  ['what has been reported fits everything', errorType, integer],
  ['null fits everything', nullType, object],
  ['an int fits an integer', intType, integer],
  ['a uint fits an integer', uintType, integer],
  ['an int fits a number', intType, of({ type: 'number' })],
  ['a double fits a number', doubleType, of({ type: 'number', format: 'float' })],
  ['an int fits int-or-string', intType, intOrString],
  ['a string fits int-or-string', stringType, intOrString],
  ['an int-or-string of a standard kind is one too', stringType, testSchema('v1', 'Service', 'spec', 'ports', 0, 'targetPort')],
  ['a double fits a quantity', doubleType, pod('spec', 'containers', 0, 'resources', 'limits', 'cpu')],
  ['a string fits a quantity', stringType, pod('spec', 'containers', 0, 'resources', 'limits', 'cpu')],
  ['bytes fit a byte field', bytesType, bytes],
  ['the data of a Secret are bytes', mapType(stringType, bytesType), testSchema('v1', 'Secret', 'data')],
  ['a timestamp fits a date-time', timestampType, time],
  ['a timestamp fits a date', timestampType, of({ type: 'string', format: 'date' })],
  ['a duration fits a duration', durationType, of({ type: 'string', format: 'duration' })],
  ['a string fits a format of strings', stringType, of({ type: 'string', format: 'ipv4' })],
  ['an optional string fits a string', optionalType(stringType), text],
  ['optionals fit inside', listType(optionalType(intType)), of({ type: 'array', items: { type: 'integer' } })],
  ['a list fits by element', listType(stringType), deployment('spec', 'template', 'spec', 'containers', 0, 'args')],
  ['a list of dyn fits', listType(dynType), of({ type: 'array', items: { type: 'integer' } })],
  ['a map fits a map', mapType(stringType, stringType), pod('metadata', 'labels')],
  ['a map whose keys are dyn fits a map', mapType(dynType, stringType), pod('metadata', 'labels')],
  ['a map fits a struct if a field takes its values', mapType(stringType, stringType), object],
  ['a map of dyn fits a struct', mapType(stringType, dynType), object],
  ['a struct fits a struct that has its fields', structType('d', { name: stringType, port: intType }), object],
  ['a struct fits a map by its values', structType('d', { a: stringType }), pod('metadata', 'labels')],
  [
    'a recursive kind fits itself',
    celTypeOf(testSchema('apiextensions.k8s.io/v1', 'CustomResourceDefinition')),
    testSchema('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
  ],
  ['a spec read from one kind fits the same spec in another', celTypeOf(pod('spec')), deployment('spec', 'template', 'spec')],
  ['anything fits a schema without type', structType('d', { a: listType(timestampType) }), of({})],
  ['any object fits an object without declared fields', structType('d', { a: intType }), of({ type: 'object' })],
  [
    'unknown fields fit where they are preserved',
    structType('d', { a: intType }),
    of({ type: 'object', properties: { b: {} }, 'x-kubernetes-preserve-unknown-fields': true }),
  ],
];

t.test('fits', async (t) => {
  for (const [title, type, schema] of fitting) t.same(misfits(type, schema), [], title);
});

type Expected = Partial<ReturnType<typeof misfits>[number]>;
const misfitting: [string, Type, OpenApiSchema, Expected[]][] = [
  ['a string is no int', stringType, integer, [{ at: '', found: 'string', expected: 'int', hint: 'convert with int(...)' }]],
  [
    'a double is no integer',
    doubleType,
    deployment('spec', 'replicas'),
    [{ found: 'double', expected: 'int', hint: 'convert with int(...)' }],
  ],
  ['an int is no string', intType, text, [{ found: 'int', expected: 'string', hint: 'convert with string(...)' }]],
  ['an int is no bool', intType, of({ type: 'boolean' }), [{ found: 'int', expected: 'bool' }]],
  ['a bool is no int-or-string', boolType, intOrString, [{ found: 'bool', expected: 'int or string' }]],
  ['a double is no int-or-string', doubleType, intOrString, [{ found: 'double', expected: 'int or string' }]],
  [
    'bytes are no string',
    bytesType,
    text,
    [{ found: 'bytes', expected: 'string', hint: 'convert with string(...) or base64.encode(...)' }],
  ],
  [
    'bytes do not fit an untyped field',
    bytesType,
    of({}),
    [{ found: 'bytes', expected: 'a JSON value', hint: 'convert with string(...) or base64.encode(...)' }],
  ],
  ['bytes do not fit below a free-form object', mapType(stringType, bytesType), of({ type: 'object' }), [{ at: '[*]', found: 'bytes' }]],
  [
    'a string is no bytes',
    stringType,
    bytes,
    [{ found: 'string', expected: 'bytes', hint: 'convert with bytes(...), or base64.decode(...) if it is encoded' }],
  ],
  [
    'a string is no date-time',
    stringType,
    time,
    [{ found: 'string', expected: 'google.protobuf.Timestamp', hint: 'convert with timestamp(...)' }],
  ],
  [
    'a timestamp is no string',
    timestampType,
    text,
    [{ found: 'google.protobuf.Timestamp', expected: 'string', hint: 'convert with string(...)' }],
  ],
  ['an opaque value is no JSON', opaqueType('net.IP'), of({}), [{ found: 'net.IP', expected: 'a JSON value' }]],
  ['an optional int is no string', optionalType(intType), text, [{ found: 'int', expected: 'string' }]],
  [
    'a list of ints is no list of strings',
    listType(intType),
    deployment('spec', 'template', 'spec', 'containers', 0, 'args'),
    [{ at: '[]', found: 'int', expected: 'string' }],
  ],
  [
    'a string is no list of strings',
    stringType,
    deployment('spec', 'template', 'spec', 'containers', 0, 'args'),
    [{ expected: 'list(string)', hint: 'write it as a list: [...]' }],
  ],
  [
    'a map of ints is no map of strings',
    mapType(stringType, intType),
    pod('metadata', 'labels'),
    [{ at: '[*]', found: 'int', expected: 'string' }],
  ],
  [
    'a map with int keys is no object',
    mapType(intType, stringType),
    pod('metadata', 'labels'),
    [{ found: 'map(int, string)', expected: 'map(string, string)' }],
  ],
  ['a map of values that no field takes', mapType(stringType, boolType), object, [{ found: 'map(string, bool)', expected: 'x' }]],
  ['a list is no object', listType(dynType), pod('spec'), [{ found: 'list(dyn)', expected: 'core.v1.PodSpec' }]],
  [
    'a struct says each unknown and each misfit field',
    structType('d', { nam: stringType, port: stringType }),
    object,
    [
      { fault: 'unknown-field', at: '', found: 'nam', expected: 'x', hint: 'did you mean "name"?' },
      { fault: 'type', at: 'port', found: 'string', expected: 'int', hint: 'convert with int(...)' },
    ],
  ],
  [
    'an unknown field is told from the few that there are',
    structType('d', { zzz: stringType }),
    object,
    [{ fault: 'unknown-field', at: '', found: 'zzz', expected: 'x', hint: 'there is "name", "port"' }],
  ],
  [
    'the path leads through lists and fields',
    structType('d', { containers: listType(structType('e', { ports: listType(structType('f', { containerPort: stringType })) })) }),
    pod('spec'),
    [{ at: 'containers[].ports[].containerPort', found: 'string', expected: 'int' }],
  ],
];

t.test('does not fit', async (t) => {
  for (const [title, type, schema, expected] of misfitting) t.match(misfits(type, schema), expected, title);
  for (const [title, type, schema, expected] of misfitting)
    t.equal(misfits(type, schema).length, expected.length, `${title}: as often as there are reasons`);
});
