import { type Diagnostic, oneLine } from '../diagnostic/diagnostic.ts';
import type { FieldPath } from '../diagnostic/path.ts';
import { type SourceFrame, type SourceNode, titleOf } from './frame.ts';

const LONGEST_NAME = 100;

/** Lets every error of a node name it: an index in a path is no name for people (graph.md 2.6). A warning has no room for more (14.2). */
export function nameNodes(diagnostics: readonly Diagnostic[], frames: readonly SourceFrame[]): Diagnostic[] {
  if (diagnostics.length === 0) return [];
  const byPlace = new Map<FieldPath, SourceNode>();
  for (const frame of frames) for (const node of frame.nodes) byPlace.set(node.place, node);
  const names = new Map<SourceNode, NodeName>();
  return diagnostics.map((diagnostic) => {
    if (diagnostic.severity === 'warning') return diagnostic;
    const node = nearest(diagnostic.path, byPlace);
    if (node?.id === undefined) return diagnostic;
    const name = names.get(node) ?? nameNode(node, node.id);
    names.set(node, name);
    if (name.inMessages.some((shown) => diagnostic.message.includes(shown))) return diagnostic;
    return { ...diagnostic, message: `${diagnostic.message}, in node "${name.title}"` };
  });
}

/** What a node is called: made once of a node, which may have thousands of errors and an id as long as the Graph. */
interface NodeName {
  readonly title: string;
  /** How a message may name it: in quotes, or as a member of a cycle. */
  readonly inMessages: readonly string[];
}

function nameNode(node: SourceNode, id: string): NodeName {
  const shown = oneLine(id);
  return { title: printName(node), inMessages: [`"${shown}"`, ` ${shown} -> `] };
}

function nearest(place: FieldPath, byPlace: ReadonlyMap<FieldPath, SourceNode>): SourceNode | undefined {
  for (let path: FieldPath | undefined = place; path !== undefined; path = path.parent) {
    const node = byPlace.get(path);
    if (node !== undefined) return node;
  }
  return undefined;
}

/** Of a name that is too long, its end. */
function printName(node: SourceNode): string {
  const name = oneLine(titleOf(node));
  return name.length <= LONGEST_NAME ? name : `…${name.slice(-LONGEST_NAME)}`;
}
