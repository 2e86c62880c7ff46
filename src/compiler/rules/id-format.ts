import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import { describe } from '../describe.ts';
import type { Rule } from './rule.ts';

/** What ids of nodes and names of iterators look like (graph.md 3.1). */
export const ID_PATTERN = /^[A-Za-z][A-Za-z0-9]*$/;

const missing = defineDiagnostic({
  code: 'id/missing',
  severity: 'error',
  message: ({ found }: { found: string }) => `a node needs an id, found ${found}`,
  hint: () => 'other nodes reference it by its id: write id: name',
});
const format = defineDiagnostic({
  code: 'id/format',
  severity: 'error',
  message: ({ id }: { id: string }) => `id "${id}" must begin with a letter and hold only letters and digits`,
  hint: ({ id }) => {
    const plain = camelCase(id);
    return ID_PATTERN.test(plain) ? `for example "${plain}"` : undefined;
  },
});

/** Every node has an id that an expression can name (graph.md 3.1). */
export const idFormat: Rule = {
  after: 'read',
  diagnostics: [missing, format],
  node(node, report) {
    if (node.id !== undefined && ID_PATTERN.test(node.id)) return;
    const place = { path: node.place.field('id') };
    if (node.id === undefined) report(missing({ found: describe(node.fields['id']) }, place));
    else report(format({ id: node.id }, place));
  },
};

function camelCase(id: string): string {
  return id.replace(/[^A-Za-z0-9]+([A-Za-z0-9]?)/g, (_, next: string) => next.toUpperCase()).replace(/^[0-9]+/, '');
}
