import { NODE_KINDS, type NodeKindName } from '../api/graph.ts';
import type { JsonValue } from '../api/object.ts';
import { defineDiagnostic, type Report } from '../diagnostic/diagnostic.ts';
import { didYouMean, nearest } from '../diagnostic/nearest.ts';
import type { FieldPath } from '../diagnostic/path.ts';
import { Dependencies } from './dependencies.ts';
import { describe, isObject } from './describe.ts';
import { SourceFrame, type SourceNode } from './frame.ts';
import { nodeKinds } from './kinds/index.ts';
import type { NodeKind } from './kinds/kind.ts';
import { type ExpressionReader, mayOmit, type SourceDimension, type SourceValue } from './payload.ts';

const MODIFIERS = ['includeWhen', 'readyWhen', 'forEach'] as const;
const NODE_FIELDS: ReadonlySet<string> = new Set(['id', ...NODE_KINDS, ...MODIFIERS]);

/** What other tools and habits call the fields of a node. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...['name', 'key'].map((name) => [name, 'a node is called by its "id"'] as const),
  ...['resource', 'object', 'manifest', 'spec', 'apply'].map((name) => [name, 'an object to apply is a "template"'] as const),
  ...['externalref', 'external', 'read', 'lookup', 'data'].map((name) => [name, 'an object to read is a "ref"'] as const),
  ...['value', 'values', 'variable', 'variables', 'vars', 'let', 'locals'].map((name) => [name, 'a value is a "def"'] as const),
  ...['nodes', 'subgraph', 'children', 'group'].map((name) => [name, 'nodes inside a node are a "graph": {nodes: [...]}'] as const),
  ...['dependson', 'depends_on', 'needs', 'after'].map((name) => [name, 'what a node depends on follows from its expressions'] as const),
  ...['when', 'if', 'condition', 'include', 'enabled'].map((name) => [name, 'conditions of a node are its "includeWhen"'] as const),
  ...['ready', 'wait', 'waitfor', 'readiness'].map((name) => [name, 'when a node is ready says its "readyWhen"'] as const),
  ...['for', 'each', 'loop', 'withitems', 'iterators'].map((name) => [name, 'a node for each item of a list has a "forEach"'] as const),
]);

const NONE: readonly never[] = [];

type Fields = Readonly<Record<string, unknown>>;

const nodesMissing = defineDiagnostic({
  code: 'frame/no-nodes',
  severity: 'error',
  message: ({ found }: { found: string }) => `expected a list of at least one node in "nodes", found ${found}`,
  hint: () => 'every graph needs at least one node',
});
const notANode = defineDiagnostic({
  code: 'node/not-an-object',
  severity: 'error',
  message: ({ found }: { found: string }) => `expected a node, found ${found}`,
  hint: () => 'a node is an object with an id and one of template, ref, def, patch, graph',
});
const kindFault = defineDiagnostic({
  code: 'node/kind',
  severity: 'error',
  message: ({ name, found }: { name: string; found: readonly string[]; empty: string | undefined }) =>
    `node ${name} needs exactly one of ${NODE_KINDS.join(', ')}; found ${found.length === 0 ? 'none' : found.join(' and ')}`,
  hint: ({ found, empty }) => (found.length > 0 ? 'make a node of each' : empty && `"${empty}" is there, but nothing is in it`),
});
const unknownField = defineDiagnostic({
  code: 'node/unknown-field',
  severity: 'error',
  message: ({ field }: { field: string }) => `a node has no field "${field}"`,
  hint: ({ field }) => OTHER_NAMES.get(field.toLowerCase()) ?? didYouMean(field, NODE_FIELDS),
});
const conditionsNotAList = defineDiagnostic({
  code: 'modifier/not-a-list',
  severity: 'error',
  message: ({ modifier, found }: { modifier: string; found: string }) => `${modifier} must be a list of expressions, found ${found}`,
  hint: ({ modifier }) => (modifier === 'forEach' ? 'write forEach: [{name: "${list}"}]' : `write ${modifier}: ["\${condition}"]`),
});
const conditionNotText = defineDiagnostic({
  code: 'modifier/not-an-expression',
  severity: 'error',
  message: ({ modifier, found }: { modifier: string; found: string }) => `each entry of ${modifier} must be an expression, found ${found}`,
  hint: () => 'write it as "${...}"',
});
const dimensionShape = defineDiagnostic({
  code: 'for-each/dimension',
  severity: 'error',
  message: ({ found }: { found: string }) => `each entry of forEach must have exactly one key, the iterator's name; found ${found}`,
  hint: () => 'one entry is one dimension: forEach: [{region: "${regions}"}, {size: "${sizes}"}]',
});

/** The diagnostics of reading node lists. */
export const readDiagnostics = [
  nodesMissing,
  notANode,
  kindFault,
  unknownField,
  conditionsNotAList,
  conditionNotText,
  dimensionShape,
] as const;

/**
 * Reads `spec.nodes` and the lists inside its graph nodes, outermost first; iterative, so that depth is free (graph.md 15). Whatever the
 * value is, there is a frame: entries that cannot be read are reported and left out.
 */
export function read(spec: unknown, place: FieldPath, reader: ExpressionReader, report: Report): SourceFrame[] {
  const root = new SourceFrame(undefined, place.field('nodes'));
  const frames: SourceFrame[] = [];
  const pending: { frame: SourceFrame; payload: unknown }[] = [{ frame: root, payload: spec }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    frames.push(next.frame);
    readFrame(next.frame, next.payload, reader, report);
    for (const node of next.frame.nodes.toReversed()) {
      if (node.child !== undefined) pending.push({ frame: node.child, payload: node.payload });
    }
  }
  return frames;
}

function readFrame(frame: SourceFrame, payload: unknown, reader: ExpressionReader, report: Report): void {
  const list = isObject(payload) ? payload['nodes'] : undefined;
  if (!Array.isArray(list) || list.length === 0) {
    // Of what is no object no field is missing: it is itself that is wrong.
    const path = isObject(payload) ? frame.place : (frame.place.parent ?? frame.place);
    report(nodesMissing({ found: isObject(payload) ? describe(list) : describe(payload) }, { path }));
    return;
  }
  for (let index = 0; index < list.length; index++) {
    const entry: unknown = list[index];
    if (isObject(entry)) readNode(frame, index, entry, reader, report);
    else report(notANode({ found: describe(entry) }, { path: frame.place.index(index) }));
  }
}

function readNode(frame: SourceFrame, index: number, fields: Fields, reader: ExpressionReader, report: Report): void {
  const place = frame.place.index(index);
  const id = typeof fields['id'] === 'string' && fields['id'] !== '' ? fields['id'] : undefined;
  const kind = kindOf(fields, id ?? `#${index}`, place, report);
  const payload = kind === undefined ? undefined : fields[kind.name];
  const node: SourceNode = {
    id,
    frame,
    index,
    place,
    kind,
    fields,
    payload,
    child: undefined,
    includeWhen: NONE,
    readyWhen: NONE,
    forEach: NONE,
    content: undefined,
    expressions: NONE,
    mayOmit: false,
    dependencies: new Dependencies(),
    checked: undefined,
    published: undefined,
    wave: 0,
    sealed: undefined,
    isLive: false,
    hasLiveItems: false,
  };
  if (kind?.holdsFrame === true) node.child = new SourceFrame(node, place.field(kind.name).field('nodes'));
  frame.add(node);
  for (const field of Object.keys(fields)) {
    if (!NODE_FIELDS.has(field)) report(unknownField({ field }, { path: place.field(field) }));
  }
  node.includeWhen = readConditions(node, 'includeWhen', reader, report);
  node.readyWhen = readConditions(node, 'readyWhen', reader, report);
  node.forEach = readDimensions(node, reader, report);
  if (kind !== undefined && node.child === undefined) {
    node.content = reader.readPayload(node, payload as JsonValue, place.field(kind.name));
  }
  node.expressions = reader.takeExpressions();
  node.mayOmit = node.expressions.some(mayOmit);
}

function kindOf(fields: Fields, name: string, place: FieldPath, report: Report): NodeKind | undefined {
  const isThere = (kind: NodeKindName): boolean => fields[kind] !== undefined && fields[kind] !== null;
  const first = NODE_KINDS.find(isThere);
  if (first !== undefined && first === NODE_KINDS.findLast(isThere)) return nodeKinds[first];
  const found = NODE_KINDS.filter(isThere);
  const empty = NODE_KINDS.find((kind) => fields[kind] === null);
  report(kindFault({ name: `"${name}"`, found, empty }, { path: place }));
  return undefined;
}

function readConditions(
  node: SourceNode,
  modifier: 'includeWhen' | 'readyWhen',
  reader: ExpressionReader,
  report: Report,
): readonly SourceValue[] {
  if (node.fields[modifier] === undefined) return NONE;
  const path = node.place.field(modifier);
  const values: SourceValue[] = [];
  for (const [index, entry] of readList(node, modifier, report)) {
    if (typeof entry === 'string') values.push(reader.readValue(node, modifier, entry, path.index(index)));
    else report(conditionNotText({ modifier, found: describe(entry) }, { path: path.index(index) }));
  }
  return values;
}

function readDimensions(node: SourceNode, reader: ExpressionReader, report: Report): readonly SourceDimension[] {
  const value = node.fields['forEach'];
  if (value === undefined) return readMisspelt(node, reader, report);
  const list = [...readList(node, 'forEach', report)];
  const path = node.place.field('forEach');
  // Its iterators are known all the same, so that expressions which read them are no further mistakes.
  if (isObject(value)) return readIterators(node, value, { path, isSound: false }, reader, report);
  return list.flatMap(([index, entry]) => {
    const place = path.index(index);
    const names = isObject(entry) ? Object.keys(entry) : undefined;
    const isSound = names?.length === 1;
    if (!isSound) report(dimensionShape({ found: names === undefined ? describe(entry) : listNames(names) }, { path: place }));
    return isObject(entry) ? readIterators(node, entry, { path: place, isSound }, reader, report) : NONE;
  });
}

/** Of a misspelt forEach, which is reported as a field that no node has, the iterators are known for the same reason. */
function readMisspelt(node: SourceNode, reader: ExpressionReader, report: Report): readonly SourceDimension[] {
  const field = Object.keys(node.fields).find((name) => !NODE_FIELDS.has(name) && nearest(name, ['forEach']).length > 0);
  const value = field === undefined ? undefined : node.fields[field];
  if (field === undefined || !Array.isArray(value)) return NONE;
  const path = node.place.field(field);
  return value.flatMap((entry: unknown, index) =>
    isObject(entry) ? readIterators(node, entry, { path: path.index(index), isSound: false }, reader, report) : NONE,
  );
}

function readIterators(
  node: SourceNode,
  lists: Fields,
  { path, isSound }: { readonly path: FieldPath; readonly isSound: boolean },
  reader: ExpressionReader,
  report: Report,
): readonly SourceDimension[] {
  return Object.keys(lists).map((iterator) => {
    const value = lists[iterator];
    const place = path.field(iterator);
    if (isSound && typeof value !== 'string') report(conditionNotText({ modifier: 'forEach', found: describe(value) }, { path: place }));
    const list = typeof value === 'string' ? reader.readValue(node, 'forEach', value, place) : undefined;
    return { iterator, place, isSound, list };
  });
}

function readList(node: SourceNode, modifier: (typeof MODIFIERS)[number], report: Report): Iterable<[number, unknown]> {
  const value = node.fields[modifier];
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.entries();
  report(conditionsNotAList({ modifier, found: describe(value) }, { path: node.place.field(modifier) }));
  return [];
}

function listNames(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `"${name}"`).join(' and ');
}
