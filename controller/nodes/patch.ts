import type { PatchProgramNode } from '../../src/compiler/program.ts';
import type { Outcome } from '../../src/runtime/outcome.ts';
import { allEnded } from '../all-ended.ts';
import { contribute, contributionOf, type PatchItem } from '../apply/contribute.ts';
import { contributionKey } from '../inventory/ledger.ts';
import type { ReconcileContext } from '../reconcile/context.ts';
import { combine, countOutcomes, type ItemOutcome } from './collection.ts';
import { type RenderedItem, renderItems, unrendered } from './rendered.ts';
import { tooLarge } from './template.ts';

/** Contributes a patch's fields to its target, or to each target of its collection (graph.md 4, 10). It publishes nothing. */
export async function actPatch(node: PatchProgramNode, context: ReconcileContext): Promise<Outcome> {
  const rendered = await renderItems(node, context);
  if (rendered.word !== 'items') return unrendered(node, rendered);
  const items = rendered.items.map((item) => (item.word === 'rendered' ? prepare(item) : item));
  const entries = items.flatMap((item) => ('manifest' in item ? [contributionOf(item, context.graphUid)] : []));
  for (const entry of entries) context.findings.wantedContributions.add(contributionKey(entry));
  if (!(await context.announce([], entries))) return tooLarge(node);
  const results = await allEnded(
    items.map((item): ItemOutcome | Promise<ItemOutcome> =>
      'manifest' in item ? context.limiter.run(() => contribute(item, context)) : item,
    ),
  );
  countOutcomes(results, context.counts);
  return combine(node, results);
}

function prepare(item: RenderedItem<PatchProgramNode>): PatchItem {
  const hasStatus = Object.hasOwn(item.manifest, 'status');
  return { ...item, subresource: item.node.subresource ?? (hasStatus ? 'status' : undefined) };
}
