import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import { nameOf } from '../frame.ts';
import { placeOf } from '../payload.ts';
import type { Rule } from './rule.ts';

const otherNode = defineDiagnostic({
  code: 'ready-when/other-node',
  severity: 'error',
  message: ({ id, other }: { id: string; other: string; isCollection: boolean }) =>
    `readyWhen of "${id}" may read "${id}" only, not "${other}"`,
  hint: ({ id, isCollection }) =>
    isCollection
      ? 'read one item as "each"'
      : `only the node itself is in scope, as ${id}.field; to wait for another node, put the condition on that node`,
});

/** readyWhen is about the node itself (graph.md 5). */
export const readyWhenScope: Rule = {
  after: 'resolve',
  diagnostics: [otherNode],
  condition(expression, report) {
    const { node, role, references } = expression;
    if (role !== 'readyWhen') return;
    for (const reference of references) {
      if (reference.node === undefined || reference.node === node) continue;
      report(
        otherNode({ id: nameOf(node), other: reference.name, isCollection: node.forEach.length > 0 }, placeOf(expression, reference.span)),
      );
    }
  },
};
