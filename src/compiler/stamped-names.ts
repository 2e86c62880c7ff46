import { API_GROUP, GRAPH_KIND } from '../api/names.ts';
import { isObject } from './describe.ts';
import type { SourceNode } from './frame.ts';
import { namedKind } from './kinds/object-shape.ts';

/** The ids and iterators of the Graph that a template stamps, in its frames of any depth; none if it stamps none (graph.md 2.5). */
export function stampedNames({ kind, payload }: SourceNode): ReadonlySet<string> {
  const names = new Set<string>();
  const named = namedKind(payload);
  if (kind?.owns !== true || named?.kind !== GRAPH_KIND || !named.apiVersion.startsWith(`${API_GROUP}/`)) return names;
  const pending: unknown[] = [isObject(payload) ? payload['spec'] : undefined];
  for (let frame = pending.pop(); frame !== undefined; frame = pending.pop()) {
    const nodes = isObject(frame) ? frame['nodes'] : undefined;
    for (const node of Array.isArray(nodes) ? nodes.filter(isObject) : []) {
      if (typeof node['id'] === 'string') names.add(node['id']);
      for (const iterator of iteratorsOf(node['forEach'])) names.add(iterator);
      if (node['graph'] !== undefined) pending.push(node['graph']);
    }
  }
  return names;
}

function iteratorsOf(forEach: unknown): readonly string[] {
  return Array.isArray(forEach) ? forEach.filter(isObject).flatMap((dimension) => Object.keys(dimension)) : [];
}
