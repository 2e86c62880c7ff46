import { ANNOTATION_MAX_PRUNE, ANNOTATION_RECONCILE, API_VERSION, GRAPH_KIND } from '../api/names.ts';
import { defineDiagnostic, type Report } from '../diagnostic/diagnostic.ts';
import { didYouMean } from '../diagnostic/nearest.ts';
import { FieldPath } from '../diagnostic/path.ts';
import { describe, isObject } from './describe.ts';
import type { GraphName } from './rules/rule.ts';
import { isSubdomain } from './subdomain.ts';

const SPEC_FIELDS = ['nodes', 'serviceAccountName'];
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['resources', 'the list of nodes is "nodes"'],
  ['serviceAccount', 'it is "serviceAccountName"'],
  ['schema', 'a Graph has no schema of its own: its values are def nodes'],
]);

const notAGraph = defineDiagnostic({
  code: 'graph/not-a-graph',
  severity: 'error',
  message: ({ found }: { found: string }) => `expected a ${GRAPH_KIND} of ${API_VERSION}, found ${found}`,
});
const specShape = defineDiagnostic({
  code: 'graph/spec',
  severity: 'error',
  message: ({ found }: { found: string }) => `a Graph needs a spec with nodes, found ${found}`,
});
const unknownSpecField = defineDiagnostic({
  code: 'graph/unknown-spec-field',
  severity: 'error',
  message: ({ field }: { field: string }) => `the spec of a Graph has no field "${field}"`,
  hint: ({ field }) => OTHER_NAMES.get(field) ?? didYouMean(field, SPEC_FIELDS),
});
const serviceAccount = defineDiagnostic({
  code: 'graph/service-account-name',
  severity: 'error',
  message: ({ found }: { found: string }) => `serviceAccountName must be the name of a ServiceAccount, found ${found}`,
  hint: () => 'lower case letters, digits, "-" and ".", beginning and ending with a letter or digit',
});
const annotation = defineDiagnostic({
  code: 'graph/annotation',
  severity: 'warning',
  message: ({ name, found, expected }: { name: string; found: string; expected: string }) =>
    `annotation ${name} has no meaning with the value ${found}; expected ${expected}`,
});

/** The diagnostics of a Graph outside of its nodes. */
export const headerDiagnostics = [notAGraph, specShape, unknownSpecField, serviceAccount, annotation] as const;

/** What there is of a Graph outside of its nodes. */
export interface Header {
  readonly name: GraphName;
  readonly spec: unknown;
}

/** Judges a Graph outside of its nodes, and finds its name and spec (graph.md 1, 12.9). */
export function readHeader(graph: unknown, report: Report): Header {
  if (!isObject(graph)) {
    report(notAGraph({ found: describe(graph) }, { path: FieldPath.root }));
    return { name: { name: undefined, namespace: undefined }, spec: undefined };
  }
  const { apiVersion, kind, metadata, spec } = graph;
  if (apiVersion !== API_VERSION) report(notAGraph({ found: printFound('apiVersion', apiVersion) }, { path: FieldPath.of('apiVersion') }));
  if (kind !== GRAPH_KIND) report(notAGraph({ found: printFound('kind', kind) }, { path: FieldPath.of('kind') }));
  const fields = isObject(metadata) ? metadata : {};
  checkAnnotations(isObject(fields['annotations']) ? fields['annotations'] : {}, report);
  checkSpec(spec, report);
  return { name: { name: textOf(fields['name']), namespace: textOf(fields['namespace']) }, spec };
}

function checkSpec(spec: unknown, report: Report): void {
  const path = FieldPath.of('spec');
  if (!isObject(spec)) {
    report(specShape({ found: describe(spec) }, { path }));
    return;
  }
  for (const field of Object.keys(spec)) {
    if (!SPEC_FIELDS.includes(field)) report(unknownSpecField({ field }, { path: path.field(field) }));
  }
  const account = spec['serviceAccountName'];
  if (account === undefined || account === null || account === '') return;
  const isName = typeof account === 'string' && isSubdomain(account);
  if (!isName) report(serviceAccount({ found: printText(account) }, { path: path.field('serviceAccountName') }));
}

function checkAnnotations(annotations: Readonly<Record<string, unknown>>, report: Report): void {
  const path = FieldPath.of('metadata', 'annotations');
  const reconcile = annotations[ANNOTATION_RECONCILE];
  if (reconcile !== undefined && reconcile !== 'disabled') {
    report(
      annotation(
        { name: ANNOTATION_RECONCILE, found: printText(reconcile), expected: '"disabled"' },
        { path: path.field(ANNOTATION_RECONCILE) },
      ),
    );
  }
  const maxPrune = annotations[ANNOTATION_MAX_PRUNE];
  if (maxPrune !== undefined && !(typeof maxPrune === 'string' && /^[0-9]{1,9}%?$/.test(maxPrune))) {
    report(
      annotation(
        { name: ANNOTATION_MAX_PRUNE, found: printText(maxPrune), expected: 'a number or a percentage, such as "3" or "20%"' },
        { path: path.field(ANNOTATION_MAX_PRUNE) },
      ),
    );
  }
}

function printFound(field: string, value: unknown): string {
  return `${field} ${printText(value)}`;
}

function printText(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : describe(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
