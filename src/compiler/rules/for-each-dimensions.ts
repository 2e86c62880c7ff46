import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import type { Rule } from './rule.ts';

/** graph.md 5. */
export const MOST_DIMENSIONS = 10;

const tooMany = defineDiagnostic({
  code: 'for-each/too-many-dimensions',
  severity: 'error',
  message: ({ count }: { count: number }) => `forEach has ${count} dimensions, at most ${MOST_DIMENSIONS} are allowed`,
});

/** A forEach has at most ten dimensions (graph.md 5). */
export const forEachDimensions: Rule = {
  after: 'read',
  diagnostics: [tooMany],
  node(node, report) {
    const list = node.fields['forEach'];
    if (Array.isArray(list) && list.length > MOST_DIMENSIONS)
      report(tooMany({ count: list.length }, { path: node.place.field('forEach') }));
  },
};
