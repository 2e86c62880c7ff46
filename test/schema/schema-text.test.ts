import t from 'tap';
import { readCrd } from '../../src/schema/crd.ts';
import { SchemaDocument } from '../../src/schema/document.ts';
import type { RawSchema } from '../../src/schema/openapi.ts';

const LARGE = 9_007_199_254_740_993n;
const kind = { group: 'example.com', version: 'v1', kind: 'Gear' };

/** Schemas as a server's document gives them, where an integer beyond 2^53 is a bigint. */
const rows: [title: string, schema: RawSchema, other: RawSchema][] = [
  ['a bound', { maximum: LARGE } as unknown as RawSchema, { maximum: LARGE + 1n } as unknown as RawSchema],
  ['a default', { default: LARGE }, { default: String(LARGE) }],
  ['an enum', { enum: [1, LARGE] }, { enum: [1] }],
];

t.test('a schema with an integer beyond 2^53 has a text and a hash that are its own', async (t) => {
  for (const [title, schema, other] of rows) {
    t.equal(textOf(schema), textOf(schema), title);
    t.not(textOf(schema), textOf(other), `another: ${title}`);
    t.equal(hashOf(schema), hashOf(schema), `of a CRD: ${title}`);
    t.not(hashOf(schema), hashOf(other), `of another CRD: ${title}`);
  }
});

function textOf(schema: RawSchema): string | undefined {
  const root = { type: 'object', properties: { size: schema }, 'x-kubernetes-group-version-kind': [kind] };
  return new SchemaDocument(new Map([['com.example.v1.Gear', root]])).textOf(kind);
}

function hashOf(schema: RawSchema): string | undefined {
  const openAPIV3Schema = { type: 'object', properties: { size: { ...schema } } };
  const version = { name: 'v1', served: true, schema: { openAPIV3Schema } };
  const names = { kind: 'Gear', plural: 'gears' };
  return readCrd({ spec: { group: 'example.com', names, versions: [version as never] } })[0]?.hash;
}
