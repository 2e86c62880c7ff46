import type { ProgramNode } from '../compiler/program.ts';
import type { EvaluationContext } from '../runtime/evaluate.ts';
import { include } from '../runtime/include.ts';
import type { Outcome } from '../runtime/outcome.ts';

/**
 * Whether a node takes part in a walk (graph.md 5): what depends on a skipped node is skipped, also where nothing can be evaluated yet
 * (`canEvaluate` false: a node that it depends on has not published); else its includeWhen decides.
 */
export function decide(node: ProgramNode, canEvaluate: boolean, context: EvaluationContext): 'included' | 'skipped' | Outcome {
  const { scope } = context;
  if (scope.isSkipped(node) || node.dependencies.some(({ follows }) => scope.isSkipped(follows))) return 'skipped';
  if (!canEvaluate) return 'included';
  const inclusion = include(node, context);
  if (inclusion.word === 'included' || inclusion.word === 'skipped') return inclusion.word;
  return { word: inclusion.word, path: node.path, trouble: [inclusion.trouble] };
}
