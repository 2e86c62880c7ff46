import t from 'tap';
import { compactSchema, readComponents, SchemaDocument } from '../../src/schema/document.ts';
import { inlineSchema, type RawSchema } from '../../src/schema/openapi.ts';
import { testSchema } from '../support/schemas.ts';

const ref = (name: string): RawSchema => ({ $ref: `#/components/schemas/${name}` });

t.test('references are followed', async (t) => {
  const document = new SchemaDocument(
    new Map<string, RawSchema>([
      [
        'a.Node',
        { type: 'object', properties: { next: ref('a.Node'), all: { allOf: [ref('a.Leaf')], default: {} }, lost: ref('a.Lost') } },
      ],
      ['a.Leaf', { type: 'object', properties: { v: { type: 'string' } } }],
      ['a.Alias', ref('a.Leaf')],
      ['a.Circle', ref('a.Circle')],
    ]),
  );
  const node = document.component('a.Node');
  t.equal(node?.property('next'), node, 'a recursive schema is one object');
  t.equal(node?.property('all'), document.component('a.Leaf'), 'beside a default');
  t.equal(node?.property('all')?.property('v')?.name, 'a.Leaf.v');
  t.equal(node?.property('lost'), undefined, 'a reference to nothing');
  t.same(document.component('a.Alias')?.raw, document.component('a.Leaf')?.raw, 'a component that is a reference');
  t.equal(document.component('a.Circle'), undefined, 'a reference to itself');
});

t.test('what stands at a field or an index', async (t) => {
  const schema = inlineSchema(
    {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'string' } },
        map: { type: 'object', additionalProperties: { type: 'integer' } },
        text: { type: 'string' },
      },
    },
    'x',
  );
  const rows: [path: (string | number)[], name: string | undefined][] = [
    [['list', 3], 'x.list[]'],
    [['map', 'any'], 'x.map[*]'],
    [['nope'], undefined],
    [['text', 'a'], undefined],
    [['text', 0], undefined],
    [['list', 'a'], undefined],
    [['constructor'], undefined],
    [['__proto__'], undefined],
  ];
  for (const [path, name] of rows) {
    let at: typeof schema | undefined = schema;
    for (const segment of path) at = at?.at(segment);
    t.equal(at?.name, name, path.join('.'));
  }
});

t.test('what is no schema declares nothing', async (t) => {
  const junk = [null, 5, 'x', true, [], [null], {}].map((value) => value as unknown as RawSchema);
  for (const raw of junk) {
    const schema = inlineSchema({ type: 'object', properties: { a: raw }, items: raw }, 'x');
    const choice = inlineSchema({ oneOf: raw as unknown as RawSchema[], $ref: raw as unknown as string }, 'x');
    const title = JSON.stringify(raw);
    t.equal(schema.property('a')?.type, undefined, title);
    t.equal(schema.items.type, undefined, title);
    t.equal(choice.type, undefined, title);
  }
});

t.test('documents are read without what we do not use', async (t) => {
  const compact = compactSchema({
    type: 'object',
    description: 'long',
    'x-kubernetes-patch-strategy': 'merge',
    properties: { description: { type: 'string', description: 'long', 'x-kubernetes-validations': [] }, __proto__: {} },
    items: { description: 'long' },
    additionalProperties: { type: 'string', example: 1 },
  });
  t.strictSame(JSON.parse(JSON.stringify(compact)), {
    type: 'object',
    properties: { description: { type: 'string' } },
    items: {},
    additionalProperties: { type: 'string' },
  });
  for (const broken of [undefined, null, 1, [], {}, { components: 1 }, { components: { schemas: [] } }])
    t.equal(readComponents(broken).size, 0);
});

t.test('the text of a kind changes with its schema alone', async (t) => {
  const kind = { group: 'x', version: 'v1', kind: 'A' };
  const gvk = { 'x-kubernetes-group-version-kind': [kind] };
  const document = (leaf: RawSchema, other: RawSchema): string | undefined =>
    new SchemaDocument(
      new Map<string, RawSchema>([
        ['A', { ...gvk, properties: { leaf: ref('Leaf') } }],
        ['Leaf', leaf],
        ['Other', other],
      ]),
    ).textOf(kind);
  const base = document({ type: 'string' }, {});
  t.equal(document({ type: 'string' }, { type: 'integer' }), base, 'not with another component');
  t.not(document({ type: 'integer' }, {}), base);
  t.equal(new SchemaDocument(new Map()).textOf(kind), undefined);
});

t.test('schemas know whether they are of a standard kind', async (t) => {
  t.equal(testSchema('v1', 'Pod', 'spec').isStandard, true);
  t.equal(testSchema('example.com/v1', 'Widget', 'spec').isStandard, false);
  t.equal(testSchema('example.com/v1', 'Widget', 'metadata').isStandard, true);
});
