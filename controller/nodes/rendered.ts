import { setImmediate as breathe } from 'node:timers/promises';
import { printNodePath } from '../../src/api/names.ts';
import { identityKey, type JsonObject } from '../../src/api/object.ts';
import type { PatchProgramNode, ProgramNode, TemplateProgramNode } from '../../src/compiler/program.ts';
import { aim, inNamespace, kindOf, type ObjectTarget } from '../../src/engine/target.ts';
import { expand } from '../../src/runtime/expand.ts';
import type { Outcome, Trouble } from '../../src/runtime/outcome.ts';
import { renderManifest } from '../../src/runtime/render.ts';
import type { Locals } from '../../src/runtime/scope.ts';
import type { ReconcileContext } from '../reconcile/context.ts';

/** One rendered item, before anything is written. */
export interface RenderedItem {
  readonly word: 'rendered';
  readonly target: ObjectTarget;
  /** With its namespace. */
  readonly manifest: JsonObject;
  readonly index: number;
  readonly size: number;
}

/** An item that cannot be written, and whether that may pass. */
export interface UnrenderedItem {
  readonly word: 'waiting' | 'failed';
  readonly trouble: Trouble;
}

/** The items of a node; or why there are none. */
export type RenderedItems =
  | { readonly word: 'items'; readonly items: readonly (RenderedItem | UnrenderedItem)[] }
  | { readonly word: 'waiting' | 'failed'; readonly trouble: Trouble };

/**
 * Expands and renders a template or patch node, aims each item and claims its identity (graph.md 8.4). Notes in the findings whether every
 * identity of the node is known: only then may what it no longer renders be pruned.
 */
export async function renderItems(node: TemplateProgramNode | PatchProgramNode, context: ReconcileContext): Promise<RenderedItems> {
  const bindings = expand(node, context.evaluation, context.program.collectionLimit);
  if (bindings.word !== 'value') return bindings;
  const items: (RenderedItem | UnrenderedItem)[] = [];
  const size = bindings.value.length;
  for (const [index, locals] of bindings.value.entries()) {
    if (index % ITEMS_A_TURN === ITEMS_A_TURN - 1) await breathe();
    context.signal.throwIfAborted();
    items.push(await renderItem(node, locals, { index, size }, context));
  }
  if (items.every(({ word }) => word === 'rendered')) context.findings.resolved.add(printNodePath(node.path));
  return { word: 'items', items };
}

/** So many items are dealt with before the event loop is given back. */
export const ITEMS_A_TURN = 25;

async function renderItem(
  node: TemplateProgramNode | PatchProgramNode,
  locals: Locals,
  place: { readonly index: number; readonly size: number },
  context: ReconcileContext,
): Promise<RenderedItem | UnrenderedItem> {
  const rendered = renderManifest(node, locals, context.evaluation);
  if (rendered.word !== 'value') return rendered;
  const manifest = rendered.value;
  const kind = kindOf(manifest);
  const resource = typeof kind === 'string' ? undefined : await context.resolveKind(kind);
  const aimed = aim({ manifest, nodeKind: node.kind, resource, graphNamespace: context.namespace });
  if (aimed.word !== 'target') return aimed;
  const { target } = aimed;
  const space = node.kind === 'patch' ? printNodePath(node.path) : '';
  const collision = context.collisions.get(`${space}\n${identityKey(target.identity)}`);
  if (collision !== undefined) return { word: 'failed', trouble: { reason: 'ApplyFailed', identity: target.identity, message: collision } };
  const claimant = { path: node.path, item: node.forEach.length === 0 ? undefined : place.index };
  const holder = context.claims.claim(target.identity, claimant, space);
  if (holder !== undefined) return taken(holder.path, node, target);
  if (isItself(target, context))
    return { word: 'failed', trouble: { reason: 'ApplyFailed', identity: target.identity, message: 'a Graph cannot be its own object' } };
  if (node.kind === 'template') context.findings.wanted.add(identityKey(target.identity));
  return { word: 'rendered', target, manifest: inNamespace(manifest, target), ...place };
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
