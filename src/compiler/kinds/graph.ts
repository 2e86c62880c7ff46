import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import { didYouMean } from '../../diagnostic/nearest.ts';
import { isObject } from '../describe.ts';
import type { NodeKind } from './kind.ts';

const unknownField = defineDiagnostic({
  code: 'graph/unknown-field',
  severity: 'error',
  message: ({ field }: { field: string }) => `graph holds "nodes" and nothing else, found "${field}"`,
  hint: ({ field }) => (field === 'serviceAccountName' ? 'a nested graph acts as the Graph around it' : didYouMean(field, ['nodes'])),
});

/** Nests a node list (graph.md 4); what is wrong with the list itself is found where it is read. */
export const graph: NodeKind = {
  name: 'graph',
  allows: { includeWhen: false, readyWhen: false, forEach: false },
  publishes: true,
  owns: false,
  isValue: false,
  allowsOmit: false,
  holdsFrame: true,
  makesObjects: false,
  diagnostics: [unknownField],
  shape(node, report) {
    if (!isObject(node.payload)) return;
    for (const field of Object.keys(node.payload)) {
      if (field !== 'nodes') report(unknownField({ field }, { path: node.place.field('graph').field(field) }));
    }
  },
  check(node, checker) {
    return { item: checker.mapOfChildren(node), publishesList: false, target: undefined };
  },
  seal: (node, common, parts) => parts.graphAround(node, common),
};
