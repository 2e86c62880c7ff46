import { isKindName, parseApiVersion, printResourceKind, type ResourceKind } from '../api/object.ts';

/** The node kinds whose payload names a Kubernetes kind. */
const OBJECT_PAYLOADS = ['template', 'ref', 'patch'] as const;

/**
 * The Kubernetes kinds that a spec names literally, each once, in the order of the spec: what to load into a snapshot before compiling.
 * Takes any value, also a spec that is not valid; iterative, so depth is free.
 */
export function uses(spec: unknown): ResourceKind[] {
  const found = new Map<string, ResourceKind>();
  const pending: unknown[] = [spec];
  for (let frame = pending.pop(); frame !== undefined; frame = pending.pop()) {
    const nodes = fieldOf(frame, 'nodes');
    if (!Array.isArray(nodes)) continue;
    for (const node of nodes) {
      for (const payload of OBJECT_PAYLOADS) {
        const kind = kindOf(fieldOf(node, payload));
        if (kind !== undefined) found.set(printResourceKind(kind), kind);
      }
      const child = fieldOf(node, 'graph');
      if (child !== undefined) pending.push(child);
    }
  }
  return [...found.values()];
}

function kindOf(payload: unknown): ResourceKind | undefined {
  const apiVersion = fieldOf(payload, 'apiVersion');
  const kind = fieldOf(payload, 'kind');
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || kind === '') return undefined;
  if (apiVersion.includes('${') || kind.includes('${')) return undefined;
  const parsed = parseApiVersion(apiVersion);
  return parsed === undefined || !isKindName(kind) ? undefined : { ...parsed, kind };
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
