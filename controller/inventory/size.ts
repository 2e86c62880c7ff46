import { printJson } from '../../src/kube/json.ts';
import type { Inventory } from './ledger.ts';

/** What an entry grows by when its UID is known. */
const UID_BYTES = 48;

/** How many bytes these entries take in a status, every UID known (graph.md 12.8). */
export function sizeOf({ managedResources, contributions }: Inventory): number {
  let size = 0;
  for (const entry of managedResources) size += bytesOf(entry) + (entry.uid === undefined ? UID_BYTES : 0);
  for (const entry of contributions) size += bytesOf(entry);
  return size;
}

/** With its comma. */
function bytesOf(entry: object): number {
  return Buffer.byteLength(printJson(entry)) + 1;
}
