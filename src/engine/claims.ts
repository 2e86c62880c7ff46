import type { NodePath } from '../api/names.ts';
import { type Identity, identityKey } from '../api/object.ts';

/** Who has taken an identity in this walk. */
export interface Claimant {
  readonly path: NodePath;
  /** The item's place in its collection; undefined for a node that is none. */
  readonly item: number | undefined;
}

/** The identities of one walk: each belongs to one template, or one item (graph.md 8.4). Patch nodes claim among themselves, node by node. */
export class Claims {
  readonly #taken = new Map<string, Claimant>();

  /** Takes an identity; gives the one who has it already, if that is another. */
  claim(identity: Identity, claimant: Claimant, space = ''): Claimant | undefined {
    const key = `${space}\n${identityKey(identity)}`;
    const holder = this.#taken.get(key);
    if (holder === undefined) {
      this.#taken.set(key, claimant);
      return undefined;
    }
    return isSame(holder, claimant) ? undefined : holder;
  }

  /** Who has an identity. */
  holder(identity: Identity, space = ''): Claimant | undefined {
    return this.#taken.get(`${space}\n${identityKey(identity)}`);
  }
}

function isSame(a: Claimant, b: Claimant): boolean {
  return a.item === b.item && a.path.length === b.path.length && a.path.every((id, at) => id === b.path[at]);
}
