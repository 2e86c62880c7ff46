import type { ProgramNode } from '../../src/compiler/program.ts';

/** The place of an object in the inventory, which stands in apply order: its node's, and its item's within that. */
export function placeOfItem(node: ProgramNode, item: number): number {
  return node.position * MOST_ITEMS + item;
}

/** More than a collection may have. */
const MOST_ITEMS = 1_000_000;
