import t from 'tap';
import { printType, type Type } from '../../src/cel/type.ts';
import { celTypeOf } from '../../src/schema/cel-type.ts';
import { inlineSchema, type OpenApiSchema, type RawSchema } from '../../src/schema/openapi.ts';
import { testSchema, testSnapshot } from '../support/schemas.ts';

const of = (raw: RawSchema): OpenApiSchema => inlineSchema(raw, 'x');

const rows: [title: string, schema: OpenApiSchema, type: string][] = [
  ['bool', of({ type: 'boolean' }), 'bool'],
  ['integer', of({ type: 'integer', format: 'int32' }), 'int'],
  ['number', of({ type: 'number', format: 'float' }), 'double'],
  ['string', of({ type: 'string', format: 'hostname' }), 'string'],
  ['byte', of({ type: 'string', format: 'byte' }), 'bytes'],
  ['date-time', of({ type: 'string', format: 'date-time' }), 'google.protobuf.Timestamp'],
  ['date', of({ type: 'string', format: 'date' }), 'google.protobuf.Timestamp'],
  ['duration', of({ type: 'string', format: 'duration' }), 'google.protobuf.Duration'],
  ['int-or-string', of({ 'x-kubernetes-int-or-string': true }), 'dyn'],
  ['int-or-string of a standard kind', testSchema('v1', 'Service', 'spec', 'ports', 0, 'targetPort'), 'dyn'],
  ['a quantity', testSchema('v1', 'ResourceQuota', 'spec', 'hard'), 'map(string, dyn)'],
  ['no type', of({}), 'dyn'],
  ['a list', of({ type: 'array', items: { type: 'array', items: { type: 'string' } } }), 'list(list(string))'],
  ['a list of no type', of({ type: 'array' }), 'list(dyn)'],
  ['a map', of({ type: 'object', additionalProperties: { type: 'integer' } }), 'map(string, int)'],
  ['a map of anything', of({ type: 'object', additionalProperties: true }), 'map(string, dyn)'],
  ['a struct', of({ type: 'object', properties: { a: {} } }), 'x'],
  ['the data of a Secret', testSchema('v1', 'Secret', 'data'), 'map(string, bytes)'],
  ['a component is called by its short name', testSchema('apps/v1', 'Deployment', 'spec', 'template', 'spec'), 'core.v1.PodSpec'],
  [
    'the schema of a CRD is recursive',
    testSchema('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties'),
    'map(string, apiextensions.v1.JSONSchemaProps)',
  ],
];

t.test('the type of a schema', async (t) => {
  for (const [title, schema, type] of rows) t.equal(printType(celTypeOf(schema)), type, title);
});

function field(type: Type, ...names: string[]): string | undefined {
  let at: Type | undefined = type;
  for (const name of names) at = at?.kind === 'struct' ? at.field(name) : undefined;
  return at && printType(at);
}

t.test('structs', async (t) => {
  const open = celTypeOf(of({ type: 'object', properties: { a: { type: 'integer' } }, 'x-kubernetes-preserve-unknown-fields': true }));
  t.match(open, { kind: 'struct', open: true });
  t.notOk('alsoMap' in open, 'with declared fields it is no map');
  t.same([field(open, 'a'), field(open, 'b')], ['int', undefined]);
  t.match(celTypeOf(of({ type: 'object' })), { open: true, alsoMap: true }, 'without declared fields it is read as a map too');
  const closed = celTypeOf(of({ type: 'object', properties: { a: {} } }));
  t.notOk('open' in closed);
  const embedded = celTypeOf(
    of({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object', properties: { n: { type: 'integer' } } } },
    }),
  );
  t.same(
    [field(embedded, 'kind'), field(embedded, 'metadata', 'uid'), field(embedded, 'spec', 'n'), field(embedded, 'nope')],
    ['string', 'string', 'int', undefined],
  );
  const widget = celTypeOf(testSchema('example.com/v1', 'Widget'));
  t.same(
    [field(widget, 'metadata', 'labels'), field(widget, 'metadata', 'creationTimestamp'), field(widget, 'spec', 'parts')],
    ['map(string, string)', 'google.protobuf.Timestamp', 'list(string)'],
  );
});

t.test('lists say how the API server merges them', async (t) => {
  t.match(celTypeOf(testSchema('v1', 'Pod', 'metadata', 'finalizers')), { merge: { kind: 'set' } });
  t.match(celTypeOf(testSchema('v1', 'Service', 'spec', 'ports')), { merge: { kind: 'map', keys: ['port', 'protocol'] } });
  t.notOk('merge' in celTypeOf(of({ type: 'array' })));
});

t.test('types are made once, also across kinds', async (t) => {
  t.equal(celTypeOf(testSchema('v1', 'Pod', 'spec')), celTypeOf(testSchema('apps/v1', 'Deployment', 'spec', 'template', 'spec')));
  t.equal(testSnapshot(), testSnapshot());
});

t.test('a list that contains only itself is a finite type', async (t) => {
  const raw: RawSchema = { type: 'array', items: { $ref: '#/components/schemas/Loop' } };
  const { SchemaDocument } = await import('../../src/schema/document.ts');
  const loop = new SchemaDocument(new Map([['Loop', raw]])).component('Loop');
  t.equal(loop && printType(celTypeOf(loop)), 'list(dyn)');
});
