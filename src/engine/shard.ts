import type { JsonObject } from '../api/object.ts';

/** The label keys that a selector in the API server's text form looks at (`shard=a`, `shard in (a, b), !old`). */
export function selectorKeys(selector: string): string[] {
  const requirements = selector.replace(/\([^)]*\)/g, '').split(',');
  return requirements.map((requirement) => /[^\s!=<>]+/.exec(requirement)?.[0]).filter((key) => key !== undefined);
}

/** Those of a Graph's labels that put it into its shard. */
export function inheritedLabels(labels: Readonly<Record<string, string>> | undefined, keys: readonly string[]): JsonObject {
  return keys.length === 0 ? NONE : Object.fromEntries(Object.entries(labels ?? {}).filter(([key]) => keys.includes(key)));
}

const NONE: JsonObject = {};

/**
 * A Graph that a Graph makes, with the labels that put its parent into its shard, so that the same controller is responsible for both; the
 * author's own labels stand. Anything else stays as it is.
 */
export function inShard(manifest: JsonObject, inherited: JsonObject): JsonObject {
  const isGraph = manifest['kind'] === 'Graph' && String(manifest['apiVersion']).startsWith('kro.run/');
  if (!isGraph || Object.keys(inherited).length === 0) return manifest;
  const metadata = objectAt(manifest, 'metadata');
  return { ...manifest, metadata: { ...metadata, labels: { ...inherited, ...objectAt(metadata, 'labels') } } };
}

function objectAt(object: JsonObject, field: string): JsonObject {
  const value = object[field];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
