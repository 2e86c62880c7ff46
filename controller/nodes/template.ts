import { setImmediate as breathe } from 'node:timers/promises';
import type { ManagedResource } from '../../src/api/graph.ts';
import { printNodePath } from '../../src/api/names.ts';
import { type KubeObject, printIdentity } from '../../src/api/object.ts';
import type { TemplateProgramNode } from '../../src/compiler/program.ts';
import type { Outcome, Trouble } from '../../src/runtime/outcome.ts';
import { allEnded } from '../all-ended.ts';
import { applyTemplate } from '../apply/apply.ts';
import { type Applied, entryOfItem, type TemplateItem } from '../apply/item.ts';
import { explain } from '../apply/refusal.ts';
import { hasMoved, settledAtOnce } from '../apply/settled.ts';
import { placeOfItem } from '../inventory/place.ts';
import { sooner } from '../queue/sooner.ts';
import type { ReconcileContext } from '../reconcile/context.ts';
import { markKey, markOf } from '../watch/record.ts';
import { combine, countOutcomes, type ItemOutcome } from './collection.ts';
import { withReadiness } from './publish.ts';
import { ITEMS_A_TURN, type RenderedItem, renderItems, type UnrenderedItem, unrendered } from './rendered.ts';

/** Applies a template's object, or each item of its collection, and publishes what is live (graph.md 4, 9). */
export async function actTemplate(node: TemplateProgramNode, context: ReconcileContext): Promise<Outcome> {
  const rendered = await renderItems(node, context);
  if (rendered.word !== 'items') return unrendered(node, rendered);
  const { items } = rendered;
  const entries: ManagedResource[] = [];
  for (const item of items) {
    if (item.word !== 'rendered') continue;
    context.findings.places.set(item.key, placeOfItem(node, item.index));
    if (!context.ledger.knows(item.key)) entries.push(entryOfItem(item));
  }
  const refs = items.flatMap((item) => (item.word === 'rendered' ? [item.target.ref] : []));
  const [hasRoom] = await allEnded([context.announce(entries, []), context.coverage.cover(refs)]);
  if (!hasRoom) return tooLarge(node);
  const results = await bringAll(items, context);
  const outcomes = results.map((result) => result.outcome);
  countOutcomes(outcomes, context.counts);
  const outcome = combine(node, outcomes);
  if (outcome.word !== 'applied' && outcome.word !== 'unchanged') return outcome;
  if (!context.isRead(node)) return outcome;
  const objects = results.map(({ object }) => object).filter((object) => object !== undefined);
  return withReadiness({ node, outcome, value: node.publishesList ? objects : objects[0], context });
}

/** The inventory would hold more than it may, so nothing of the node is written (graph.md 12.8). */
export function tooLarge(node: { readonly path: readonly string[] }): Outcome {
  const message = 'the inventory would exceed 5000 entries, or the Graph 1 MiB: nothing of this node is written';
  return { word: 'failed', path: node.path, trouble: [{ reason: 'ApplyFailed', message }] };
}

type Item = RenderedItem<TemplateProgramNode> | UnrenderedItem;

interface Brought {
  readonly outcome: ItemOutcome;
  readonly object: KubeObject | undefined;
}

/** Those of which something is known to have become go first: their requests are on the way while the others are compared. */
async function bringAll(items: readonly Item[], context: ReconcileContext): Promise<readonly Brought[]> {
  const results = new Map<Item, Brought>();
  const moved = items.filter((item) => 'manifest' in item && hasMoved(item, context));
  await allEnded([bringInto(results, moved, context), bringOthers(results, items, new Set(moved), context)]);
  return items.map((item) => results.get(item)).filter((result) => result !== undefined);
}

async function bringInto(results: Map<Item, Brought>, items: readonly Item[], context: ReconcileContext): Promise<void> {
  const bringOne = async (item: Item): Promise<void> => {
    const result = 'manifest' in item ? await context.limiter.run(() => bring(item, context)) : { outcome: item, object: undefined };
    results.set(item, result);
  };
  await allEnded(items.map(bringOne));
}

async function bringOthers(
  results: Map<Item, Brought>,
  items: readonly Item[],
  moved: ReadonlySet<Item>,
  context: ReconcileContext,
): Promise<void> {
  const unsettled: Item[] = [];
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_A_TURN === ITEMS_A_TURN - 1) await breathe();
    context.signal.throwIfAborted();
    if (moved.has(item)) continue;
    const settled = 'manifest' in item ? settledAtOnce(item, context) : undefined;
    if (settled === undefined) unsettled.push(item);
    else results.set(item, plain(settled));
  }
  await bringInto(results, unsettled, context);
}

async function bring(item: TemplateItem, context: ReconcileContext): Promise<Brought> {
  context.assertWanted();
  if (item.node.forEach.length === 0) return plain(await applyTemplate(item, context));
  const { refusals } = context.memory;
  const known = context.coverage.peek(item.target.ref);
  const resourceVersion = known.isKnown ? known.record?.resourceVersion : undefined;
  const refused = refusals.counts({ ...item, resourceVersion }, context.now());
  if (refused !== undefined) return keep(item, refused, context);
  const applied = await applyTemplate(item, context);
  if ('trouble' in applied) return alone(item, applied, context);
  refusals.forget(item.key);
  return plain(applied);
}

function plain(applied: Applied): Brought {
  if ('trouble' in applied) return { outcome: { word: applied.word, trouble: applied.trouble }, object: undefined };
  return { outcome: { word: applied.word }, object: applied.object };
}

/** An item fails alone (graph.md 9): a refused update keeps what is live and warns; a refused create may pass, unless the object is invalid. */
async function alone(
  item: TemplateItem,
  refused: Extract<Applied, { readonly trouble: Trouble }>,
  context: ReconcileContext,
): Promise<Brought> {
  const { trouble, live, word, isByServer, isInvalid } = refused;
  if (!isByServer || word === 'waiting') return plain(refused);
  // What is not there, or is another's that we may not take over, was not made.
  if (live === undefined || !live.marks.has(markKey(context.memory.manager, undefined)))
    return { outcome: { word: isInvalid ? 'failed' : 'waiting', trouble }, object: undefined };
  const warning = { ...trouble, message: `update refused, the live object stays as it is: ${trouble.message}` };
  context.tell('Warning', 'UpdateRefused', `${printNodePath(item.node.path)}: ${printIdentity(item.target.identity)}: ${warning.message}`);
  context.memory.refusals.note({ ...item, resourceVersion: live.resourceVersion }, warning, context.now());
  return keep(item, warning, context);
}

async function keep(item: TemplateItem, warning: Trouble, context: ReconcileContext): Promise<Brought> {
  const { ref, identity } = item.target;
  const former = context.memory.answers.get(item.answerKey);
  const known = context.coverage.peek(ref);
  try {
    const isCurrent = known.isKnown && former?.object !== undefined && known.record?.resourceVersion === former.resourceVersion;
    const object = isCurrent ? former.object : await context.applier.get(ref, { signal: context.signal });
    const uid = object.metadata.uid ?? '';
    context.coverage.observe(ref, object.metadata, item.answerKey);
    if (markOf(object.metadata.managedFields, context.memory.manager, undefined) === undefined)
      return { outcome: { word: 'waiting', trouble: warning }, object: undefined };
    if (former !== undefined)
      context.memory.answers.set(item.answerKey, {
        ...former,
        digest: '',
        object,
        resourceVersion: object.metadata.resourceVersion ?? '',
      });
    // Ours, but not applied by this applier (graph.md 12.5).
    if (context.mustApply) context.ledger.proved(entryOfItem(item), uid);
    else context.ledger.applied({ ...entryOfItem(item), uid });
    context.findings.uids.add(uid);
    context.findings.again = sooner(context.findings.again, context.memory.refusals.again(item.key, context.now()));
    return { outcome: { word: 'unchanged', warning }, object };
  } catch (error) {
    const { word, trouble } = explain(error, {
      user: context.applierUser,
      plural: ref.plural,
      identity,
      payload: item.node.payload,
    });
    return { outcome: { word, trouble }, object: undefined };
  }
}
