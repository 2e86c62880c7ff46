import type { SourceNode } from './frame.ts';

/**
 * Finds the wave of a node (graph.md 1): one more than the highest wave among the nodes that it reads, across frames, and that the frames around
 * it capture: no node of a child frame starts before those are there (graph.md 8.3), so none may outlive them. A def adds none; a graph node
 * has the wave of its last node. Takes one node after another, in apply order.
 */
export function layWave(node: SourceNode): void {
  if (node.child !== undefined) {
    node.child.floor = highest(node.frame.floor, node.dependencies.list());
    return;
  }
  let wave = node.frame.floor;
  for (const { role, references } of node.expressions) if (role !== 'readyWhen') wave = highest(wave, references);
  node.wave = node.kind?.isValue === true ? wave : wave + 1;
  raise(node.frame.owner, node.wave);
}

function highest(floor: number, followed: readonly { readonly follows: SourceNode | undefined }[]): number {
  let wave = floor;
  for (const { follows } of followed) if (follows !== undefined && follows.wave > wave) wave = follows.wave;
  return wave;
}

/** Lifts the graph nodes around a node to its wave, as far as they are lower. */
function raise(owner: SourceNode | undefined, wave: number): void {
  for (let at = owner; at !== undefined && at.wave < wave; at = at.frame.owner) at.wave = wave;
}
