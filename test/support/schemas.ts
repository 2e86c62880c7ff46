import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { type JsonValue, parseApiVersion } from '../../src/api/object.ts';
import { readBundles, type SchemaBundle, snapshotOf } from '../../src/schema/bundle.ts';
import { readCrd } from '../../src/schema/crd.ts';
import type { OpenApiSchema } from '../../src/schema/openapi.ts';
import type { ResourceSchema, SchemaSnapshot } from '../../src/schema/snapshot.ts';

const BUNDLES = new URL('../../schemas/', import.meta.url);
const GRAPH_CRD = new URL('../../charts/kro-graph/files/crds/graphs.yaml', import.meta.url);
const WIDGET_CRD = new URL('../cases/crds/widgets.example.com.yaml', import.meta.url);

let standard: readonly ResourceSchema[] | undefined;
let complete: SchemaSnapshot | undefined;

/**
 * The fixed schemas of the pure rooms' tests: the standard kinds of Kubernetes 1.36 (`scripts/bundle-schemas.ts` makes the files),
 * Graph and Widget; and the kinds of further CRDs, given as YAML text. Without arguments it is made once.
 */
export function testSnapshot(...crds: readonly string[]): SchemaSnapshot {
  if (crds.length > 0) return snapshotOf([...standardKinds(), ...crds.flatMap(readCrdText)]);
  complete ??= snapshotOf(standardKinds());
  return complete;
}

/** The schema of a kind in `testSnapshot()`, as `testSchema('apps/v1', 'Deployment')`, and of the field at a path in it. */
export function testSchema(apiVersion: string, kind: string, ...path: readonly (string | number)[]): OpenApiSchema {
  const groupVersion = parseApiVersion(apiVersion);
  let schema = groupVersion && testSnapshot().get({ ...groupVersion, kind })?.schema;
  for (const segment of path) schema = schema?.at(segment);
  if (schema === undefined) throw new Error(`the test snapshot has no ${apiVersion} ${kind} ${path.join('.')}`);
  return schema;
}

function standardKinds(): readonly ResourceSchema[] {
  standard ??= [
    ...readBundles(
      readdirSync(BUNDLES)
        .sort()
        .map((file): SchemaBundle => JSON.parse(readFileSync(new URL(file, BUNDLES), 'utf8'))),
    ),
    ...readCrdText(readFileSync(GRAPH_CRD, 'utf8')),
    ...readCrdText(readFileSync(WIDGET_CRD, 'utf8')),
  ];
  return standard;
}

function readCrdText(text: string): ResourceSchema[] {
  return parseAllDocuments(text).flatMap((document): ResourceSchema[] => readCrd(document.toJS() as JsonValue));
}
