import type { NodeKind } from './kind.ts';
import { payloadObject } from './object-shape.ts';

/** Computes a value (graph.md 4). */
export const def: NodeKind = {
  name: 'def',
  allows: { includeWhen: true, readyWhen: true, forEach: true },
  publishes: true,
  owns: false,
  isValue: true,
  allowsOmit: true,
  holdsFrame: false,
  makesObjects: false,
  diagnostics: [],
  shape(node, report) {
    payloadObject(node, report);
  },
  check(node, checker) {
    return { item: checker.inferShape(node), publishesList: false, target: undefined };
  },
  seal: (node, common, parts) => ({ kind: 'def', ...common, payload: parts.payloadOf(node) }),
};
