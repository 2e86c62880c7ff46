import type { JsonObject } from '../api/object.ts';

/** The label keys that a selector in the API server's text form looks at (`shard=a`, `shard in (a, b), !old`). */
export function selectorKeys(selector: string): string[] {
  const requirements = selector.replace(/\([^)]*\)/g, '').split(',');
  return requirements.map((requirement) => /[^\s!=]+/.exec(requirement)?.[0]).filter((key) => key !== undefined);
}

/**
 * A Graph that a Graph makes, with the labels that put its parent into its shard, so that the same controller is responsible for both; the
 * author's own labels stand. Anything else stays as it is.
 */
export function inShard(manifest: JsonObject, parent: Readonly<Record<string, string>> | undefined, keys: readonly string[]): JsonObject {
  if (keys.length === 0 || manifest['kind'] !== 'Graph' || !String(manifest['apiVersion']).startsWith('kro.run/')) return manifest;
  const inherited = Object.fromEntries(Object.entries(parent ?? {}).filter(([key]) => keys.includes(key)));
  const metadata = objectAt(manifest, 'metadata');
  return { ...manifest, metadata: { ...metadata, labels: { ...inherited, ...objectAt(metadata, 'labels') } } };
}

function objectAt(object: JsonObject, field: string): JsonObject {
  const value = object[field];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
