import { API_GROUP, GRAPH_KIND } from '../api/names.ts';
import { isObject } from './describe.ts';
import type { SourceNode } from './frame.ts';
import type { Steps } from './steps.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * The names that mean something within the Graph that a node stamps, or within one that this stamps in turn: ids and iterators. Its
 * expressions are evaluated here unless they are quoted (seeds, "Deferring Expressions to the Child"), which is easily forgotten.
 */
export function stampedNames(node: SourceNode, steps: Steps): ReadonlySet<string> {
  if (node.kind?.makesObjects !== true || !isGraph(node.payload)) return NONE;
  const names = new Set<string>();
  const pending: unknown[] = [nodesOf(node.payload.spec)];
  for (let list = pending.pop(); list !== undefined; list = pending.pop()) {
    if (!Array.isArray(list)) continue;
    steps.spend(list.length);
    for (const entry of list) {
      if (!isObject(entry)) continue;
      const { id, forEach, graph, template, patch } = entry;
      if (typeof id === 'string') names.add(id);
      for (const dimension of Array.isArray(forEach) ? forEach : []) if (isObject(dimension)) for (const name in dimension) names.add(name);
      pending.push(nodesOf(graph));
      for (const manifest of [template, patch]) if (isGraph(manifest)) pending.push(nodesOf(manifest.spec));
    }
  }
  return names;
}

function isGraph(manifest: unknown): manifest is { readonly spec?: unknown } {
  if (!isObject(manifest)) return false;
  const { apiVersion, kind } = manifest;
  return kind === GRAPH_KIND && typeof apiVersion === 'string' && apiVersion.startsWith(`${API_GROUP}/`);
}

function nodesOf(spec: unknown): unknown {
  return isObject(spec) ? (spec['nodes'] ?? null) : null;
}
