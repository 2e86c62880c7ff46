import type { SourceNode } from './frame.ts';

/**
 * The wave of every node (graph.md 1): one more than the highest wave among the nodes that it reads, across frames. A def adds none; a graph
 * node has the wave of its last node. Takes the nodes in apply order.
 */
export function wavesOf(nodes: readonly SourceNode[]): ReadonlyMap<SourceNode, number> {
  const waves = new Map<SourceNode, number>();
  for (const node of nodes) {
    if (node.child !== undefined) continue;
    let highest = 0;
    for (const { role, references } of node.expressions) {
      if (role === 'readyWhen') continue;
      for (const { follows } of references) if (follows !== undefined) highest = Math.max(highest, waves.get(follows) ?? 0);
    }
    const wave = node.kind?.isValue === true ? highest : highest + 1;
    waves.set(node, wave);
    raise(waves, node.frame.owner, wave);
  }
  return waves;
}

/** Lifts the graph nodes around a node to its wave, as far as they are lower. */
function raise(waves: Map<SourceNode, number>, owner: SourceNode | undefined, wave: number): void {
  for (let at = owner; at !== undefined && (waves.get(at) ?? -1) < wave; at = at.frame.owner) waves.set(at, wave);
}
