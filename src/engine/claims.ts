import type { NodePath } from '../api/names.ts';

/** Who has taken an identity in this walk. */
export interface Claimant {
  readonly path: NodePath;
  /** The item's place in its collection; undefined for a node that is none. */
  readonly item: number | undefined;
}

/** The identities of one walk: each belongs to one template, or one item (graph.md 8.4). Patch nodes claim among themselves, node by node. */
export class Claims {
  readonly #taken = new Map<string, Claimant>();

  /** Takes an identity, by its `claimKey`; gives the one who has it already, if that is another. */
  claim(key: string, claimant: Claimant): Claimant | undefined {
    const holder = this.#taken.get(key);
    if (holder === undefined) {
      this.#taken.set(key, claimant);
      return undefined;
    }
    return isSame(holder, claimant) ? undefined : holder;
  }
}

/** The key of a claim: `identity` is an `identityKey`; `space` is empty for templates, and the node path of a patch. */
export function claimKey(identity: string, space = ''): string {
  return space === '' ? identity : `${space}\n${identity}`;
}

function isSame(a: Claimant, b: Claimant): boolean {
  return a.item === b.item && a.path.length === b.path.length && a.path.every((id, at) => id === b.path[at]);
}
