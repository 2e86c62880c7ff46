import type { NodePath } from '../api/names.ts';
import type { Type } from '../cel/type.ts';
import type { FieldPath } from '../diagnostic/path.ts';
import type { Dependencies } from './dependencies.ts';
import type { CheckedNode, NodeKind } from './kinds/kind.ts';
import type { SourceDimension, SourceExpression, SourcePayload, SourceValue } from './payload.ts';
import type { ProgramNode } from './program.ts';

const CHARACTERS_OF_A_STEP = 4;

/** One node list as it was read; its nodes gain members as the stages of the compilation pass over them. */
export class SourceFrame {
  readonly owner: SourceNode | undefined;
  /** Where the list stands: `spec.nodes`. */
  readonly place: FieldPath;
  readonly nodes: SourceNode[] = [];
  /** What the path to one of its nodes takes, in steps of the compilation: every node of the Program has its own. */
  readonly pathSteps: number;
  /** Filled by `waves`: the highest wave among what this frame and those around it capture. */
  floor = 0;
  readonly #byId = new Map<string, SourceNode>();
  #repeated: Set<string> | undefined;

  constructor(owner: SourceNode | undefined, place: FieldPath) {
    this.owner = owner;
    this.place = place;
    this.pathSteps = owner === undefined ? 0 : owner.frame.pathSteps + 1 + nameOf(owner).length / CHARACTERS_OF_A_STEP;
  }

  /** Adds a node in list order; of several with one id the first bears it. */
  add(node: SourceNode): void {
    this.nodes.push(node);
    if (node.id === undefined) return;
    if (!this.#byId.has(node.id)) this.#byId.set(node.id, node);
    else this.#repeated = (this.#repeated ?? new Set()).add(node.id);
  }

  /** The node of this frame that bears an id. */
  node(id: string): SourceNode | undefined {
    return this.#byId.get(id);
  }

  /** Whether several nodes of this frame bear an id. */
  isRepeated(id: string): boolean {
    return this.#repeated?.has(id) === true;
  }

  /** The frame around this one. */
  get outer(): SourceFrame | undefined {
    return this.owner?.frame;
  }

  /** The nearest declaration of an id, from this frame outward (graph.md 3.3). */
  find(id: string): SourceNode | undefined {
    for (let frame: SourceFrame | undefined = this; frame !== undefined; frame = frame.outer) {
      const node = frame.node(id);
      if (node !== undefined) return node;
    }
    return undefined;
  }
}

/** One entry of a node list as it was read, and what the stages have found out about it. */
export interface SourceNode {
  /** Undefined when the entry has none that is a string. */
  readonly id: string | undefined;
  readonly frame: SourceFrame;
  /** Position in its list. */
  readonly index: number;
  readonly place: FieldPath;
  /** Undefined when the entry does not have exactly one payload; then nothing more is known of it. */
  readonly kind: NodeKind | undefined;
  /** The entry's own fields, as written. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The payload as written; undefined where the kind is. */
  readonly payload: unknown;
  /** The frame inside a graph node. */
  child: SourceFrame | undefined;
  /** The texts of the modifiers, scanned and parsed by `payload`. */
  includeWhen: readonly SourceValue[];
  readyWhen: readonly SourceValue[];
  forEach: readonly SourceDimension[];
  /** The payload with its expressions parsed. */
  content: SourcePayload | undefined;
  /** Every expression of the node, in the order of the entry. */
  expressions: readonly SourceExpression[];
  /** Whether one of them may call omit(): most nodes have none, and are not searched for it later. */
  mayOmit: boolean;
  /** What its expressions and, for a graph node, its frame reference, at the level of its own frame. */
  readonly dependencies: Dependencies;
  /** What `check` has found out about it. */
  checked: CheckedNode | undefined;
  /** The type of what it publishes, as a list where it does; undefined for a patch, and until `check` has been there. */
  published: Type | undefined;
  /** Filled by `waves`, of a graph node once its last node is. */
  wave: number;
  /** What `seal` has made of it. */
  sealed: ProgramNode | undefined;
  /** Whether its value holds what comes from the cluster, as far as `seal` knows. */
  isLive: boolean;
  /** Whether its items do. */
  hasLiveItems: boolean;
}

/** Whether a node has a forEach that is reported as one that cannot be: how many values it was meant to publish is not known. */
export function hasRefusedForEach({ fields, kind, forEach }: SourceNode): boolean {
  const value = fields['forEach'];
  if (kind?.allows.forEach === false) return forEach.length > 0 || (value !== undefined && value !== null);
  return value !== undefined && value !== null && typeof value !== 'object';
}

/** A node's name for messages: its id, or its place in the list. */
export function nameOf(node: SourceNode): string {
  return node.id ?? `#${node.index}`;
}

/** The ids from the root to a node. */
export function pathOf(node: SourceNode): NodePath {
  if (node.frame.owner === undefined) return [nameOf(node)];
  const path: string[] = [];
  for (let at: SourceNode | undefined = node; at !== undefined; at = at.frame.owner) path.push(nameOf(at));
  // A slice has no spare room, which a list that grew by push has: 130 bytes a node.
  return path.reverse().slice();
}

const MOST_LEVELS_TOLD = 8;

/** A node's place for messages, `box/kid`: its id after those of the graphs around it; of many only the nearest. */
export function titleOf(node: SourceNode): string {
  const ids: string[] = [];
  let at: SourceNode | undefined = node;
  for (; at !== undefined && ids.length < MOST_LEVELS_TOLD; at = at.frame.owner) ids.push(nameOf(at));
  return `${at === undefined ? '' : '…/'}${ids.reverse().join('/')}`;
}
