import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import { nameOf } from '../frame.ts';
import { placeOf } from '../payload.ts';
import type { Rule } from './rule.ts';

const selfReference = defineDiagnostic({
  code: 'include-when/self-reference',
  severity: 'error',
  message: ({ id }: { id: string }) => `includeWhen of "${id}" refers to "${id}" itself`,
  hint: () => 'it is decided before the node exists: refer to other nodes only',
});

/** A node does not decide about its own inclusion (graph.md 5). */
export const includeWhenSelf: Rule = {
  after: 'resolve',
  diagnostics: [selfReference],
  condition(expression, report) {
    const { node, role, references } = expression;
    if (role !== 'includeWhen') return;
    for (const reference of references) {
      if (reference.node === node) report(selfReference({ id: nameOf(node) }, placeOf(expression, reference.span)));
    }
  },
};
