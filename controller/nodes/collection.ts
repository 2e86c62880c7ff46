import type { ProgramNode } from '../../src/compiler/program.ts';
import type { Outcome, Trouble } from '../../src/runtime/outcome.ts';
import type { Counts } from '../reconcile/context.ts';

/** What came of one item of a node, or of the one item of a node that is no collection. */
export type ItemOutcome =
  | { readonly word: 'applied' | 'unchanged'; readonly warning?: Trouble | undefined }
  | { readonly word: 'waiting' | 'failed'; readonly trouble: Trouble };

/**
 * The outcome of a node of these items (graph.md 9): hard if any is, else soft if any is, else applied; every item's trouble is told, and a hard
 * node tells the soft ones too.
 */
export function combine(node: ProgramNode, items: readonly ItemOutcome[]): Outcome {
  const failed = items.filter((item) => item.word === 'failed').flatMap(troubleOf);
  const waiting = items.filter((item) => item.word === 'waiting').flatMap(troubleOf);
  if (failed.length > 0) return { word: 'failed', path: node.path, trouble: [...failed, ...waiting] };
  if (waiting.length > 0) return { word: 'waiting', path: node.path, trouble: waiting };
  const warnings = items.flatMap((item) => ('warning' in item && item.warning !== undefined ? [item.warning] : []));
  const word = items.some((item) => item.word === 'applied') ? 'applied' : 'unchanged';
  return { word, path: node.path, ...(warnings.length === 0 ? {} : { warnings }) };
}

/** Counts the items by what came of them. */
export function countOutcomes(items: readonly ItemOutcome[], counts: Pick<Counts, 'applied'>): void {
  for (const [word, alike] of Map.groupBy(items, (item) => item.word)) counts.applied(word, alike.length);
}

function troubleOf(item: ItemOutcome): Trouble[] {
  return 'trouble' in item ? [item.trouble] : [];
}
