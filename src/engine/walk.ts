import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GraphProgramNode, Program, ProgramNode } from '../compiler/program.ts';
import type { Outcome } from '../runtime/outcome.ts';
import type { Scope } from '../runtime/scope.ts';

/** A node that is not a graph node: what an actuator is given. */
export type LeafNode = Exclude<ProgramNode, GraphProgramNode>;

/** What a walk asks of its caller. */
export interface Walker {
  readonly scope: Scope;
  /**
   * Whether a node takes part: `included`, `skipped`, or the outcome that keeps it from being decided. `canEvaluate` is false while a node that
   * it depends on has not published: then only what needs no evaluation may be decided.
   */
  include(node: ProgramNode, canEvaluate: boolean): 'included' | 'skipped' | Outcome;
  /** Renders, applies or reads, and publishes a node whose dependencies have all published. Never throws for what a Graph can cause. */
  act(node: LeafNode): Promise<Outcome>;
}

/** What came of each node; a graph node's own outcome only where it was skipped, blocked or undecided as a whole. */
export type Outcomes = ReadonlyMap<ProgramNode, Outcome>;

/**
 * Walks a Program: each node as soon as what it depends on is done, concurrently (graph.md 8.3). A node that fails or waits stops those that
 * depend on it and no others; no node of a child frame starts before everything that the child captures is in scope. The event loop is
 * given back before every node. Depth costs no stack.
 */
export async function walk(program: Program, walker: Walker, signal: AbortSignal): Promise<Outcomes> {
  const run = new Walk(program, walker, signal);
  await run.finished();
  signal.throwIfAborted();
  return run.outcomes;
}

class Walk {
  readonly outcomes = new Map<ProgramNode, Outcome>();
  readonly #walker: Walker;
  readonly #signal: AbortSignal;
  /** Events that each node still waits for: the ends of nodes that it follows, and the start of the graph node around it. */
  readonly #missing = new Map<ProgramNode, number>();
  readonly #afterEnd = new Map<ProgramNode, ProgramNode[]>();
  /** Nodes of a graph node's frame that are not done. */
  readonly #unfinished = new Map<GraphProgramNode, number>();
  readonly #ready: ProgramNode[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #running = 0;
  #error: { readonly cause: unknown } | undefined;

  constructor(program: Program, walker: Walker, signal: AbortSignal) {
    this.#walker = walker;
    this.#signal = signal;
    for (const node of program.nodes) {
      this.#missing.set(node, node.dependencies.length + (node.frame.owner === undefined ? 0 : 1));
      for (const { follows } of node.dependencies) append(this.#afterEnd, follows, node);
      if (node.kind === 'graph') this.#unfinished.set(node, node.child.nodes.length);
    }
    for (const node of program.nodes) if (this.#missing.get(node) === 0) this.#ready.push(node);
  }

  /** Resolves when every node is done; rejects with what an actuator threw, once nothing runs any more. */
  async finished(): Promise<void> {
    this.#drain();
    await this.#ended.promise;
  }

  /** Starts what is ready; the last one out tells that nothing runs any more. */
  #drain(): void {
    while (this.#error === undefined) {
      const node = this.#ready.shift();
      if (node === undefined) break;
      this.#running++;
      void this.#turn(node);
    }
    if (this.#running > 0) return;
    if (this.#error !== undefined) this.#ended.reject(this.#error.cause);
    else this.#ended.resolve();
  }

  async #turn(node: ProgramNode): Promise<void> {
    try {
      await nextTurn();
      this.#signal.throwIfAborted();
      await this.#visit(node);
    } catch (cause) {
      this.#error ??= { cause };
    }
    this.#running--;
    this.#drain();
  }

  async #visit(node: ProgramNode): Promise<void> {
    const inclusion = this.#include(node);
    if (inclusion === 'skipped') {
      this.#walker.scope.skip(node);
      this.#end(node, { word: 'skipped', path: node.path });
    } else if (inclusion !== 'included') this.#end(node, inclusion);
    else if (node.kind === 'graph') this.#start(node);
    else this.#end(node, await this.#walker.act(node));
  }

  #include(node: ProgramNode): 'included' | 'skipped' | Outcome {
    const { owner } = node.frame;
    const around = owner === undefined ? undefined : this.outcomes.get(owner);
    const blocker =
      around !== undefined && around.word !== 'skipped'
        ? owner
        : node.dependencies.find(({ follows }) => !this.#hasPublished(follows))?.follows;
    const canEvaluate = node.includeWhen.every(({ follows }) => follows.every((followed) => this.#hasPublished(followed)));
    const inclusion = this.#walker.include(node, canEvaluate && (around === undefined || around.word === 'skipped'));
    if (inclusion !== 'included' || blocker === undefined) return inclusion;
    return { word: 'blocked', path: node.path, by: this.#cause(blocker).path };
  }

  #hasPublished(node: ProgramNode): boolean {
    return isGood(this.outcomes.get(node)) && (node.kind !== 'graph' || this.#firstBad(node) === undefined);
  }

  /** The node whose trouble is meant when one is blocked by `node`: the first bad one within it if it is a graph node. */
  #cause(node: ProgramNode): ProgramNode {
    return node.kind === 'graph' && isGood(this.outcomes.get(node)) ? (this.#firstBad(node) ?? node) : node;
  }

  #firstBad(graph: GraphProgramNode): ProgramNode | undefined {
    const frames = [graph.child];
    for (let frame = frames.pop(); frame !== undefined; frame = frames.pop()) {
      for (const node of frame.nodes) {
        if (!isGood(this.outcomes.get(node))) return node;
        if (node.kind === 'graph') frames.push(node.child);
      }
    }
    return undefined;
  }

  /** A graph node begins: its frame's nodes may, and it ends with the last of them. */
  #start(graph: GraphProgramNode): void {
    for (const node of graph.child.nodes) this.#arrived(node);
  }

  #end(node: ProgramNode, outcome: Outcome): void {
    this.outcomes.set(node, outcome);
    // A graph node that never began: its frame is visited all the same, so that each node has its outcome.
    if (node.kind === 'graph') this.#start(node);
    else this.#close(node);
  }

  #close(node: ProgramNode): void {
    for (let at: ProgramNode | undefined = node; at !== undefined; ) {
      for (const waiting of this.#afterEnd.get(at) ?? []) this.#arrived(waiting);
      const owner: GraphProgramNode | undefined = at.frame.owner;
      if (owner === undefined) break;
      const left: number = (this.#unfinished.get(owner) ?? 1) - 1;
      this.#unfinished.set(owner, left);
      at = left === 0 ? owner : undefined;
    }
  }

  #arrived(node: ProgramNode): void {
    const missing = (this.#missing.get(node) ?? 1) - 1;
    this.#missing.set(node, missing);
    if (missing === 0) this.#ready.push(node);
  }
}

function isGood(outcome: Outcome | undefined): boolean {
  return (
    outcome === undefined ||
    outcome.word === 'applied' ||
    outcome.word === 'unchanged' ||
    outcome.word === 'read' ||
    outcome.word === 'skipped'
  );
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
