import { setImmediate as breathe } from 'node:timers/promises';
import { isEqualJson } from '../../src/api/is-equal-json.ts';
import { printNodePath } from '../../src/api/names.ts';
import { identityKey, type JsonObject } from '../../src/api/object.ts';
import type { PatchProgramNode, Program, ProgramNode, TemplateProgramNode } from '../../src/compiler/program.ts';
import { claimKey } from '../../src/engine/claims.ts';
import { inheritedLabels, inShard } from '../../src/engine/shard.ts';
import { stamp } from '../../src/engine/stamp.ts';
import { aim, inNamespace, kindOf, type ObjectTarget } from '../../src/engine/target.ts';
import { printJson } from '../../src/kube/json.ts';
import { expand } from '../../src/runtime/expand.ts';
import type { Outcome, Trouble } from '../../src/runtime/outcome.ts';
import { renderManifest } from '../../src/runtime/render.ts';
import type { Locals } from '../../src/runtime/scope.ts';
import type { ObjectItem } from '../apply/item.ts';
import { digestOf } from '../apply/live.ts';
import type { ReconcileContext } from '../reconcile/context.ts';
import { WORTH_KEEPING } from '../reconcile/renderings.ts';
import { ServedKinds } from '../reconcile/served-kinds.ts';

/** One rendered item, before anything is written. */
export interface RenderedItem<N extends ObjectNode = ObjectNode> extends ObjectItem<N> {
  readonly word: 'rendered';
}

/** A node that writes objects. */
export type ObjectNode = TemplateProgramNode | PatchProgramNode;

/** An item that cannot be written, and whether that may pass. */
export interface UnrenderedItem {
  readonly word: 'waiting' | 'failed';
  readonly trouble: Trouble;
}

/** The items of a node; or why there are none. */
export type RenderedItems<N extends ObjectNode> =
  | { readonly word: 'items'; readonly items: readonly (RenderedItem<N> | UnrenderedItem)[] }
  | { readonly word: 'waiting' | 'failed'; readonly trouble: Trouble };

/** All that a node was rendered to, and what that rests on beside the values that it read. */
export interface RenderedNode {
  readonly items: readonly (RenderedItem | UnrenderedItem)[];
  /** How the kinds of the items were served. */
  readonly kinds: ServedKinds;
  /** The labels that Graphs among the items inherit. */
  readonly shardLabels: JsonObject;
  /** Characters of all manifests. */
  readonly size: number;
}

/**
 * Expands and renders a template or patch node, aims each item and claims its identity (graph.md 8.4). Notes in the findings whether every
 * identity of the node is known: only then may what it no longer renders be pruned.
 */
export async function renderItems<N extends ObjectNode>(node: N, context: ReconcileContext): Promise<RenderedItems<N>> {
  const shardLabels = inheritedLabels(context.graph.metadata.labels, context.shardKeys);
  const known = context.memory.renderings.recall(node, context.scope);
  const rendered =
    known !== undefined && (await isValid(known, shardLabels, context)) ? known : await renderAnew(node, shardLabels, context);
  if ('trouble' in rendered) return rendered;
  // What was rendered of a node is of its own kind.
  const items = (rendered.items as readonly (RenderedItem<N> | UnrenderedItem)[]).map((item) =>
    item.word === 'rendered' ? (refused(item, context) ?? item) : item,
  );
  if (items.every(({ word }) => word === 'rendered')) context.findings.resolved.add(printNodePath(node.path));
  return { word: 'items', items };
}

/** So many items are dealt with before the event loop is given back. */
export const ITEMS_A_TURN = 25;

/** Whether what the values do not tell is as it was, too. */
async function isValid({ kinds, shardLabels }: RenderedNode, labels: JsonObject, context: ReconcileContext): Promise<boolean> {
  return (await kinds.areSame(context)) && isEqualJson(shardLabels, labels);
}

async function renderAnew(node: ObjectNode, shardLabels: JsonObject, context: ReconcileContext): Promise<RenderedNode | UnrenderedItem> {
  const bindings = expand(node, context.evaluation, context.program.collectionLimit);
  if (bindings.word !== 'value') return bindings;
  const items: (RenderedItem | UnrenderedItem)[] = [];
  const work: Work = { node, count: bindings.value.length, shardLabels, context, kinds: new ServedKinds(), size: 0 };
  for (const [index, locals] of bindings.value.entries()) {
    if (index % ITEMS_A_TURN === ITEMS_A_TURN - 1) await breathe();
    context.signal.throwIfAborted();
    items.push(await renderItem(locals, index, work));
  }
  const rendered: RenderedNode = { items, kinds: work.kinds, shardLabels, size: work.size };
  if (isWorthKeeping(items, context.program)) context.memory.renderings.keep(node, context.scope, rendered);
  return rendered;
}

function isWorthKeeping(items: RenderedNode['items'], { nodes }: Program): boolean {
  return (items.length >= WORTH_KEEPING || nodes.length >= WORTH_KEEPING) && items.every(({ word }) => word === 'rendered');
}

interface Work {
  readonly node: ObjectNode;
  readonly count: number;
  readonly shardLabels: JsonObject;
  readonly context: ReconcileContext;
  readonly kinds: ServedKinds;
  size: number;
}

async function renderItem(locals: Locals, index: number, work: Work): Promise<RenderedItem | UnrenderedItem> {
  const { node, context } = work;
  const rendered = renderManifest(node, locals, context.evaluation);
  if (rendered.word !== 'value') return rendered;
  const kind = kindOf(rendered.value);
  const resource = typeof kind === 'string' ? undefined : await work.kinds.resolve(kind, context);
  const aimed = aim({ manifest: rendered.value, nodeKind: node.kind, resource, graphNamespace: context.namespace });
  if (aimed.word !== 'target') return aimed;
  const { target } = aimed;
  const placed = inNamespace(rendered.value, target);
  const manifest = node.kind === 'template' ? stamped(node, placed, index, work) : placed;
  const text = printJson(manifest);
  work.size += text.length;
  const key = identityKey(target.identity);
  const answerKey = `${printNodePath(node.path)}\n${key}`;
  return { word: 'rendered', node, target, key, answerKey, manifest, digest: digestOf(text), index };
}

function stamped(node: TemplateProgramNode, manifest: JsonObject, index: number, { count, shardLabels, context }: Work): JsonObject {
  const item = node.forEach.length === 0 ? undefined : { index, size: count };
  const { path, wave } = node;
  return stamp(inShard(manifest, shardLabels), { path, wave: Math.max(1, wave), graphUid: context.graphUid, item });
}

/** Why an item may not be written, if it may not; else its identity is taken, and wanted. */
function refused({ node, target, key, index }: RenderedItem, context: ReconcileContext): UnrenderedItem | undefined {
  const { identity } = target;
  const space = node.kind === 'patch' ? printNodePath(node.path) : '';
  const collision = context.collisions.get(claimKey(key, space));
  if (collision !== undefined) return { word: 'failed', trouble: { reason: 'ApplyFailed', identity, message: collision } };
  const holder = context.claims.claim(claimKey(key, space), { path: node.path, item: node.forEach.length === 0 ? undefined : index });
  if (holder !== undefined) return taken(holder.path, node, target);
  if (node.kind === 'template' && isItself(target, context))
    return { word: 'failed', trouble: { reason: 'ApplyFailed', identity, message: 'a Graph cannot be its own object' } };
  if (node.kind === 'template') context.findings.wanted.add(key);
  return undefined;
}

function taken(holder: readonly string[], node: ProgramNode, { identity }: ObjectTarget): UnrenderedItem {
  const isOwn = printNodePath(holder) === printNodePath(node.path);
  const message = isOwn ? 'two items render this same object' : `node "${printNodePath(holder)}" renders this same object`;
  return { word: 'failed', trouble: { reason: 'ApplyFailed', identity, message } };
}

function isItself({ identity }: ObjectTarget, { graph, namespace }: ReconcileContext): boolean {
  return (
    identity.group === 'kro.run' && identity.kind === 'Graph' && identity.namespace === namespace && identity.name === graph.metadata.name
  );
}

/** The outcome of a node none of whose items could be rendered. */
export function unrendered(node: ProgramNode, { word, trouble }: UnrenderedItem): Outcome {
  return { word, path: node.path, trouble: [trouble] };
}
