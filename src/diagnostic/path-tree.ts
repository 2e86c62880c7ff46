import { compareSegments, FieldPath, type Segment } from './path.ts';

/** One place. */
export interface Branch {
  /** Made when there is something in it: most places hold no others. */
  children: Map<Segment, Branch> | undefined;
  /** Where it stands among all branches of the tree, once they have been counted. */
  position: number;
}

/**
 * Places by their paths, so that equal ones are one, whatever the depth: of a path only what is not known yet is looked at, and nothing is
 * compared or kept as text. Thousands of places thousands of levels deep cost what they are, not their product (graph.md 15).
 */
export class PathTree {
  readonly #root: Branch = { children: undefined, position: 0 };
  readonly #known = new Map<FieldPath, Branch>([[FieldPath.root, this.#root]]);

  /** The positions of paths as they stand in the object: list indexes by number, field names by text, a parent before its children. */
  positions(paths: readonly FieldPath[]): readonly number[] {
    const branches = paths.map((path) => this.branch(path));
    this.#count();
    return branches.map(({ position }) => position);
  }

  /** Where a path leads: the same for equal paths. */
  branch(path: FieldPath): Branch {
    const unknown: FieldPath[] = [];
    let at = path;
    let branch = this.#known.get(at);
    for (; branch === undefined && at.parent !== undefined; branch = this.#known.get(at)) {
      unknown.push(at);
      at = at.parent;
    }
    branch ??= this.#root;
    for (let next = unknown.pop(); next !== undefined; next = unknown.pop()) {
      branch = childOf(branch, next.segment);
      this.#known.set(next, branch);
    }
    return branch;
  }

  #count(): void {
    let count = 0;
    const pending = [this.#root];
    for (let branch = pending.pop(); branch !== undefined; branch = pending.pop()) {
      branch.position = count++;
      if (branch.children === undefined) continue;
      const sorted = [...branch.children].sort(([a], [b]) => compareSegments(b, a));
      for (const [, child] of sorted) pending.push(child);
    }
  }
}

/** A set of places; equal paths are one. */
export class PathSet {
  readonly #tree = new PathTree();
  readonly #branches = new Set<Branch>();

  add(path: FieldPath): void {
    this.#branches.add(this.#tree.branch(path));
  }

  has(path: FieldPath): boolean {
    return this.#branches.size > 0 && this.#branches.has(this.#tree.branch(path));
  }
}

function childOf(branch: Branch, segment: Segment): Branch {
  branch.children ??= new Map();
  const known = branch.children.get(segment);
  if (known !== undefined) return known;
  const made: Branch = { children: undefined, position: 0 };
  branch.children.set(segment, made);
  return made;
}
