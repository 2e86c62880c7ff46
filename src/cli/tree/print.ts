import { styleText } from 'node:util';
import type { Graph } from '../../api/graph.ts';
import { printNodePath } from '../../api/names.ts';
import { printIdentity } from '../../api/object.ts';
import type { Frame, Program, ProgramNode } from '../../compiler/program.ts';
import type { Outcome, Trouble } from '../../runtime/outcome.ts';
import type { SeenNode } from './observe.ts';

const MOST_OBJECTS = 10;

/** How a tree is printed. */
export interface TreeStyle {
  readonly isColoured: boolean;
}

/** The tree of a Graph's nodes as they stand in its spec: id, kind, state, and the objects that each stands for. */
export function printTree(graph: Graph, program: Program, seen: readonly SeenNode[], { isColoured }: TreeStyle): string {
  const byNode = new Map(seen.map((each) => [each.node, each]));
  const lines: string[] = [headline(graph, isColoured)];
  const pending = [branchOf(program.root, '')];
  for (let top = pending.at(-1); top !== undefined; top = pending.at(-1)) {
    const { nodes, width } = top;
    const node = nodes[top.at++];
    if (node === undefined) {
      pending.pop();
      continue;
    }
    const isLast = top.at === nodes.length;
    const below = `${top.indent}${isLast ? '   ' : '│  '}`;
    const one = byNode.get(node);
    const state = stateOf(node, one?.outcome);
    const label = `${node.id.padEnd(width)}  ${node.kind.padEnd('template'.length)}`;
    lines.push(`${top.indent}${isLast ? '└─ ' : '├─ '}${label}  ${paint(state, isColoured)}${detailOf(one)}`.trimEnd());
    lines.push(...objectLines(one).map((line) => `${below}${node.kind === 'graph' ? '' : '   '}${line}`));
    if (node.kind === 'graph') pending.push(branchOf(node.child, below));
  }
  return `${lines.join('\n')}\n`;
}

/** A frame that is being printed, and how far that has come. */
interface Branch {
  readonly nodes: readonly ProgramNode[];
  /** Of the longest id. */
  readonly width: number;
  readonly indent: string;
  at: number;
}

function branchOf(frame: Frame, indent: string): Branch {
  const nodes = inSpecOrder(frame);
  return { nodes, width: nodes.reduce((width, { id }) => Math.max(width, id.length), 0), indent, at: 0 };
}

function headline({ metadata, status }: Graph, isColoured: boolean): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const state: State = ready?.status === 'True' ? GOOD : ready?.status === 'False' ? WAITING : NEUTRAL;
  const word = ready === undefined ? 'not seen by a controller yet' : ready.status === 'True' ? 'Ready' : `not Ready: ${ready.reason}`;
  return `Graph ${metadata.namespace}/${metadata.name}  ${paint({ ...state, word }, isColoured)}`;
}

interface State {
  readonly word: string;
  readonly colour: 'green' | 'yellow' | 'red' | 'gray';
}

const GOOD: State = { word: 'ready', colour: 'green' };
const WAITING: State = { word: 'waiting', colour: 'yellow' };
const NEUTRAL: State = { word: '', colour: 'gray' };

function stateOf(node: ProgramNode, outcome: Outcome | undefined): State {
  if (outcome === undefined) return NEUTRAL;
  switch (outcome.word) {
    case 'applied':
    case 'unchanged':
    case 'read':
      if (outcome.notReady !== undefined) return { word: 'not ready', colour: 'yellow' };
      return node.kind === 'patch' ? { word: 'target found', colour: 'green' } : GOOD;
    case 'skipped':
      return { word: 'skipped', colour: 'gray' };
    case 'waiting':
      return WAITING;
    case 'failed':
      return { word: 'failed', colour: 'red' };
    case 'blocked':
      return { word: 'blocked', colour: 'yellow' };
    default:
      return outcome satisfies never;
  }
}

function detailOf(one: SeenNode | undefined): string {
  const { outcome, objects } = one ?? { outcome: undefined, objects: [] };
  const single = objects.length === 1 && objects[0] !== undefined ? `  ${printIdentity(objects[0])}` : '';
  const why = outcome === undefined ? '' : whyOf(outcome);
  return `${single}${why === '' ? '' : `  (${why})`}`;
}

function whyOf(outcome: Outcome): string {
  if (outcome.word === 'blocked') return `by ${printNodePath(outcome.by)}`;
  if (outcome.word === 'waiting' || outcome.word === 'failed') return outcome.trouble.map(textOf).join('; ');
  return outcome.word !== 'skipped' && outcome.notReady !== undefined ? outcome.notReady.message : '';
}

function textOf({ message }: Trouble): string {
  return message;
}

function objectLines(one: SeenNode | undefined): string[] {
  const objects = one?.objects ?? [];
  if (objects.length < 2) return [];
  const shown = objects.slice(0, MOST_OBJECTS).map((identity) => `· ${printIdentity(identity)}`);
  return objects.length > MOST_OBJECTS ? [...shown, `· … and ${objects.length - MOST_OBJECTS} more`] : shown;
}

function inSpecOrder({ nodes }: Frame): readonly ProgramNode[] {
  return [...nodes].sort((a, b) => Number(a.place.segment) - Number(b.place.segment));
}

function paint({ word, colour }: State, isColoured: boolean): string {
  return isColoured && word !== '' ? styleText(colour, word, { validateStream: false }) : word;
}
