import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import type { Rule } from './rule.ts';

const duplicate = defineDiagnostic({
  code: 'id/duplicate',
  severity: 'error',
  message: ({ id, first }: { id: string; first: string }) => `duplicate id "${id}": ${first} bears it already`,
});

/** An id is unique in its frame (graph.md 3.1). */
export const idUnique: Rule = {
  after: 'read',
  diagnostics: [duplicate],
  node(node, report) {
    if (node.id === undefined) return;
    const first = node.frame.node(node.id);
    if (first === undefined || first === node) return;
    report(
      duplicate({ id: node.id, first: first.place.toShortString() }, { path: node.place.field('id') }, [{ path: first.place.field('id') }]),
    );
  },
};
