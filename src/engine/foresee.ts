import { printNodePath } from '../api/names.ts';
import { type Identity, identityKey, parseApiVersion } from '../api/object.ts';
import type { Value } from '../cel/value.ts';
import type { Expression, PatchProgramNode, Program, ProgramNode, TemplateProgramNode } from '../compiler/program.ts';
import type { EvaluationContext } from '../runtime/evaluate.ts';
import { expand } from '../runtime/expand.ts';
import { expressionsOf } from '../runtime/expressions.ts';
import { include } from '../runtime/include.ts';
import { type RenderedIdentity, renderIdentity, renderManifest, renderValue } from '../runtime/render.ts';
import { claimKey } from './claims.ts';

/** An object that will be written, known before anything is. */
export interface Foreseen {
  readonly node: TemplateProgramNode | PatchProgramNode;
  readonly item: number;
  readonly apiVersion: string;
  /** With the namespace that the manifest gives; empty if it gives none. */
  readonly identity: Identity;
  /** It rests on nothing that the cluster might answer otherwise. */
  readonly isCertain: boolean;
}

/**
 * The identities that can be rendered before anything is written: identity fields against the rendered manifests of what they depend on
 * (graph.md 8.5). What needs a live value is left out, and persisted before its own write. `breathe` gives the event loop back.
 */
export async function foresee(program: Program, evaluation: EvaluationContext, breathe: () => Promise<void>): Promise<Foreseen[]> {
  const needed = neededNodes(program);
  const found: Foreseen[] = [];
  const unknown = new Set<ProgramNode>();
  for (const [at, node] of program.nodes.entries()) {
    if (at % NODES_A_TURN === NODES_A_TURN - 1) await breathe();
    if (node.includeWhen.some((condition) => dependsOnUnknown(condition, unknown))) {
      unknown.add(node);
      continue;
    }
    const inclusion = include(node, evaluation);
    if (inclusion.word === 'skipped') evaluation.scope.skip(node);
    if (inclusion.word !== 'included') {
      if (inclusion.word !== 'skipped') unknown.add(node);
      continue;
    }
    if (node.kind === 'graph') continue;
    if (node.kind === 'ref') unknown.add(node);
    else if (!(await foreseeNode(node, { needed, found, evaluation, unknown, breathe, limit: program.collectionLimit }))) unknown.add(node);
  }
  return found;
}

/** So many nodes, or items, are rendered before the event loop is given back. */
const NODES_A_TURN = 25;

interface Work {
  readonly needed: ReadonlySet<ProgramNode>;
  readonly found: Foreseen[];
  readonly evaluation: EvaluationContext;
  readonly unknown: ReadonlySet<ProgramNode>;
  readonly breathe: () => Promise<void>;
  /** The most items of one node. */
  readonly limit: number;
}

/** False: what the node publishes cannot be known. */
async function foreseeNode(
  node: Exclude<ProgramNode, { kind: 'graph' | 'ref' }>,
  { needed, found, evaluation, unknown, breathe, limit }: Work,
): Promise<boolean> {
  if (node.forEach.some(({ list }) => dependsOnUnknown(list, unknown))) return false;
  // A node of more items is not foreseen: its walk fails (graph.md 5), and to build them all would cost every Graph the process.
  const bindings = expand(node, evaluation, limit);
  if (bindings.word !== 'value') return false;
  const values: Value[] = [];
  const isCertain = node.kind === 'def' || isIndependent(node);
  for (const [item, locals] of bindings.value.entries()) {
    if (item % NODES_A_TURN === NODES_A_TURN - 1) await breathe();
    const identity = node.kind === 'def' ? undefined : renderIdentity(node, locals, evaluation);
    if (node.kind !== 'def' && identity?.word === 'value' && identity.value.name !== undefined) {
      const { apiVersion, kind, namespace = '', name } = identity.value;
      const group = parseApiVersion(apiVersion)?.group ?? '';
      found.push({ node, item, apiVersion, identity: { group, kind, namespace, name }, isCertain });
    }
    if (!needed.has(node) || node.kind === 'patch') continue;
    const value = node.kind === 'def' ? renderValue(node, locals, evaluation) : renderManifest(node, locals, evaluation);
    // Of a manifest that cannot be rendered yet, the identity alone: most names are made of names.
    const partial = identity?.word === 'value' ? bare(identity.value) : undefined;
    const known = value.word === 'value' ? (value.value as Value) : partial;
    if (known === undefined) return false;
    values.push(known);
  }
  const [first] = values;
  if (node.publishesList) evaluation.scope.publish(node, values);
  else if (first !== undefined) evaluation.scope.publish(node, first);
  return true;
}

function bare({ apiVersion, kind, namespace, name }: RenderedIdentity): Value | undefined {
  if (name === undefined) return undefined;
  return { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
}

function dependsOnUnknown({ references }: Expression, unknown: ReadonlySet<ProgramNode>): boolean {
  return references.some((reference) => unknown.has(reference));
}

/** Whether a node's identities are the same whatever the cluster answers: nothing that they are made of reads it. */
function isIndependent(node: TemplateProgramNode | PatchProgramNode): boolean {
  return deciding(node).every(({ readsCluster }) => !readsCluster);
}

/** What decides how many objects a node has, and which. */
function deciding(node: ProgramNode): Expression[] {
  const { includeWhen, forEach } = node;
  const identity = node.kind === 'template' || node.kind === 'patch' ? identityExpressions(node) : [];
  return [...includeWhen, ...forEach.map(({ list }) => list), ...identity];
}

function identityExpressions({ payload }: TemplateProgramNode | PatchProgramNode): Expression[] {
  const metadata = payload.entries.get('metadata');
  const fields = metadata?.kind === 'object' ? [metadata.entries.get('name'), metadata.entries.get('namespace')] : [metadata];
  return [payload.entries.get('apiVersion'), payload.entries.get('kind'), ...fields].flatMap((part) =>
    part === undefined ? [] : expressionsOf(part),
  );
}

/** The nodes whose values decide identities, directly or through others' manifests. */
function neededNodes(program: Program): Set<ProgramNode> {
  const needed = new Set<ProgramNode>();
  const pending = program.nodes.flatMap((node) => deciding(node).flatMap(({ references }) => references));
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (needed.has(node)) continue;
    needed.add(node);
    if (node.kind === 'graph') for (const child of node.child.nodes) pending.push(child);
    else if (node.kind !== 'ref')
      for (const { references } of expressionsOf(node.payload)) for (const reference of references) pending.push(reference);
  }
  return needed;
}

/** Two nodes, or items, that certainly render the same object, and which object it is; found before anything is written (graph.md 8.4). */
export interface Collision {
  /** Its `claimKey`. */
  readonly key: string;
  readonly identity: Identity;
  readonly first: Foreseen;
  readonly second: Foreseen;
}

/** The collisions among what is certain. Patch nodes may share targets, but no two items of one. */
export function collisions(foreseen: readonly Foreseen[], placeOf: (foreseen: Foreseen) => Identity): Collision[] {
  const taken = new Map<string, Foreseen>();
  const found: Collision[] = [];
  for (const one of foreseen) {
    if (!one.isCertain) continue;
    const identity = placeOf(one);
    const key = claimKey(identityKey(identity), one.node.kind === 'patch' ? printNodePath(one.node.path) : '');
    const holder = taken.get(key);
    if (holder === undefined) taken.set(key, one);
    else found.push({ key, identity, first: holder, second: one });
  }
  return found;
}
