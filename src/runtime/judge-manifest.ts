import { type JsonObject, type JsonValue, parseApiVersion } from '../api/object.ts';
import { SERVER_METADATA } from '../compiler/kinds/object-shape.ts';
import type { PatchProgramNode, RefProgramNode, TemplateProgramNode } from '../compiler/program.ts';
import type { FieldPath } from '../diagnostic/path.ts';
import type { Evaluation, EvaluationFailure } from './evaluate.ts';
import { faultOfSelector } from './judge-selector.ts';

/** What an API server reads of a request. */
const MOST_CHARACTERS = 3 * 1024 * 1024;

type ObjectNode = TemplateProgramNode | RefProgramNode | PatchProgramNode;

interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

/** The manifest, or why no request may be made of it: what a literal payload is refused for at compile time (graph.md 9). */
export function judgeManifest(node: ObjectNode, manifest: JsonObject): Evaluation<JsonObject> {
  const identity = judgeIdentity(node, manifest);
  if (identity.word !== 'value') return identity;
  if (isBeyond(manifest, MOST_CHARACTERS)) {
    return refuse(node.place.field(node.kind), `the object has more than ${MOST_CHARACTERS} characters, and an API server reads no more`);
  }
  const metadata = metadataOf(manifest);
  const place = node.place.field(node.kind).field('metadata');
  for (const field of Object.keys(metadata)) {
    if (node.kind !== 'ref' && SERVER_METADATA.has(field) && metadata[field] !== null) {
      return refuse(place.field(field), `metadata.${field} is set by the API server alone`);
    }
  }
  if (node.kind === 'ref' && node.by === 'selector') {
    const fault = faultOfSelector(metadata['selector']);
    if (fault !== undefined) return refuse(place.field('selector'), fault);
  }
  return { word: 'value', value: manifest };
}

/**
 * Whether a value has more characters than these. Many fields may hold one long text, which costs no memory until it is written as JSON: that
 * would end the process.
 */
function isBeyond(whole: JsonObject, most: number): boolean {
  let left = most;
  const pending: JsonValue[] = [whole];
  for (let value = pending.pop(); value !== undefined && left >= 0; value = pending.pop()) {
    left -= typeof value === 'string' ? value.length : 1;
    if (typeof value !== 'object' || value === null) continue;
    if (isJsonList(value)) {
      for (const item of value) pending.push(item);
      continue;
    }
    for (const key of Object.keys(value)) {
      left -= key.length;
      pending.push(value[key] ?? null);
    }
  }
  return left < 0;
}

/** The identity fields, each the text that it must be. */
export function judgeIdentity(node: ObjectNode, manifest: JsonObject): Evaluation<Identity> {
  const place = node.place.field(node.kind);
  const { apiVersion, kind } = manifest;
  const { name, namespace } = metadataOf(manifest);
  if (!isText(apiVersion) || parseApiVersion(apiVersion) === undefined) {
    return refuse(place.field('apiVersion'), 'apiVersion does not give group/version');
  }
  if (!isText(kind)) return refuse(place.field('kind'), 'kind does not give a text');
  const metadata = place.field('metadata');
  const selects = node.kind === 'ref' && node.by === 'selector';
  if (!selects && !isText(name)) return refuse(metadata.field('name'), 'metadata.name does not give a text');
  if (namespace !== undefined && namespace !== null && typeof namespace !== 'string') {
    return refuse(metadata.field('namespace'), 'metadata.namespace does not give a text');
  }
  return {
    word: 'value',
    value: { apiVersion, kind, namespace: isText(namespace) ? namespace : undefined, name: isText(name) ? name : undefined },
  };
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? (metadata as JsonObject) : {};
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function refuse(path: FieldPath, message: string): EvaluationFailure {
  return { word: 'failed', trouble: { reason: 'ApplyFailed', message: `${path.toString()}: ${message}` } };
}

function isJsonList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
