import type { DefProgramNode, Program, ProgramNode } from '../../src/compiler/program.ts';
import type { LeafNode } from '../../src/engine/walk.ts';
import { sourcesOf } from '../../src/runtime/expressions.ts';
import type { Scope } from '../../src/runtime/scope.ts';

/** What a node was made of: the very values that it read. */
interface Kept<T> {
  readonly inputs: readonly object[];
  readonly given: T;
}

/**
 * What the nodes of one Graph were rendered to last. Rendering is pure (graph.md 7): while a node's expressions read the very same values it
 * gives the same again, so that a walk costs little for what has not changed. A def's value is computed anew in each walk and not kept: a mark
 * stands for it, which stays the same while what the def is computed from does.
 */
export class Renderings<T extends { readonly size: number }> {
  #program: WeakRef<Program> | undefined;
  #kept = new WeakMap<ProgramNode, Kept<T>>();
  #defs = new WeakMap<ProgramNode, Kept<object>>();
  /** The defs of this walk; weak, as all here: a Program that is compiled no more is not held. */
  #marks = new WeakMap<ProgramNode, object>();
  #size = 0;

  /** How much is kept, as its parts say. */
  get size(): number {
    return this.#size;
  }

  /** A walk begins. */
  begin(program: Program): void {
    if (this.#program?.deref() !== program) this.clear();
    this.#program = new WeakRef(program);
    this.#marks = new WeakMap();
  }

  /** What the node gave when it was rendered from the values that are in scope now. */
  recall(node: LeafNode, scope: Scope): T | undefined {
    return recall(this.#kept, node, this.#inputsOf(node, scope));
  }

  /** Keeps what a node gave, if it can be told whether its values are the same. */
  keep(node: LeafNode, scope: Scope, given: T): void {
    this.#size -= this.#kept.get(node)?.given.size ?? 0;
    this.#kept.delete(node);
    const inputs = this.#inputsOf(node, scope);
    if (inputs === undefined || this.#size + given.size > MOST) return;
    this.#kept.set(node, { inputs, given });
    this.#size += given.size;
  }

  /** A def was computed from the values that are in scope now. */
  computed(def: DefProgramNode, scope: Scope): void {
    const inputs = this.#inputsOf(def, scope);
    if (inputs === undefined) return;
    const mark = recall(this.#defs, def, inputs) ?? {};
    this.#defs.set(def, { inputs, given: mark });
    this.#marks.set(def, mark);
  }

  clear(): void {
    this.#kept = new WeakMap();
    this.#defs = new WeakMap();
    this.#size = 0;
  }

  /** Undefined: a source is skipped, or a graph node, whose map is another object in each walk. */
  #inputsOf(node: LeafNode, scope: Scope): readonly object[] | undefined {
    const inputs: object[] = [];
    for (const source of sourcesOf(node)) {
      const input = source.kind === 'def' ? this.#marks.get(source) : source.kind === 'graph' ? undefined : scope.valueOf(source);
      if (typeof input !== 'object' || input === null) return undefined;
      inputs.push(input);
    }
    return inputs;
  }
}

/** What is less is rendered again as quickly as it is looked up, and would only take memory: items of a node, or nodes of a Graph. */
export const WORTH_KEEPING = 50;

/** Of one Graph: characters of manifests. */
const MOST = 4 * 1024 * 1024;

function recall<T>(kept: WeakMap<ProgramNode, Kept<T>>, node: ProgramNode, inputs: readonly object[] | undefined): T | undefined {
  const known = kept.get(node);
  const isSame = known && inputs?.every((input, at) => input === known.inputs[at]);
  return isSame ? known.given : undefined;
}
