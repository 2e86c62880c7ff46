import type { SourceNode } from './frame.ts';

/**
 * Finds the wave of a node (graph.md 1): one more than the highest wave among the nodes that it reads, across frames. A def adds none; a graph
 * node has the wave of its last node. Takes one node after another, in apply order.
 */
export function layWave(node: SourceNode): void {
  if (node.child !== undefined) return;
  let highest = 0;
  for (const { role, references } of node.expressions) {
    if (role === 'readyWhen') continue;
    for (const { follows } of references) if (follows !== undefined) highest = Math.max(highest, follows.wave);
  }
  node.wave = node.kind?.isValue === true ? highest : highest + 1;
  raise(node.frame.owner, node.wave);
}

/** Lifts the graph nodes around a node to its wave, as far as they are lower. */
function raise(owner: SourceNode | undefined, wave: number): void {
  for (let at = owner; at !== undefined && at.wave < wave; at = at.frame.owner) at.wave = wave;
}
