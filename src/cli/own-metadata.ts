import type { JsonObject } from '../api/object.ts';
import { isSubdomain } from '../compiler/subdomain.ts';
import { type Diagnostic, defineDiagnostic, type Report } from '../diagnostic/diagnostic.ts';
import { FieldPath } from '../diagnostic/path.ts';
import { checkManifest } from '../schema/literal.ts';
import { inlineSchema, type RawSchema } from '../schema/openapi.ts';

const nameless = defineDiagnostic({
  code: 'file/name',
  severity: 'error',
  message: ({ found }: { found: string }) => `a Graph needs a name that Kubernetes allows, found ${found}`,
  hint: () => 'lower case letters, digits, "-" and ".", beginning and ending with a letter or digit; at most 253 characters',
});

const METADATA = FieldPath.of('metadata');
const anything: RawSchema = { 'x-kubernetes-preserve-unknown-fields': true };

/** A Graph around its spec, which the compiler judges, and its status, which counts for nothing in a file. */
const around = inlineSchema(
  {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: { spec: anything, status: anything },
  },
  'a Graph',
);

/**
 * What kubectl and the API server would say of a Graph before they ask a webhook: its name, fields that its metadata does not have, labels
 * that are no text.
 */
export function checkOwnMetadata(graph: JsonObject): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (diagnostic) => diagnostics.push(diagnostic);
  checkManifest({ kind: 'literal', value: graph }, around, FieldPath.root, { report, wantsRequired: false, computed: () => {} });
  const { name, generateName } = namesOf(graph['metadata']);
  // A field that is misspelt may be the name; another type than text has been reported as that.
  if (name === undefined && generateName === undefined && diagnostics.length === 0) report(nameless({ found: 'none' }, { path: METADATA }));
  if (isUnfit(name)) report(nameless({ found: `"${name}"` }, { path: METADATA.field('name') }));
  // For `kubectl create`; five letters or digits are added to it.
  else if (name === undefined && isUnfit(generateName, '12345')) {
    report(nameless({ found: `"${generateName}"` }, { path: METADATA.field('generateName') }));
  }
  return diagnostics;
}

function namesOf(metadata: unknown): { name?: unknown; generateName?: unknown } {
  const { name, generateName } = isObject(metadata) ? metadata : {};
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
  return { ...(isGiven(name) && { name }), ...(isGiven(generateName) && { generateName }) };
}

function isUnfit(name: unknown, end = ''): boolean {
  return typeof name === 'string' && !isSubdomain(`${name}${end}`);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
