import { API_GROUP, GRAPH_KIND } from '../../api/names.ts';
import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import { identityPart, literalPart } from './identity-parts.ts';
import type { Rule } from './rule.ts';

const itself = defineDiagnostic({
  code: 'object/the-graph-itself',
  severity: 'error',
  message: ({ name }: { name: string }) => `the template is this Graph "${name}" itself`,
  hint: () => 'a Graph cannot manage itself: give the stamped Graph another name or namespace',
});

/** No template is the Graph itself (graph.md 4). */
export const ownIdentity: Rule = {
  after: 'check',
  diagnostics: [itself],
  node(node, report, { graph }) {
    const target = node.checked?.target;
    if (node.kind?.owns !== true || target?.kind !== 'static') return;
    if (target.resource.group !== API_GROUP || target.resource.kind !== GRAPH_KIND) return;
    const name = literalPart(node, 'name');
    const place = identityPart(node, 'namespace');
    if (name === undefined || name !== graph.name || (place !== undefined && place.kind !== 'literal')) return;
    const namespace = literalPart(node, 'namespace');
    if (namespace !== undefined && graph.namespace !== undefined && namespace !== graph.namespace) return;
    report(itself({ name }, { path: node.place.field(node.kind.name).field('metadata').field('name') }));
  },
};
