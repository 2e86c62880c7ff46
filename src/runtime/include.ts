import { isDouble, isInt, isList, isMap, Optional, type Value } from '../cel/value.ts';
import type { Expression, ProgramNode } from '../compiler/program.ts';
import { type EvaluationContext, type EvaluationFailure, evaluate, misfit } from './evaluate.ts';
import { type Locals, NO_LOCALS } from './scope.ts';

/** Whether a node takes part in this walk. */
export type Inclusion = { readonly word: 'included' } | { readonly word: 'skipped' } | EvaluationFailure;

const INCLUDED: Inclusion = { word: 'included' };
const SKIPPED: Inclusion = { word: 'skipped' };

/**
 * Decides includeWhen: a node that depends on a skipped one, or stands within one, is skipped without evaluating anything; else every
 * condition must hold, and the first that does not decides (graph.md 5). Whoever walks then calls `scope.skip`.
 */
export function include(node: ProgramNode, context: EvaluationContext): Inclusion {
  if (context.scope.isSkipped(node)) return SKIPPED;
  if (node.dependencies.some(({ follows }) => context.scope.isSkipped(follows))) return SKIPPED;
  for (const condition of node.includeWhen) {
    const holds = holdsFor(condition, NO_LOCALS, context);
    if (typeof holds !== 'boolean') return holds;
    if (!holds) return SKIPPED;
  }
  return INCLUDED;
}

/** Evaluates a condition: true, false (also an empty optional and null), or a failure; any other value is hard (graph.md 5). */
export function holdsFor(condition: Expression, locals: Locals, context: EvaluationContext): boolean | EvaluationFailure {
  const result = evaluate(condition, locals, context);
  if (result.word !== 'value') return result;
  const value = result.value instanceof Optional ? (result.value.value ?? null) : result.value;
  if (typeof value === 'boolean') return value;
  if (value === null) return false;
  return misfit(condition, `expected bool, found ${nameOfType(value)}`);
}

function nameOfType(value: Value): string {
  if (typeof value === 'string') return 'string';
  if (isInt(value)) return 'int';
  if (isDouble(value)) return 'double';
  if (isList(value)) return 'list';
  if (isMap(value)) return 'map';
  return 'another type';
}
