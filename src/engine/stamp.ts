import {
  ANNOTATION_APPLY_ORDER,
  ANNOTATION_NODE_PATH,
  LABEL_COLLECTION_INDEX,
  LABEL_COLLECTION_SIZE,
  LABEL_INSTANCE_ID,
  LABEL_NODE_ID,
  type NodePath,
  nodeIdLabel,
  printNodePath,
} from '../api/names.ts';
import type { JsonObject, JsonValue } from '../api/object.ts';

/** What a template object is marked with. */
export interface Stamp {
  readonly path: NodePath;
  readonly wave: number;
  readonly graphUid: string;
  /** The place in its collection; undefined for a node that is none. */
  readonly item: { readonly index: number; readonly size: number } | undefined;
}

/** A manifest with the labels and annotations that every template object carries (graph.md 1); ours replace equal ones of the author. */
export function stamp(manifest: JsonObject, { path, wave, graphUid, item }: Stamp): JsonObject {
  const metadata = objectAt(manifest, 'metadata');
  const labels = {
    ...objectAt(metadata, 'labels'),
    [LABEL_NODE_ID]: nodeIdLabel(path),
    ...(item === undefined
      ? {}
      : {
          [LABEL_COLLECTION_INDEX]: String(item.index),
          [LABEL_COLLECTION_SIZE]: String(item.size),
          [LABEL_INSTANCE_ID]: graphUid,
        }),
  };
  const annotations = {
    ...objectAt(metadata, 'annotations'),
    [ANNOTATION_NODE_PATH]: printNodePath(path),
    [ANNOTATION_APPLY_ORDER]: String(wave),
  };
  return { ...manifest, metadata: { ...metadata, labels, annotations } };
}

function objectAt(object: JsonObject, field: string): JsonObject {
  const value = object[field];
  return isObject(value) ? value : {};
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
