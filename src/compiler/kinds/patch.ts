import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import { nameOf, type SourceNode } from '../frame.ts';
import type { NodeKind } from './kind.ts';
import { OWNED_BY_OTHERS, objectShape, payloadObject, refuseMetadata, requireText, SERVER_METADATA } from './object-shape.ts';

const IDENTITY_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
const IDENTITY_METADATA: ReadonlySet<string> = new Set(['name', 'namespace']);
const REFUSED_METADATA: ReadonlySet<string> = new Set([...SERVER_METADATA, ...OWNED_BY_OTHERS]);

const contributesNothing = defineDiagnostic({
  code: 'patch/nothing',
  severity: 'error',
  message: ({ id }: { id: string }) => `patch "${id}" contributes no field beyond the identity of its target`,
  hint: () => 'add the fields to set: labels, data, spec or status; to read the object use a ref',
});
const mixed = defineDiagnostic({
  code: 'patch/mixed-status',
  severity: 'error',
  message: ({ id, other }: { id: string; other: string }) => `patch "${id}" mixes status with ${other}`,
  hint: () => 'status is written apart: use one patch node for status and one for the rest',
});

/** Gives fields to an object that the Graph does not own (graph.md 4). */
export const patch: NodeKind = {
  name: 'patch',
  allows: { includeWhen: true, readyWhen: false, forEach: true },
  publishes: false,
  owns: false,
  isValue: false,
  allowsOmit: true,
  holdsFrame: false,
  makesObjects: true,
  diagnostics: [contributesNothing, mixed],
  shape(node, report) {
    const payload = payloadObject(node, report);
    if (payload === undefined) return;
    const path = node.place.field('patch');
    const metadata = objectShape(node, 'patch', payload, report);
    if (metadata !== undefined) {
      requireText('patch', metadata, 'name', path.field('metadata'), report);
      refuseMetadata('patch', metadata, (field) => REFUSED_METADATA.has(field), path.field('metadata'), report);
    }
    const contributed = contributions(payload, metadata ?? {});
    const other = contributed.find((field) => field !== 'status');
    if (metadata !== undefined && contributed.length === 0) report(contributesNothing({ id: nameOf(node) }, { path }));
    if (other !== undefined && Object.hasOwn(payload, 'status')) report(mixed({ id: nameOf(node), other }, { path: path.field('status') }));
  },
  check(node, checker) {
    const target = checker.targetOf(node);
    checker.checkManifest(node, target, { required: false });
    return { item: undefined, publishesList: false, target };
  },
  seal: (node, common, parts) => ({
    kind: 'patch',
    ...common,
    target: parts.targetOf(node),
    payload: parts.payloadOf(node),
    subresource: givesStatus(node) ? 'status' : undefined,
  }),
};

/** Whether a patch gives status, which goes to the subresource. */
function givesStatus(node: SourceNode): boolean {
  return typeof node.payload === 'object' && node.payload !== null && Object.hasOwn(node.payload, 'status');
}

function contributions(payload: Readonly<Record<string, unknown>>, metadata: Readonly<Record<string, unknown>>): string[] {
  const fields = Object.keys(payload).filter((field) => !IDENTITY_FIELDS.has(field) && payload[field] !== null);
  const ofMetadata = Object.keys(metadata).filter((field) => !IDENTITY_METADATA.has(field) && metadata[field] !== null);
  return [...fields, ...ofMetadata.map((field) => `metadata.${field}`)];
}
