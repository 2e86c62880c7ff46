import { setImmediate as breathe } from 'node:timers/promises';
import type { Contribution, ManagedResource } from '../../src/api/graph.ts';
import { patchManager, printNodePath } from '../../src/api/names.ts';
import { type Identity, identityKey, parseApiVersion } from '../../src/api/object.ts';
import type { Budget } from '../../src/cel/budget.ts';
import type { Program, ProgramNode } from '../../src/compiler/program.ts';
import { decide } from '../../src/engine/decide.ts';
import { collisions, type Foreseen, foresee } from '../../src/engine/foresee.ts';
import { targetOf } from '../../src/engine/target.ts';
import { type Outcomes, walk } from '../../src/engine/walk.ts';
import type { Outcome } from '../../src/runtime/outcome.ts';
import { Scope } from '../../src/runtime/scope.ts';
import { entryOfItem } from '../apply/apply.ts';
import { contributionOf } from '../apply/contribute.ts';
import { contributionKey, identityOf } from '../inventory/ledger.ts';
import { Made } from '../inventory/made.ts';
import { templatePaths } from '../inventory/prune.ts';
import { act } from '../nodes/index.ts';
import type { ActingContext, ReconcileContext, WalkFindings } from './context.ts';

/** What is known before anything is written. */
export interface Foresight {
  readonly entries: readonly ManagedResource[];
  readonly contributions: readonly Contribution[];
  /** By the key of a claim: why none of those who render it may. */
  readonly collisions: ReadonlyMap<string, string>;
}

/** Renders the identities that can be known ahead, as entries of the inventory, and finds those that two would render (graph.md 8.5). */
export async function lookAhead(
  program: Program,
  options: { readonly budget: Budget; readonly namespace: string; readonly acting: ActingContext; readonly findings: WalkFindings },
): Promise<Foresight> {
  const { budget, namespace, acting, findings } = options;
  const foreseen = await foresee(program, { scope: new Scope(), budget }, () => breathe());
  const entries: ManagedResource[] = [];
  const contributions: Contribution[] = [];
  const places = new Map<Foreseen, Identity>();
  for (const one of foreseen) {
    const kind = { group: one.identity.group, version: parseApiVersion(one.apiVersion)?.version ?? '', kind: one.identity.kind };
    const resource = await acting.resolveKind(kind);
    // What is not served cannot be written, and whether it has a namespace is not known.
    if (resource === undefined) continue;
    const target = targetOf({
      kind,
      resource,
      namespace: resource.namespaced ? one.identity.namespace || namespace : '',
      name: one.identity.name,
    });
    places.set(one, target.identity);
    if (!one.isCertain && acting.memory.mistaken.has(identityKey(target.identity))) continue;
    const { node } = one;
    if (node.kind === 'patch') contributions.push(contributionOf({ node, target, subresource: node.subresource }, acting.graphUid));
    else {
      findings.places.set(identityKey(target.identity), placeOfItem(node, one.item));
      entries.push(entryOfItem({ node, target }));
    }
  }
  const found = collisions(
    foreseen.filter((one) => places.has(one)),
    (one) => places.get(one) ?? one.identity,
  );
  const reasons = new Map(found.map(({ key, first, second }) => [key, collisionText(first, second)]));
  return { entries: entries.filter((entry) => !reasons.has(`\n${identityKey(identityOf(entry))}`)), contributions, collisions: reasons };
}

/** The place of an item in the apply order. */
export function placeOfItem(node: ProgramNode, item: number): number {
  return node.position * MOST_ITEMS + item;
}

const MOST_ITEMS = 1_000_000;

function collisionText(first: Foreseen, second: Foreseen): string {
  const paths = [printNodePath(first.node.path), printNodePath(second.node.path)];
  return paths[0] === paths[1] ? 'two items render this same object' : `nodes "${paths[0]}" and "${paths[1]}" render this same object`;
}

/** Walks the Program: every node's outcome, in apply order. */
export async function runWalk(context: ReconcileContext): Promise<Outcomes> {
  const { program, findings, scope } = context;
  return walk(
    program,
    {
      scope,
      include(node, canEvaluate) {
        const decided = decide(node, canEvaluate, context.evaluation);
        if (decided === 'skipped') findings.resolved.add(printNodePath(node.path));
        return decided;
      },
      act: (node) => act(node, context),
    },
    context.signal,
  );
}

/** Outcomes in apply order. */
export function inApplyOrder(program: Program, outcomes: Outcomes): Outcome[] {
  return program.nodes.map((node) => outcomes.get(node)).filter((outcome) => outcome !== undefined);
}

/** Whether somebody reads what a node publishes: another node, or its own readyWhen. */
export function readers(program: Program): (node: ProgramNode) => boolean {
  const read = new Set<ProgramNode>();
  const pending = program.nodes.flatMap((node) => node.dependencies.map(({ follows }) => follows));
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (read.has(node)) continue;
    read.add(node);
    if (node.kind === 'graph') for (const child of node.child.nodes) pending.push(child);
  }
  for (const node of program.nodes) if (node.readyWhen.length > 0) read.add(node);
  return (node) => read.has(node);
}

/** Notes which foreseen objects turned out to be others, so that they are not announced again and again. */
export function noteMistakes(foresight: Foresight, { findings, memory, ledger }: ReconcileContext): void {
  for (const entry of foresight.entries) {
    const key = identityKey(identityOf(entry));
    const isMistaken = !findings.wanted.has(key) && findings.resolved.has(entry.nodeID) && ledger.wasNeverSent(entry);
    if (isMistaken) memory.mistaken.add(key);
  }
}

/** What a walk finds out, before it begins. */
export function noFindings(): WalkFindings {
  return {
    resolved: new Set(),
    wanted: new Set(),
    wantedContributions: new Set(),
    made: new Made(),
    uids: new Set(),
    places: new Map(),
    writes: 0,
  };
}

/** Drops intents that nobody wants any more and that were never sent; those of nodes that could not be resolved stay. */
export function dropUnsent({ ledger, findings, program, graphUid }: ReconcileContext): void {
  const unresolved = new Set(
    program.nodes
      .filter(({ kind, path }) => kind === 'patch' && !findings.resolved.has(printNodePath(path)))
      .map(({ path }) => patchManager(graphUid, path)),
  );
  const paths = templatePaths(program);
  ledger.dropUnsent(
    (entry) => findings.wanted.has(identityKey(identityOf(entry))) || (paths.has(entry.nodeID) && !findings.resolved.has(entry.nodeID)),
    (entry) => findings.wantedContributions.has(contributionKey(entry)) || unresolved.has(entry.fieldManager),
  );
}
