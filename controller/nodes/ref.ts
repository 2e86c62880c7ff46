import { printNodePath } from '../../src/api/names.ts';
import { type JsonObject, type KubeObject, printResourceKind } from '../../src/api/object.ts';
import type { RefProgramNode } from '../../src/compiler/program.ts';
import { type LabelSelector, readSelector } from '../../src/engine/selector.ts';
import { aim, kindOf, notServed, type ObjectTarget } from '../../src/engine/target.ts';
import type { ObjectRef } from '../../src/kube/client.ts';
import { isObjectNotFound } from '../../src/kube/error.ts';
import { keyOf } from '../../src/kube/reflector.ts';
import { collectionPath, type ResourceRef } from '../../src/kube/resource.ts';
import type { Outcome, Trouble } from '../../src/runtime/outcome.ts';
import { renderManifest } from '../../src/runtime/render.ts';
import { NO_LOCALS } from '../../src/runtime/scope.ts';
import type { ResourceSchema } from '../../src/schema/snapshot.ts';
import { explain, type Refused } from '../apply/refusal.ts';
import type { ReconcileContext } from '../reconcile/context.ts';
import type { Dealer } from '../watch/dealt.ts';
import { withReadiness } from './publish.ts';

/** Reads an object, or a list of those that a selector selects, as the applier, and publishes it (graph.md 4, 10). */
export async function actRef(node: RefProgramNode, context: ReconcileContext): Promise<Outcome> {
  const rendered = renderManifest(node, NO_LOCALS, context.evaluation);
  if (rendered.word !== 'value') return { word: rendered.word, path: node.path, trouble: [rendered.trouble] };
  const manifest = rendered.value;
  const kind = kindOf(manifest);
  if (typeof kind === 'string') return failed(node, kind);
  const resource = await context.resolveKind(kind);
  if (resource === undefined) return { path: node.path, word: 'waiting', trouble: [notServed(kind).trouble] };
  if (node.by === 'selector') return readList(node, { manifest, resource }, context);
  const aimed = aim({ manifest, nodeKind: 'ref', resource, graphNamespace: context.namespace });
  if (aimed.word !== 'target') return { path: node.path, word: aimed.word, trouble: [aimed.trouble] };
  return readOne(node, aimed.target, context);
}

async function readOne(node: RefProgramNode, target: ObjectTarget, context: ReconcileContext): Promise<Outcome> {
  const { ref, identity } = target;
  const known = await context.coverage.object(ref);
  const former = context.memory.answers.get(printNodePath(node.path));
  if (known.isKnown && (await mayRead('get', ref, context))) {
    if (known.record === undefined) return missing(node, target, context);
    const { uid, resourceVersion } = known.record;
    const isCurrent = (object: KubeObject | undefined): object is KubeObject =>
      object?.metadata.uid === uid && object.metadata.resourceVersion === resourceVersion;
    const answered = [former?.object, context.sharedAnswers.get(context.applierUser, ref)].find(isCurrent);
    if (answered !== undefined) return take(node, ref, answered, context);
  }
  try {
    const object = await context.applier.get(ref, { signal: context.signal });
    context.coverage.observe(ref, object.metadata, dealerOf(node));
    context.sharedAnswers.set(context.applierUser, ref, object);
    return await take(node, ref, object, context);
  } catch (error) {
    if (isObjectNotFound(error, ref)) return missing(node, target, context);
    return refused(node, explain(error, { user: context.applierUser, plural: ref.plural, identity, payload: node.payload }));
  }
}

/** Publishes an answer, and remembers it. */
function take(node: RefProgramNode, ref: ObjectRef, object: KubeObject, context: ReconcileContext): Promise<Outcome> {
  const { uid = '', resourceVersion = '' } = object.metadata;
  context.memory.answers.set(printNodePath(node.path), { uid, resourceVersion, digest: '', mark: undefined, ownsUnseen: false, object });
  context.coverage.dealt(ref, dealerOf(node), resourceVersion);
  return publish(node, object, context);
}

function dealerOf({ path }: RefProgramNode): Dealer {
  return `read ${printNodePath(path)}`;
}

async function readList(
  node: RefProgramNode,
  { manifest, resource }: { readonly manifest: JsonObject; readonly resource: ResourceSchema },
  context: ReconcileContext,
): Promise<Outcome> {
  if (resource.verbs.size > 0 && !resource.verbs.has('list'))
    return failed(node, `${printResourceKind(resource.kind)} does not support list`);
  const metadata = isObject(manifest['metadata']) ? manifest['metadata'] : {};
  const { namespace, selector: written } = metadata;
  if (namespace !== undefined && namespace !== null && typeof namespace !== 'string')
    return failed(node, 'metadata.namespace must be a string');
  const selector = readSelector(written);
  if (typeof selector === 'string') return failed(node, selector);
  const { group, version } = resource.kind;
  const where = { group, version, plural: resource.plural, ...(typeof namespace === 'string' && resource.namespaced ? { namespace } : {}) };
  return listSelected(node, { where, selector, kind: resource.kind.kind }, context);
}

interface Selected {
  readonly where: ResourceRef;
  readonly selector: LabelSelector;
  readonly kind: string;
}

async function listSelected(node: RefProgramNode, { where, selector, kind }: Selected, context: ReconcileContext): Promise<Outcome> {
  const key = printNodePath(node.path);
  const watched = await context.coverage.selector(where, key, selector);
  const former = context.memory.lists.get(key);
  const scope = collectionPath(where);
  const isCurrent = watched !== undefined && !watched.isStale && former?.query === selector.query && former.scope === scope;
  if (isCurrent && (await mayRead('list', where, context))) return publish(node, former.items, context);
  // Before it is asked for: what makes the list stale while the answer is on its way must not be forgotten.
  if (watched !== undefined) watched.isStale = false;
  try {
    const items = await listAll(where, selector, context);
    if (watched !== undefined) watched.versions = new Map(items.map((item) => [keyOf(item), item.metadata.resourceVersion ?? '']));
    context.memory.lists.set(key, { query: selector.query, scope, items });
    return publish(node, items, context);
  } catch (error) {
    if (watched !== undefined) watched.isStale = true;
    const identity = { group: where.group, kind, namespace: where.namespace ?? '', name: '*' };
    return refused(node, explain(error, { user: context.applierUser, plural: where.plural, identity, payload: node.payload }));
  }
}

const PAGE = 500;

/** Everything selected, ordered by namespace, then name. */
async function listAll(where: ResourceRef, selector: LabelSelector, context: ReconcileContext): Promise<KubeObject[]> {
  const items: KubeObject[] = [];
  let next = '';
  do {
    const page = await context.applier.list(where, { labelSelector: selector.query, limit: PAGE, continue: next, signal: context.signal });
    for (const item of page.items) items.push(item);
    next = page.continue;
  } while (next !== '');
  return items.sort((a, b) => compare(a.metadata.namespace ?? '', b.metadata.namespace ?? '') || compare(a.metadata.name, b.metadata.name));
}

/** A cached answer is used only while the applier may read (graph.md 9). */
function mayRead(verb: 'get' | 'list', { group, plural, namespace }: ResourceRef, context: ReconcileContext): Promise<boolean> {
  return context.access.can(context.applierUser, { verb, group, plural, namespace }, context.signal);
}

function publish(node: RefProgramNode, value: KubeObject | readonly KubeObject[], context: ReconcileContext): Promise<Outcome> {
  return withReadiness({ node, outcome: { word: 'read', path: node.path }, value, context });
}

/** That it comes is news, also where the Graph itself makes it. */
function missing(node: RefProgramNode, { identity, ref }: ObjectTarget, context: ReconcileContext): Outcome {
  context.coverage.dealt(ref, dealerOf(node), '');
  const trouble: Trouble = { reason: 'DataPending', identity, message: 'does not exist (yet)' };
  return { word: 'waiting', path: node.path, trouble: [trouble] };
}

function refused(node: RefProgramNode, { word, trouble }: Refused): Outcome {
  return { word, path: node.path, trouble: [trouble] };
}

function failed(node: RefProgramNode, message: string): Outcome {
  return { word: 'failed', path: node.path, trouble: [{ reason: 'ApplyFailed', message }] };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
