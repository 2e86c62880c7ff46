import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import { nameOf } from '../frame.ts';
import type { Rule } from './rule.ts';

const MODIFIERS = ['includeWhen', 'readyWhen', 'forEach'] as const;

const notAllowed = defineDiagnostic({
  code: 'modifier/not-allowed',
  severity: 'error',
  message: ({ modifier, kind, id }: { modifier: string; kind: string; id: string }) =>
    `a ${kind} node cannot have ${modifier} (node "${id}")`,
  hint: ({ modifier, kind }) => {
    if (kind === 'graph') return `put ${modifier} on the nodes inside it`;
    if (kind === 'patch') return 'a patch publishes nothing that could become ready';
    return 'to read several objects use one ref with metadata.selector';
  },
});

/** Each node kind accepts its own modifiers (graph.md 4). */
export const modifiers: Rule = {
  after: 'read',
  diagnostics: [notAllowed],
  node(node, report) {
    if (node.kind === undefined) return;
    for (const modifier of MODIFIERS) {
      const value = node.fields[modifier];
      if (node.kind.allows[modifier] || value === undefined || value === null) continue;
      report(notAllowed({ modifier, kind: node.kind.name, id: nameOf(node) }, { path: node.place.field(modifier) }));
    }
  },
};
