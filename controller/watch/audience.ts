/**
 * The Graphs that use the watch of one scope, and which of its objects each wants to hear of: a change of an object then costs as much as
 * there are Graphs that care for it, however many share the watch.
 */
export class Audience {
  readonly users = new Set<string>();
  /** Graphs by the key of an object. */
  readonly #byObject = new Map<string, Set<string>>();
  /** Graphs that select among all objects. */
  readonly #selecting = new Set<string>();

  /** The Graphs to which a change of this object may be news. */
  of(object: string): Iterable<string> {
    const named = this.#byObject.get(object) ?? [];
    return this.#selecting.size === 0 ? named : new Set([...named, ...this.#selecting]);
  }

  hearOf(object: string, graph: string): void {
    const graphs = this.#byObject.get(object);
    if (graphs === undefined) this.#byObject.set(object, new Set([graph]));
    else graphs.add(graph);
  }

  hearNoMoreOf(object: string, graph: string): void {
    const graphs = this.#byObject.get(object);
    graphs?.delete(graph);
    if (graphs?.size === 0) this.#byObject.delete(object);
  }

  hearOfAll(graph: string): void {
    this.#selecting.add(graph);
  }

  hearNoMoreOfAll(graph: string): void {
    this.#selecting.delete(graph);
  }
}
