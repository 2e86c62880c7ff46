import type { Expression, GraphProgramNode, Payload, ProgramNode } from '../compiler/program.ts';

/** The expressions of a payload. One by one, for a text may have more of them than a call may have arguments. */
export function expressionsOf(payload: Payload): Expression[] {
  const found: Expression[] = [];
  const pending: Payload[] = [payload];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.kind === 'standalone') found.push(at.expression);
    if (at.kind === 'text') for (const part of at.parts) if (typeof part !== 'string') found.push(part);
    if (at.kind === 'object') for (const entry of at.entries.values()) pending.push(entry);
    if (at.kind === 'list') for (const entry of at.items) pending.push(entry);
  }
  return found;
}

const known = new WeakMap<ProgramNode, readonly ProgramNode[]>();

/** The nodes whose values decide what a node renders, each once, always in the same order. */
export function sourcesOf(node: Exclude<ProgramNode, GraphProgramNode>): readonly ProgramNode[] {
  const found = known.get(node);
  if (found !== undefined) return found;
  const expressions = [...node.forEach.map(({ list }) => list), ...expressionsOf(node.payload)];
  const sources = [...new Set(expressions.flatMap(({ references }) => references))];
  known.set(node, sources);
  return sources;
}
