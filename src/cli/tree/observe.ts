import { type Identity, type JsonObject, type KubeObject, printResourceKind, type ResourceKind } from '../../api/object.ts';
import { Budget, RECONCILE_LIMITS } from '../../cel/budget.ts';
import type { Value } from '../../cel/value.ts';
import type { Program, ProgramNode } from '../../compiler/program.ts';
import { decide } from '../../engine/decide.ts';
import { whyNotReady } from '../../engine/readiness.ts';
import { readSelector } from '../../engine/selector.ts';
import { aim, kindOf } from '../../engine/target.ts';
import { type LeafNode, walk } from '../../engine/walk.ts';
import type { KubeClient } from '../../kube/client.ts';
import { ApiError, isObjectNotFound } from '../../kube/error.ts';
import type { EvaluationContext } from '../../runtime/evaluate.ts';
import { expand } from '../../runtime/expand.ts';
import type { Outcome, Trouble } from '../../runtime/outcome.ts';
import { type ObjectProgramNode, renderManifest, renderValue } from '../../runtime/render.ts';
import { NO_LOCALS, Scope } from '../../runtime/scope.ts';
import type { ResourceSchema } from '../../schema/snapshot.ts';

/** What is needed to look at a Graph's objects. */
export interface Observation {
  readonly program: Program;
  /** Reads as the person who looks; nothing is written. */
  readonly client: KubeClient;
  readonly namespace: string;
  /** The kind as the cluster serves it now; undefined: it does not. */
  readonly resolveKind: (kind: ResourceKind) => Promise<ResourceSchema | undefined>;
  readonly signal: AbortSignal;
}

/** One node as it is now. */
export interface SeenNode {
  readonly node: ProgramNode;
  readonly outcome: Outcome | undefined;
  /** The objects that it stands for, whether or not they exist. */
  readonly objects: readonly Identity[];
}

/** Walks a Program reading where the controller would write, and tells what each node stands for and how it fares. */
export async function observe(observation: Observation): Promise<readonly SeenNode[]> {
  const context: EvaluationContext = { scope: new Scope(), budget: new Budget(RECONCILE_LIMITS) };
  const objects = new Map<ProgramNode, Identity[]>();
  const outcomes = await walk(
    observation.program,
    {
      scope: context.scope,
      include: (node, canEvaluate) => decide(node, canEvaluate, context),
      act: (node) => look(node, { ...observation, context, objects }),
    },
    observation.signal,
  );
  return observation.program.nodes.map((node) => ({ node, outcome: outcomes.get(node), objects: objects.get(node) ?? [] }));
}

interface Look extends Observation {
  readonly context: EvaluationContext;
  readonly objects: Map<ProgramNode, Identity[]>;
}

async function look(node: LeafNode, look: Look): Promise<Outcome> {
  if (node.kind === 'def') return lookAtValue(node, look);
  if (node.kind === 'ref' && node.by === 'selector') return lookAtSelection(node, look);
  return lookAtObjects(node, look);
}

function lookAtValue(node: Extract<LeafNode, { kind: 'def' }>, look: Look): Promise<Outcome> | Outcome {
  const bindings = expand(node, look.context, look.program.collectionLimit);
  if (bindings.word !== 'value') return { word: bindings.word, path: node.path, trouble: [bindings.trouble] };
  const values: Value[] = [];
  for (const locals of bindings.value) {
    const rendered = renderValue(node, locals, look.context);
    if (rendered.word !== 'value') return { word: rendered.word, path: node.path, trouble: [rendered.trouble] };
    values.push(rendered.value);
  }
  return publish(node, node.publishesList ? values : values[0], look);
}

async function lookAtObjects(node: ObjectProgramNode, look: Look): Promise<Outcome> {
  const bindings = expand(node, look.context, look.program.collectionLimit);
  if (bindings.word !== 'value') return { word: bindings.word, path: node.path, trouble: [bindings.trouble] };
  const found: KubeObject[] = [];
  const troubles: Trouble[] = [];
  let isHard = false;
  for (const locals of bindings.value) {
    const rendered = renderManifest(node, locals, look.context);
    const item = rendered.word === 'value' ? await readItem(node, rendered.value, look) : rendered;
    if (item.word === 'object') found.push(item.object);
    else {
      isHard ||= item.word === 'failed';
      troubles.push(item.trouble);
    }
  }
  if (troubles.length > 0) return { word: isHard ? 'failed' : 'waiting', path: node.path, trouble: troubles };
  if (node.kind === 'patch') return { word: 'read', path: node.path };
  return publish(node, node.publishesList ? found : found[0], look);
}

type Item = { readonly word: 'object'; readonly object: KubeObject } | { readonly word: 'waiting' | 'failed'; readonly trouble: Trouble };

async function readItem(node: ObjectProgramNode, manifest: JsonObject, look: Look): Promise<Item> {
  const kind = kindOf(manifest);
  const resource = typeof kind === 'string' ? undefined : await look.resolveKind(kind);
  const aimed = aim({ manifest, nodeKind: node.kind, resource, graphNamespace: look.namespace });
  if (aimed.word !== 'target') return aimed;
  const { identity, ref } = aimed.target;
  note(look, node, identity);
  try {
    return { word: 'object', object: await look.client.get(ref, { signal: look.signal }) };
  } catch (error) {
    if (isObjectNotFound(error, ref)) return waiting({ identity, message: 'does not exist (yet)' });
    if (error instanceof ApiError) return { word: 'failed', trouble: { reason: 'ApplyFailed', identity, message: error.message } };
    throw error;
  }
}

async function lookAtSelection(node: Extract<LeafNode, { kind: 'ref' }>, look: Look): Promise<Outcome> {
  const rendered = renderManifest(node, NO_LOCALS, look.context);
  if (rendered.word !== 'value') return { word: rendered.word, path: node.path, trouble: [rendered.trouble] };
  const kind = kindOf(rendered.value);
  const resource = typeof kind === 'string' ? undefined : await look.resolveKind(kind);
  if (typeof kind === 'string' || resource === undefined) {
    const message = typeof kind === 'string' ? kind : `the cluster does not serve ${printResourceKind(kind)} (yet)`;
    return { word: 'waiting', path: node.path, trouble: [{ reason: 'DataPending', message }] };
  }
  const { namespace, selector } = metadataOf(rendered.value);
  const query = readSelector(selector ?? null);
  if (typeof query === 'string') return { word: 'failed', path: node.path, trouble: [{ reason: 'ApplyFailed', message: query }] };
  const where = {
    group: kind.group,
    version: kind.version,
    plural: resource.plural,
    ...(typeof namespace === 'string' && namespace !== '' ? { namespace } : {}),
  };
  const { items } = await look.client.list(where, { labelSelector: query.query, signal: look.signal });
  const sorted = [...items].sort((a, b) => compare(placeOf(a), placeOf(b)));
  for (const { metadata } of sorted) {
    note(look, node, { group: kind.group, kind: kind.kind, namespace: metadata.namespace ?? '', name: metadata.name });
  }
  return publish(node, sorted, look);
}

async function publish(
  node: ProgramNode,
  value: Value | KubeObject | readonly KubeObject[] | undefined,
  { context }: Look,
): Promise<Outcome> {
  if (value === undefined) return { word: 'read', path: node.path };
  // What the API server sends is JSON, and JSON is a CEL value as it is.
  const published = value as Value;
  context.scope.publish(node, published);
  const notReady = await whyNotReady(node, published, context);
  return { word: 'read', path: node.path, ...(notReady === undefined ? {} : { notReady }) };
}

function note({ objects }: Look, node: ProgramNode, identity: Identity): void {
  const list = objects.get(node);
  if (list === undefined) objects.set(node, [identity]);
  else list.push(identity);
}

function waiting(trouble: Omit<Trouble, 'reason'>): Item {
  return { word: 'waiting', trouble: { reason: 'DataPending', ...trouble } };
}

function metadataOf(manifest: JsonObject): JsonObject {
  const { metadata } = manifest;
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? (metadata as JsonObject) : {};
}

function placeOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
