import type { Ast } from '../../cel/ast.ts';
import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import type { SourceNode } from '../frame.ts';
import type { SourceExpression, SourcePayload } from '../payload.ts';
import type { Rule } from './rule.ts';

const tooManyItems = defineDiagnostic({
  code: 'for-each/too-many-items',
  severity: 'error',
  message: ({ count, limit }: { count: number; limit: number }) => `forEach gives ${count} items, at most ${limit} are allowed`,
  hint: () => 'split the list over several nodes',
});

const NONE: readonly never[] = [];

/** More items than a collection may have are an error already here, when the lists are literal (graph.md 5). */
export const forEachLimit: Rule = {
  after: 'check',
  diagnostics: [tooManyItems],
  node(node, report, { limits }) {
    let count = node.forEach.length === 0 ? 0 : 1;
    for (const { list } of node.forEach) {
      const length = list?.content.kind === 'standalone' ? lengthOf(list.content) : undefined;
      if (length === undefined) return;
      count *= length;
    }
    if (count > limits.collectionSize) report(tooManyItems({ count, limit: limits.collectionSize }, { path: node.place.field('forEach') }));
  },
};

/** The length of a list that is written out, here or in a def; undefined if it is known only when it is evaluated. */
function lengthOf({ ast, references }: SourceExpression): number | undefined {
  if (ast === undefined) return undefined;
  if (ast.kind === 'list') return ast.items.some(({ optional }) => optional) ? undefined : ast.items.length;
  const range = rangeLength(ast);
  if (range !== undefined) return range;
  const [reference] = references;
  return reference?.node === undefined ? undefined : lengthInDef(reference.node, fieldsOf(ast) ?? NONE);
}

function rangeLength(ast: Ast): number | undefined {
  if (ast.kind !== 'call' || ast.name !== 'range' || ast.target?.kind !== 'identifier' || ast.target.name !== 'lists') return undefined;
  const [length] = ast.args;
  return ast.args.length === 1 && length?.kind === 'literal' && typeof length.value === 'number' ? length.value : undefined;
}

/** The fields of a plain selection from a node: of `cfg.a.b` they are a and b. */
function fieldsOf(ast: Ast): readonly string[] | undefined {
  const fields: string[] = [];
  let at = ast;
  while (at.kind === 'select' && !at.optional) {
    fields.push(at.field);
    at = at.operand;
  }
  return at.kind === 'identifier' ? fields.reverse() : undefined;
}

/** Of graph nodes the first fields name the nodes inside. */
function lengthInDef(node: SourceNode, [first, ...others]: readonly string[]): number | undefined {
  if (first === undefined) return undefined;
  const inner = node.child?.node(first);
  if (inner !== undefined) return lengthInDef(inner, others);
  if (node.kind?.isValue !== true || node.forEach.length > 0) return undefined;
  const fields = [first, ...others];
  let at: SourcePayload | undefined = node.content;
  for (const field of fields) at = at === undefined ? undefined : memberOf(at, field);
  if (at?.kind === 'list') return at.items.every((item) => item.kind !== 'standalone') ? at.items.length : undefined;
  return at?.kind === 'literal' && Array.isArray(at.value) ? at.value.length : undefined;
}

function memberOf(payload: SourcePayload, field: string): SourcePayload | undefined {
  if (payload.kind === 'object') return payload.entries.get(field);
  if (payload.kind !== 'literal' || typeof payload.value !== 'object' || payload.value === null) return undefined;
  const entry = Object.entries(payload.value).find(([name]) => name === field);
  return entry === undefined ? undefined : { kind: 'literal', value: entry[1] };
}
