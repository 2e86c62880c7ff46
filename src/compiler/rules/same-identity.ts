import { identityKey, printIdentity } from '../../api/object.ts';
import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import type { SourceNode } from '../frame.ts';
import { identityPart, literalPart } from './identity-parts.ts';
import type { Rule, RuleContext } from './rule.ts';

const sameIdentity = defineDiagnostic({
  code: 'object/same-identity',
  severity: 'error',
  message: ({ object, first }: { object: string; first: string }) => `${object} is the object of ${first} already`,
  hint: () => 'two templates cannot own one object; to add fields to it use a patch node',
});

/** Two templates that are always included do not make one object, in any frames; what is computed is found at run time (graph.md 8.4). */
export const sameIdentityRule: Rule = {
  after: 'check',
  diagnostics: [sameIdentity],
  graph(frames, report, context) {
    const owners = new Map<string, SourceNode>();
    for (const node of frames.flatMap((frame) => frame.nodes)) {
      const identity = literalIdentity(node, context);
      if (identity === undefined) continue;
      const key = identityKey(identity);
      const first = owners.get(key);
      if (first === undefined) {
        owners.set(key, node);
        continue;
      }
      const path = node.place.field('template').field('metadata').field('name');
      const names = { object: printIdentity(identity), first: `${first.place.toShortString()} ("${first.id ?? ''}")` };
      report(sameIdentity(names, { path }, [{ path: first.place }]));
    }
  },
};

function literalIdentity(node: SourceNode, { graph }: RuleContext): Parameters<typeof identityKey>[0] | undefined {
  const target = node.checked?.target;
  if (node.kind?.owns !== true || target?.kind !== 'static' || node.includeWhen.length > 0 || node.forEach.length > 0) return undefined;
  const name = literalPart(node, 'name');
  const place = identityPart(node, 'namespace');
  if (name === undefined || (place !== undefined && place.kind !== 'literal')) return undefined;
  const { group, kind } = target.resource;
  const namespace = target.served?.namespaced === false ? '' : (literalPart(node, 'namespace') ?? graph.namespace ?? '');
  return { group, kind, namespace, name };
}
