import { ANNOTATION_ADOPT, ANNOTATION_ON_DELETE } from '../../api/names.ts';
import type { NodeKind } from './kind.ts';
import {
  checkAnnotation,
  holdsExpression,
  objectShape,
  payloadObject,
  refuseMetadata,
  requireText,
  SERVER_METADATA,
} from './object-shape.ts';

/** Creates and owns an object (graph.md 4). */
export const template: NodeKind = {
  name: 'template',
  allows: { includeWhen: true, readyWhen: true, forEach: true },
  publishes: true,
  owns: true,
  isValue: false,
  allowsOmit: true,
  holdsFrame: false,
  makesObjects: true,
  diagnostics: [],
  shape(node, report) {
    const payload = payloadObject(node, report);
    const metadata = payload && objectShape(node, 'template', payload, report);
    if (metadata === undefined) return;
    const path = node.place.field('template').field('metadata');
    requireText('template', metadata, 'name', path, report);
    // What an expression gives may be nothing, and is judged when it is rendered (graph.md 9).
    const isRefused = (field: string): boolean => SERVER_METADATA.has(field) && !holdsExpression(metadata[field]);
    refuseMetadata('template', metadata, isRefused, path, report);
    checkAnnotation(metadata, ANNOTATION_ON_DELETE, 'retain', path, report);
    checkAnnotation(metadata, ANNOTATION_ADOPT, 'never', path, report);
  },
  check(node, checker) {
    const target = checker.targetOf(node);
    checker.checkManifest(node, target, { required: true });
    return { item: checker.typeOfTarget(target), publishesList: false, target };
  },
  seal: (node, common, parts) => ({ kind: 'template', ...common, target: parts.targetOf(node), payload: parts.payloadOf(node) }),
};
