import { type Ast, children } from '../../cel/ast.ts';
import { spanOf } from '../../cel/stretch.ts';
import { defineDiagnostic, type Span } from '../../diagnostic/diagnostic.ts';
import { mayOmit, type SourceExpression, type SourcePayload } from '../payload.ts';
import { identityParts } from './identity-parts.ts';
import type { Rule } from './rule.ts';

const misplaced = defineDiagnostic({
  code: 'omit/position',
  severity: 'error',
  message: ({ where }: { where: string }) => `omit() has no meaning in ${where}`,
  hint: () => 'it leaves out a whole field of a template, patch or def',
});

/** omit() leaves out a field or an element: not an identity, not a condition, not a part of a text (graph.md 6.4). */
export const omitPosition: Rule = {
  after: 'resolve',
  diagnostics: [misplaced],
  node(node, report) {
    if (!node.mayOmit) return;
    const identity = new Set(node.kind?.makesObjects === true ? identityParts(node).flatMap(expressionsOf) : []);
    for (const expression of node.expressions.filter(mayOmit)) {
      const where = placeWithoutMeaning(expression, identity);
      const call = where === undefined || expression.ast === undefined ? undefined : findOmit(expression.ast);
      if (where === undefined || call === undefined) continue;
      report(misplaced({ where }, { path: expression.path, expression: expression.text, span: call }));
    }
  },
};

function placeWithoutMeaning(expression: SourceExpression, identity: ReadonlySet<SourceExpression>): string | undefined {
  if (expression.role !== 'payload') return expression.role;
  const { kind } = expression.node;
  if (kind?.allowsOmit === false) return `a ${kind.name}`;
  if (identity.has(expression)) return 'a field that identifies the object';
  return expression.kind === 'standalone' ? undefined : 'an expression with text around it';
}

function findOmit(ast: Ast): Span | undefined {
  const pending = [ast];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.kind === 'call' && at.name === 'omit' && at.target === undefined) return spanOf(at.span);
    pending.push(...children(at));
  }
  return undefined;
}

function expressionsOf(payload: SourcePayload): readonly SourceExpression[] {
  if (payload.kind === 'standalone') return [payload];
  return payload.kind === 'text' ? payload.parts.filter((part) => typeof part !== 'string') : [];
}
