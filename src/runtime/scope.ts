import type { PlainMap, Value } from '../cel/value.ts';
import type { Expression, Frame, GraphProgramNode, Lookup, ProgramNode } from '../compiler/program.ts';

/** The iterators of one item, or `each`. */
export type Locals = ReadonlyMap<string, Value>;

/** No iterators. */
export const NO_LOCALS: Locals = new Map();

/**
 * What the nodes of a Program have published so far in one walk, and which were skipped. A graph node's value is the map of what the nodes
 * of its frame have published; it is never published itself.
 */
export class Scope {
  readonly #values = new Map<ProgramNode, Value>();
  readonly #skipped = new Set<ProgramNode>();
  /** The maps of the graph nodes that were read, kept up to date: a node read a thousand times through its graph costs one map. */
  readonly #maps = new Map<Frame, Record<string, Value>>();

  /** Puts a node's value into scope: the live object, the list of them, or a def's value. */
  publish(node: ProgramNode, value: Value): void {
    this.#values.set(node, value);
    const map = this.#maps.get(node.frame);
    if (map !== undefined) map[node.id] = value;
  }

  /** The node is left out of this walk (graph.md 5); for a graph node everything in it. */
  skip(node: ProgramNode): void {
    this.#skipped.add(node);
  }

  /** Whether the node, or a graph node around it, was skipped. */
  isSkipped(node: ProgramNode): boolean {
    for (let at: ProgramNode | undefined = node; at !== undefined; at = at.frame.owner) {
      if (this.#skipped.has(at)) return true;
    }
    return false;
  }

  /** What a node has published; undefined if nothing yet. */
  valueOf(node: ProgramNode): Value | undefined {
    return node.kind === 'graph' ? this.#mapOf(node) : this.#values.get(node);
  }

  /** What the names of an expression mean: the locals, then the nodes of its frame. */
  lookup(expression: Expression, locals: Locals): Lookup {
    return (name) => {
      const local = locals.get(name);
      if (local !== undefined) return local;
      const node = expression.frame?.node(name);
      return node === undefined ? undefined : this.valueOf(node);
    };
  }

  #mapOf(graph: GraphProgramNode): PlainMap {
    const known = this.#maps.get(graph.child);
    if (known !== undefined) return known;
    const pending: Frame[] = [graph.child];
    for (let frame = pending.pop(); frame !== undefined; frame = pending.pop()) {
      const map = this.#mapFor(frame);
      for (const node of frame.nodes) {
        if (node.kind === 'graph') {
          map[node.id] = this.#mapFor(node.child);
          pending.push(node.child);
          continue;
        }
        const value = this.#values.get(node);
        if (value !== undefined) map[node.id] = value;
      }
    }
    return this.#mapFor(graph.child);
  }

  #mapFor(frame: Frame): Record<string, Value> {
    const known = this.#maps.get(frame);
    if (known !== undefined) return known;
    const map: Record<string, Value> = Object.create(null);
    this.#maps.set(frame, map);
    return map;
  }
}
