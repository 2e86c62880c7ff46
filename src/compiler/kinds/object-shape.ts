import { isKindName, parseApiVersion } from '../../api/object.ts';
import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import { didYouMean } from '../../diagnostic/nearest.ts';
import type { FieldPath } from '../../diagnostic/path.ts';
import { describe, isObject } from '../describe.ts';
import { nameOf, type SourceNode } from '../frame.ts';
import type { RuleReport } from '../rules/rule.ts';

type Fields = Readonly<Record<string, unknown>>;

const payloadShape = defineDiagnostic({
  code: 'payload/not-an-object',
  severity: 'error',
  message: ({ node, kind, found }: { node: string; kind: string; found: string }) =>
    `${kind} of node "${node}" must be an object, found ${found}`,
});
const requiredText = defineDiagnostic({
  code: 'object/required-text',
  severity: 'error',
  message: ({ kind, field, found }: { kind: string; field: string; found: string }) =>
    `${kind} needs ${field}: expected text, found ${found}`,
  hint: ({ field }) => (field === 'apiVersion' ? 'such as "v1" or "apps/v1"' : field === 'kind' ? 'such as "ConfigMap"' : undefined),
});
const apiVersionFormat = defineDiagnostic({
  code: 'object/api-version',
  severity: 'error',
  message: ({ apiVersion }: { apiVersion: string }) => `apiVersion "${apiVersion}" is not group/version`,
  hint: () => 'write "v1" for the core group, "group/version" for every other',
});
const kindFormat = defineDiagnostic({
  code: 'object/kind',
  severity: 'error',
  message: ({ kind }: { kind: string }) => `kind "${kind}" is not the name of a kind`,
  hint: ({ kind }) => (isKindName(kind.trim()) ? 'remove the white space' : 'a kind is one word, such as "ConfigMap"'),
});
const metadataShape = defineDiagnostic({
  code: 'object/metadata',
  severity: 'error',
  message: ({ kind, found }: { kind: string; found: string }) => `${kind} needs metadata: expected an object, found ${found}`,
});
const namespaceShape = defineDiagnostic({
  code: 'object/namespace',
  severity: 'error',
  message: ({ found }: { found: string }) => `metadata.namespace must be text, found ${found}`,
});
const serverField = defineDiagnostic({
  code: 'object/server-field',
  severity: 'error',
  message: ({ kind, field }: { kind: string; field: string }) => `${kind} may not set metadata.${field}`,
  hint: ({ field }) => (OWNED_BY_OTHERS.has(field) ? 'a patch node does not own its target' : 'only the API server sets it: remove it'),
});
const annotationValue = defineDiagnostic({
  code: 'annotation/value',
  severity: 'error',
  message: ({ name, found, expected }: { name: string; found: string; expected: string }) =>
    `annotation ${name} has no meaning with the value "${found}"; expected "${expected}"`,
  hint: ({ found, expected }) => didYouMean(found, [expected]),
});

/** The diagnostics of an object payload's outer shape. */
export const objectShapeDiagnostics = [
  payloadShape,
  requiredText,
  apiVersionFormat,
  kindFormat,
  metadataShape,
  namespaceShape,
  serverField,
  annotationValue,
] as const;

/** Metadata that only the server sets (graph.md 9). */
export const SERVER_METADATA: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'managedFields',
  'selfLink',
]);
/** Metadata that belongs to the owner of a patch's target (graph.md 4). */
export const OWNED_BY_OTHERS: ReadonlySet<string> = new Set(['ownerReferences', 'finalizers']);

/** The payload as an object; undefined, with a report, if it is none. */
export function payloadObject(node: SourceNode, report: RuleReport): Fields | undefined {
  if (isObject(node.payload)) return node.payload;
  if (node.kind !== undefined) {
    const { name } = node.kind;
    report(payloadShape({ node: nameOf(node), kind: name, found: describe(node.payload) }, { path: node.place.field(name) }));
  }
  return undefined;
}

/** Judges apiVersion, kind and metadata of an object payload; gives its metadata, where there is an object (graph.md 4). */
export function objectShape(node: SourceNode, kind: string, payload: Fields, report: RuleReport): Fields | undefined {
  const path = node.place.field(kind);
  const apiVersion = requireText(kind, payload, 'apiVersion', path, report);
  if (apiVersion !== undefined && !isComputed(apiVersion) && parseApiVersion(apiVersion) === undefined) {
    report(apiVersionFormat({ apiVersion }, { path: path.field('apiVersion') }));
  }
  const named = requireText(kind, payload, 'kind', path, report);
  if (named !== undefined && !isComputed(named) && !isKindName(named)) report(kindFormat({ kind: named }, { path: path.field('kind') }));
  const metadata = payload['metadata'];
  if (!isObject(metadata)) {
    report(metadataShape({ kind, found: describe(metadata) }, { path: path.field('metadata') }));
    return undefined;
  }
  const namespace = metadata['namespace'];
  if (namespace !== undefined && namespace !== null && typeof namespace !== 'string') {
    report(namespaceShape({ found: describe(namespace) }, { path: path.field('metadata').field('namespace') }));
  }
  return metadata;
}

/** Requires a text that is not empty in a field. */
export function requireText(kind: string, fields: Fields, field: string, path: FieldPath, report: RuleReport): string | undefined {
  const value = fields[field];
  if (typeof value === 'string' && value !== '') return value;
  const shown = path.segment === 'metadata' ? `metadata.${field}` : field;
  report(requiredText({ kind, field: shown, found: describe(value) }, { path: path.field(field) }));
  return undefined;
}

/** Refuses metadata that is not the author's to set; null stands for absent. */
export function refuseMetadata(
  kind: string,
  metadata: Fields,
  isRefused: (field: string) => boolean,
  path: FieldPath,
  report: RuleReport,
): void {
  for (const field of Object.keys(metadata)) {
    if (isRefused(field) && metadata[field] !== null) report(serverField({ kind, field }, { path: path.field(field) }));
  }
}

/** Whether an expression stands in a value, at whatever depth; iterative, so depth is free. */
export function holdsExpression(value: unknown): boolean {
  const pending = [value];
  while (pending.length > 0) {
    const at = pending.pop();
    if (typeof at === 'string' && isComputed(at)) return true;
    if (typeof at === 'object' && at !== null) for (const member of Object.values(at)) pending.push(member);
  }
  return false;
}

/** Holds a literal annotation for people to its one meaning: a typing error in it would be found out too late (graph.md 12.9). */
export function checkAnnotation(metadata: Fields, name: string, expected: string, path: FieldPath, report: RuleReport): void {
  const annotations = metadata['annotations'];
  const found = isObject(annotations) ? annotations[name] : undefined;
  if (typeof found !== 'string' || found === expected || isComputed(found)) return;
  report(annotationValue({ name, found, expected }, { path: path.field('annotations').field(name) }));
}

/** Whether a text holds an expression. */
export function isComputed(text: string): boolean {
  return text.includes('${');
}

/** What a payload says of its kind; undefined if that is no text (which has been reported). */
export function namedKind(payload: unknown): { readonly apiVersion: string; readonly kind: string } | undefined {
  if (!isObject(payload)) return undefined;
  const { apiVersion, kind } = payload;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || apiVersion === '' || kind === '') return undefined;
  return { apiVersion, kind };
}
