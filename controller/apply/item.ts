import type { ManagedResource } from '../../src/api/graph.ts';
import { printNodePath } from '../../src/api/names.ts';
import type { JsonObject, KubeObject } from '../../src/api/object.ts';
import type { ProgramNode, TemplateProgramNode } from '../../src/compiler/program.ts';
import { entryOf } from '../../src/engine/ownership.ts';
import type { ObjectTarget } from '../../src/engine/target.ts';
import { ownsUnseen } from '../../src/engine/unseen.ts';
import type { ReconcileContext } from '../reconcile/context.ts';
import type { Rival } from '../reconcile/fights.ts';
import type { Answer } from '../reconcile/memory.ts';
import { type LiveRecord, markOf } from '../watch/record.ts';
import { asJson } from './live.ts';
import type { Refused } from './refusal.ts';

/** One object, or one target of a patch, as a node was rendered to it. */
export interface ObjectItem<N extends ProgramNode> {
  readonly node: N;
  readonly target: ObjectTarget;
  /** `identityKey` of the target. */
  readonly key: string;
  /** The key of the answers about it in memory. */
  readonly answerKey: string;
  /** What is sent: with its namespace and, of a template, its labels and annotations. */
  readonly manifest: JsonObject;
  /** Equal for equal manifests. */
  readonly digest: string;
  /** Its place in the collection; 0 if there is none. */
  readonly index: number;
}

/** One template object that should be, announced in the inventory. */
export type TemplateItem = ObjectItem<TemplateProgramNode>;

/** What came of an item; `object` is there if somebody reads it. */
export type Applied =
  | { readonly word: 'applied' | 'unchanged'; readonly object: KubeObject | undefined }
  /** `live`: what is there in spite of the refusal, so that an item may keep it. */
  | (Refused & { readonly isByServer: boolean; readonly live: LiveRecord | undefined });

/** An item that is being brought to its manifest. */
export interface Work {
  readonly item: TemplateItem;
  readonly context: ReconcileContext;
  readonly manager: string;
  /** A conflict was found to be with owners that may be overruled. */
  mayForce: boolean;
  rival: Rival | undefined;
}

/** How both inventories name an object. */
export function nameOf({ apiVersion, identity, ref }: ObjectTarget): Pick<ManagedResource, 'apiVersion' | 'kind' | 'namespace' | 'name'> {
  const { namespace, name } = ref;
  return { apiVersion, kind: identity.kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** The inventory's entry of an item. */
export function entryOfItem({ node, target }: Pick<TemplateItem, 'node' | 'target'>): ManagedResource {
  return { ...nameOf(target), nodeID: printNodePath(node.path), wave: node.wave };
}

/** What an answer of the API server leaves in memory. */
export function answerOf(object: KubeObject, { item, context, manager }: Work): Answer {
  return {
    uid: object.metadata.uid ?? '',
    resourceVersion: object.metadata.resourceVersion ?? '',
    digest: item.digest,
    mark: markOf(object.metadata.managedFields, manager, undefined),
    ownsUnseen: ownsUnseen(item.manifest, asJson(object), entryOf(object.metadata.managedFields, manager, undefined)),
    object: context.isRead(item.node) ? object : undefined,
  };
}

/** The object is there: the inventory knows its UID. */
export function record(item: TemplateItem, context: ReconcileContext, uid: string): void {
  context.ledger.applied({ ...entryOfItem(item), uid });
  context.findings.uids.add(uid);
}
