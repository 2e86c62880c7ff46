import type { SourceNode } from './frame.ts';
import type { SourceExpression, SourceReference } from './payload.ts';

/** A reference as a dependency: the followed node, its ancestor in the dependent's frame, and the first reference that says so, with its expression. */
export interface SourceDependency {
  readonly sibling: SourceNode;
  readonly follows: SourceNode;
  readonly expression: SourceExpression;
  readonly reference: SourceReference;
}

const NONE: readonly never[] = [];

/** The dependencies of a node, of each followed node the first. Most nodes have one or none, for which a Map takes five times the room. */
export class Dependencies {
  #first: SourceDependency | undefined;
  #others: Map<SourceNode, SourceDependency> | undefined;

  /** Whether a node is followed already. */
  has(follows: SourceNode): boolean {
    return this.#first?.follows === follows || this.#others?.has(follows) === true;
  }

  /** Adds a dependency on a node that is not followed yet. */
  add(dependency: SourceDependency): void {
    if (this.#first === undefined) {
      this.#first = dependency;
      return;
    }
    this.#others ??= new Map();
    this.#others.set(dependency.follows, dependency);
  }

  /** All, as they were added. */
  list(): readonly SourceDependency[] {
    if (this.#first === undefined) return NONE;
    return this.#others === undefined ? [this.#first] : [this.#first, ...this.#others.values()];
  }
}
