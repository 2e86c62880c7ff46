import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import type { Rule } from './rule.ts';

/** Words that are no ids and no iterators (graph.md 3.1). */
export const RESERVED_IDS: ReadonlySet<string> = new Set(
  (
    'apiVersion kind metadata namespace spec status graph graphengine kro each item items object self this context ' +
    'true false null in as break const continue else for function if import let loop package return var void while'
  ).split(' '),
);

const reserved = defineDiagnostic({
  code: 'id/reserved',
  severity: 'error',
  message: ({ id }: { id: string }) => `id "${id}" is reserved`,
  hint: ({ id }) => `choose another, such as "${id}Node"`,
});

/** Reserved words are no ids, in any frame; the case counts (graph.md 3.1). */
export const idReserved: Rule = {
  after: 'read',
  diagnostics: [reserved],
  node(node, report) {
    if (node.id !== undefined && RESERVED_IDS.has(node.id)) report(reserved({ id: node.id }, { path: node.place.field('id') }));
  },
};
