import { errorType } from '../../cel/type.ts';
import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import { didYouMean } from '../../diagnostic/nearest.ts';
import { isObject } from '../describe.ts';
import { nameOf, type SourceNode } from '../frame.ts';
import type { RuleReport } from '../rules/rule.ts';
import type { NodeKind } from './kind.ts';
import { objectShape, payloadObject, requireText } from './object-shape.ts';
import { checkSelector, selectorDiagnostics } from './selector.ts';

type Fields = Readonly<Record<string, unknown>>;

const FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
const METADATA: ReadonlySet<string> = new Set(['name', 'namespace', 'selector']);

const nameXorSelector = defineDiagnostic({
  code: 'ref/name-or-selector',
  severity: 'error',
  message: ({ id, found }: { id: string; found: string }) =>
    `ref "${id}" needs exactly one of metadata.name and metadata.selector, found ${found}`,
  hint: () => 'a name reads one object, a selector a list; selector: {} selects all',
});
const unknownField = defineDiagnostic({
  code: 'ref/unknown-field',
  severity: 'error',
  message: ({ field, where }: { field: string; where: string }) => `a ref has no field "${field}"${where}`,
  hint: ({ field, where }) => {
    if (where === '' && METADATA.has(field)) return `"${field}" stands in metadata`;
    return didYouMean(field, where === '' ? FIELDS : METADATA) ?? 'a ref only says what to read';
  },
});

/** Reads an object by name, or a list by selector (graph.md 4). */
export const ref: NodeKind = {
  name: 'ref',
  allows: { includeWhen: true, readyWhen: true, forEach: false },
  publishes: true,
  owns: false,
  isValue: false,
  allowsOmit: false,
  holdsFrame: false,
  makesObjects: false,
  diagnostics: [nameXorSelector, unknownField, ...selectorDiagnostics],
  shape(node, report) {
    const payload = payloadObject(node, report);
    if (payload === undefined) return;
    const path = node.place.field('ref');
    for (const field of Object.keys(payload)) {
      if (!FIELDS.has(field)) report(unknownField({ field, where: '' }, { path: path.field(field) }));
    }
    const metadata = objectShape(node, 'ref', payload, report);
    if (metadata !== undefined) shapeOfMetadata(node, metadata, report);
  },
  check(node, checker) {
    const target = checker.targetOf(node);
    checker.checkReference(node);
    return { item: isClear(node) ? checker.typeOfTarget(target) : errorType, publishesList: selects(node), target };
  },
  seal: (node, common, parts) => ({
    kind: 'ref',
    ...common,
    target: parts.targetOf(node),
    payload: parts.payloadOf(node),
    by: selects(node) ? 'selector' : 'name',
  }),
};

/** Whether a ref reads a list. */
export function selects(node: SourceNode): boolean {
  const { name, selector } = metadataOf(node);
  return isPresent(selector) && !isPresent(name);
}

/** Whether a ref says that it reads an object, or a list: otherwise no one knows what others may read of it. */
function isClear(node: SourceNode): boolean {
  const { name, selector } = metadataOf(node);
  return isPresent(name) !== isPresent(selector);
}

function metadataOf({ payload }: SourceNode): Fields {
  const metadata = isObject(payload) ? payload['metadata'] : undefined;
  return isObject(metadata) ? metadata : {};
}

function shapeOfMetadata(node: SourceNode, metadata: Fields, report: RuleReport): void {
  const path = node.place.field('ref').field('metadata');
  for (const field of Object.keys(metadata)) {
    if (!METADATA.has(field)) report(unknownField({ field, where: ' in metadata' }, { path: path.field(field) }));
  }
  const hasName = isPresent(metadata['name']);
  const hasSelector = isPresent(metadata['selector']);
  if (hasName === hasSelector) report(nameXorSelector({ id: nameOf(node), found: hasName ? 'both' : 'neither' }, { path }));
  if (hasName && !hasSelector) requireText('ref', metadata, 'name', path, report);
  if (hasSelector) checkSelector(metadata['selector'], path.field('selector'), report);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
