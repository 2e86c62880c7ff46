import { hash } from 'node:crypto';

/** The fixed strings of the wire contract (graph.md 1); another implementation of this API must find them as they are. */
export const API_GROUP = 'kro.run';
export const API_VERSION = 'kro.run/v1alpha1';
export const GRAPH_KIND = 'Graph';
export const GRAPH_PLURAL = 'graphs';

export const GRAPH_FINALIZER = 'kro.run/graph-finalizer';

export const LABEL_NODE_ID = 'kro.run/node-id';
export const LABEL_COLLECTION_INDEX = 'kro.run/collection-index';
export const LABEL_COLLECTION_SIZE = 'kro.run/collection-size';
export const LABEL_INSTANCE_ID = 'kro.run/instance-id';

export const ANNOTATION_NODE_PATH = 'internal.kro.run/node-path';
export const ANNOTATION_APPLY_ORDER = 'internal.kro.run/apply-order';

/** Annotations for people (graph.md 12.9). */
export const ANNOTATION_RECONCILE = 'kro.run/reconcile';
export const ANNOTATION_RECONCILE_AT = 'kro.run/reconcile-at';
export const ANNOTATION_ON_DELETE = 'kro.run/on-delete';
export const ANNOTATION_MAX_PRUNE = 'kro.run/max-prune';
export const ANNOTATION_CONFIRM_PRUNE = 'kro.run/confirm-prune';
export const ANNOTATION_ADOPT = 'kro.run/adopt';
/** Set by other tools; an object that carries it is never adopted (graph.md 9). */
export const LABEL_APPLYSET_PART_OF = 'applyset.kubernetes.io/part-of';

export const TEMPLATE_MANAGER_PREFIX = 'kro-graphengine.tmpl.';
export const PATCH_MANAGER_PREFIX = 'kro-graphengine.patch.';
/** Keeps the values of retained objects for nobody: it never applies, and a Graph that wants such a field takes it (graph.md 12.9). */
export const RETAINED_MANAGER = 'kro-graph.retained';

const LONGEST_LABEL_VALUE = 63;
const MANAGER_HASH_LENGTH = 12;
const NODE_LABEL_HASH_LENGTH = 40;

/** A node's path: its id and those of the graph nodes around it, outermost first. */
export type NodePath = readonly string[];

/** `backend/deployment`: the annotation, `nodeID` of the inventory, and what people are shown. */
export function printNodePath(path: NodePath): string {
  return path.join('/');
}

/** The value of the node-id label: joined by `.`, or a hash when that is longer than a label value may be. */
export function nodeIdLabel(path: NodePath): string {
  const value = path.join('.');
  return value.length <= LONGEST_LABEL_VALUE ? value : `h-${sha256(printNodePath(path)).slice(0, NODE_LABEL_HASH_LENGTH)}`;
}

/** The part of the field managers' names that stands for a Graph. */
export function graphHash(graphUid: string): string {
  return sha256(graphUid).slice(0, MANAGER_HASH_LENGTH);
}

/** The field manager of all template objects of a Graph. */
export function templateManager(graphUid: string): string {
  return `${TEMPLATE_MANAGER_PREFIX}${graphHash(graphUid)}`;
}

/** The field manager of one patch node of a Graph. */
export function patchManager(graphUid: string, path: NodePath): string {
  const node = sha256(`${graphUid}/${printNodePath(path)}`).slice(0, MANAGER_HASH_LENGTH);
  return `${PATCH_MANAGER_PREFIX}${graphHash(graphUid)}.${node}`;
}

/** Begins the name of every patch manager of this Graph, and of no other (graph.md 12.6). */
export function patchManagerPrefix(graphUid: string): string {
  return `${PATCH_MANAGER_PREFIX}${graphHash(graphUid)}.`;
}

/** The user that a Graph acts as. */
export function applierUser(namespace: string, serviceAccountName: string | undefined): string {
  return `system:serviceaccount:${namespace}:${serviceAccountName === undefined || serviceAccountName === '' ? 'default' : serviceAccountName}`;
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
