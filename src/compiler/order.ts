import { defineDiagnostic, type Report } from '../diagnostic/diagnostic.ts';
import type { SourceDependency } from './dependencies.ts';
import { nameOf, type SourceFrame, type SourceNode } from './frame.ts';
import { placeOf } from './payload.ts';

const cycle = defineDiagnostic({
  code: 'dependency/cycle',
  severity: 'error',
  message: ({ loop }: { loop: readonly string[]; isGraph: boolean; misplaced: boolean }) =>
    loop.length === 2 ? `cycle: node "${loop[0]}" depends on itself` : `cycle: ${loop.join(' -> ')}`,
  hint: ({ loop, isGraph, misplaced }) => {
    if (misplaced) return 'readyWhen belongs to the node: indent it less, so that it stands beside the id';
    if (loop.length > 2) return 'each depends on the next: take one of these values from a def or write it literally';
    return isGraph
      ? `the nodes inside "${loop[0]}" read one another by their own ids, without "${loop[0]}." before them`
      : 'only readyWhen may read the node itself';
  },
});

/** The diagnostics of ordering. */
export const orderDiagnostics = [cycle] as const;

/**
 * The nodes of a frame in apply order: topological, ties broken by position in the list (graph.md 3.9). Cycles are reported, each once;
 * their nodes then come last, in list order.
 */
export function order(frame: SourceFrame, report: Report): SourceNode[] {
  const { nodes } = frame;
  // By position in the list, which has gaps where an entry could not be read.
  const length = (nodes.at(-1)?.index ?? -1) + 1;
  const byIndex = new Array<SourceNode | undefined>(length);
  const waiting = new Uint32Array(length);
  const dependents = new Array<SourceNode[] | undefined>(length);
  for (const node of nodes) {
    const siblings = siblingsOf(node);
    byIndex[node.index] = node;
    waiting[node.index] = siblings.length;
    for (const { index } of siblings) {
      const list = dependents[index];
      if (list === undefined) dependents[index] = [node];
      else list.push(node);
    }
  }
  const ordered: SourceNode[] = [];
  const ready = new LowestFirst();
  for (const { index } of nodes) if (waiting[index] === 0) ready.push(index);
  for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
    const node = byIndex[index];
    if (node === undefined) continue;
    ordered.push(node);
    for (const dependent of dependents[index] ?? NONE) {
      const left = (waiting[dependent.index] ?? 0) - 1;
      waiting[dependent.index] = left;
      if (left === 0) ready.push(dependent.index);
    }
  }
  if (ordered.length === nodes.length) return ordered;
  const done = new Set(ordered);
  const stuck = nodes.filter((node) => !done.has(node));
  reportCycles(stuck, report);
  return [...ordered, ...stuck];
}

const NONE: readonly never[] = [];

/** What a node depends on in its own frame, each once. */
function siblingsOf({ dependencies }: SourceNode): readonly SourceNode[] {
  const siblings = dependencies.list().map(({ sibling }) => sibling);
  return siblings.length < 2 ? siblings : [...new Set(siblings)];
}

function reportCycles(stuck: readonly SourceNode[], report: Report): void {
  for (const component of components(stuck)) {
    const [start] = component.sort((a, b) => a.index - b.index);
    if (start === undefined) continue;
    const loop = shortestLoop(start, new Set(component));
    if (loop === undefined) continue;
    const next = loop[1] ?? start;
    const because = start.dependencies.list().find(({ sibling }) => sibling === next);
    report(
      cycle(
        { loop: loop.map(nameOf), isGraph: start.child !== undefined, misplaced: because !== undefined && isMisplacedReadyWhen(because) },
        because === undefined ? { path: start.place } : placeOf(because.expression, because.reference.span),
        loop.slice(1, -1).map(({ place: path }) => ({ path })),
      ),
    );
  }
}

/** Whether a node reads itself in a readyWhen that stands within its payload. */
function isMisplacedReadyWhen({ sibling, expression: { node, path } }: SourceDependency): boolean {
  if (sibling !== node || node.kind === undefined) return false;
  const [payload, field, index] = path.below(node.place) ?? NONE;
  return payload === node.kind.name && field === 'readyWhen' && typeof index === 'number';
}

/** The strongly connected components, in the order of their first nodes; iterative (Tarjan). */
function components(nodes: readonly SourceNode[]): SourceNode[][] {
  const among = new Set(nodes);
  const found: SourceNode[][] = [];
  const number = new Map<SourceNode, number>();
  const low = new Map<SourceNode, number>();
  const open = new Set<SourceNode>();
  const stack: SourceNode[] = [];
  for (const root of nodes) {
    if (number.has(root)) continue;
    const visits: { node: SourceNode; next: Iterator<SourceNode> }[] = [];
    const enter = (node: SourceNode): void => {
      number.set(node, number.size);
      low.set(node, number.size - 1);
      stack.push(node);
      open.add(node);
      visits.push({ node, next: siblingsOf(node).values() });
    };
    enter(root);
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const { node } = visit;
      const { value, done } = visit.next.next();
      if (done !== true) {
        if (!among.has(value)) continue;
        if (!number.has(value)) enter(value);
        else if (open.has(value)) low.set(node, Math.min(low.get(node) ?? 0, number.get(value) ?? 0));
        continue;
      }
      visits.pop();
      const parent = visits.at(-1)?.node;
      if (parent !== undefined) low.set(parent, Math.min(low.get(parent) ?? 0, low.get(node) ?? 0));
      if (low.get(node) === number.get(node)) found.push(close(node, stack, open));
    }
  }
  return found;
}

function close(node: SourceNode, stack: SourceNode[], open: Set<SourceNode>): SourceNode[] {
  const component: SourceNode[] = [];
  for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
    open.delete(member);
    component.push(member);
    if (member === node) break;
  }
  return component;
}

/** From a node along its dependencies back to it, by the fewest steps, lower positions first; undefined if there is no way. */
function shortestLoop(start: SourceNode, among: ReadonlySet<SourceNode>): SourceNode[] | undefined {
  const cameFrom = new Map<SourceNode, SourceNode>();
  const queue = [start];
  for (const node of queue) {
    for (const sibling of siblingsOf(node).toSorted((a, b) => a.index - b.index)) {
      if (sibling === start) return traceBack(start, node, cameFrom);
      if (!among.has(sibling) || cameFrom.has(sibling)) continue;
      cameFrom.set(sibling, node);
      queue.push(sibling);
    }
  }
  return undefined;
}

function traceBack(start: SourceNode, last: SourceNode, cameFrom: ReadonlyMap<SourceNode, SourceNode>): SourceNode[] {
  const loop = [start];
  for (let at: SourceNode | undefined = last; at !== undefined && at !== start; at = cameFrom.get(at)) loop.push(at);
  loop.push(start);
  return loop.reverse();
}

/** A heap of positions. */
class LowestFirst {
  readonly #heap: number[] = [];

  push(value: number): void {
    const heap = this.#heap;
    let at = heap.push(value) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((heap[parent] ?? value) <= value) break;
      heap[at] = heap[parent] ?? value;
      at = parent;
    }
    heap[at] = value;
  }

  pop(): number | undefined {
    const heap = this.#heap;
    const lowest = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return lowest;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if ((heap[child + 1] ?? Number.POSITIVE_INFINITY) < (heap[child] ?? 0)) child++;
      const value = heap[child] ?? last;
      if (value >= last) break;
      heap[at] = value;
      at = child;
    }
    heap[at] = last;
    return lowest;
  }
}
