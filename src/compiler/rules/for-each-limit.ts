import type { Ast, CallNode } from '../../cel/ast.ts';
import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import type { SourceNode } from '../frame.ts';
import type { SourceExpression, SourcePayload, SourceReference } from '../payload.ts';
import type { Rule } from './rule.ts';

const tooManyItems = defineDiagnostic({
  code: 'for-each/too-many-items',
  severity: 'error',
  message: ({ count, limit }: { count: number; limit: number }) => `forEach gives ${count} items, at most ${limit} are allowed`,
  hint: () => 'split the list over several nodes',
});

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
  return ast === undefined ? undefined : new Lengths(references).of(ast);
}

/** What can be told of lists without evaluating anything: a length is the same for every value of the elements. */
class Lengths {
  readonly #references: readonly SourceReference[];

  constructor(references: readonly SourceReference[]) {
    this.#references = references;
  }

  of(ast: Ast): number | undefined {
    switch (ast.kind) {
      case 'list':
        return ast.items.some(({ optional }) => optional) ? undefined : ast.items.length;
      case 'comprehension':
        return ast.form === 'list' && ast.condition === undefined ? this.of(ast.range) : undefined;
      case 'call':
        return this.#ofCall(ast);
      default:
        return lengthOfPayload(this.#literalAt(ast));
    }
  }

  #ofCall({ name, target, args }: CallNode): number | undefined {
    const [first, second] = args;
    if (name === '_+_' && first !== undefined && second !== undefined) {
      const [left, right] = [this.of(first), this.of(second)];
      return left === undefined || right === undefined ? undefined : left + right;
    }
    const isRange = name === 'range' && target?.kind === 'identifier' && target.name === 'lists';
    return isRange && first !== undefined ? this.#numberOf(first) : undefined;
  }

  #numberOf(ast: Ast): number | undefined {
    const payload = this.#literalAt(ast);
    const value = ast.kind === 'literal' ? ast.value : payload?.kind === 'literal' ? payload.value : undefined;
    return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
  }

  /** What a plain selection such as `cfg.a.b` leads to in a def. */
  #literalAt(ast: Ast): SourcePayload | undefined {
    const fields: string[] = [];
    let at = ast;
    while (at.kind === 'select' && !at.optional) {
      fields.push(at.field);
      at = at.operand;
    }
    if (at.kind !== 'identifier') return undefined;
    const { name } = at;
    const node = this.#references.find((reference) => reference.name === name)?.node;
    return node === undefined ? undefined : payloadInDef(node, fields.reverse());
  }
}

/** Of graph nodes the first fields name the nodes inside. */
function payloadInDef(node: SourceNode, [first, ...others]: readonly string[]): SourcePayload | undefined {
  if (first === undefined) return undefined;
  const inner = node.child?.node(first);
  if (inner !== undefined) return payloadInDef(inner, others);
  if (node.kind?.isValue !== true || node.forEach.length > 0) return undefined;
  let at: SourcePayload | undefined = node.content;
  for (const field of [first, ...others]) at = at === undefined ? undefined : memberOf(at, field);
  return at;
}

function lengthOfPayload(payload: SourcePayload | undefined): number | undefined {
  // An element that is an expression may leave itself out.
  if (payload?.kind === 'list') return payload.items.every((item) => item.kind !== 'standalone') ? payload.items.length : undefined;
  return payload?.kind === 'literal' && Array.isArray(payload.value) ? payload.value.length : undefined;
}

function memberOf(payload: SourcePayload, field: string): SourcePayload | undefined {
  if (payload.kind === 'object') return payload.entries.get(field);
  if (payload.kind !== 'literal' || typeof payload.value !== 'object' || payload.value === null) return undefined;
  const entry = Object.entries(payload.value).find(([name]) => name === field);
  return entry === undefined ? undefined : { kind: 'literal', value: entry[1] };
}
