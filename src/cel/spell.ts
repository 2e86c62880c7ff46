import type { Ast } from './ast.ts';

/** The dotted name that a chain of selections spells. */
export function spell(node: Ast): { readonly name: string; readonly absolute: boolean } | undefined {
  if (node.kind === 'identifier') return { name: node.name, absolute: node.absolute };
  if (node.kind !== 'select' || node.optional) return undefined;
  const operand = spell(node.operand);
  return operand === undefined ? undefined : { name: `${operand.name}.${node.field}`, absolute: operand.absolute };
}

/** The name at the beginning of the dotted name that a chain of selections spells. */
export function rootOf(node: Ast): string | undefined {
  let at = node;
  while (at.kind === 'select' && !at.optional) at = at.operand;
  return at.kind === 'identifier' ? at.name : undefined;
}
