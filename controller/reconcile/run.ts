import { patchManager, printNodePath } from '../../src/api/names.ts';
import { identityKey } from '../../src/api/object.ts';
import type { Program, ProgramNode } from '../../src/compiler/program.ts';
import { decide } from '../../src/engine/decide.ts';
import { type Outcomes, walk } from '../../src/engine/walk.ts';
import type { Outcome } from '../../src/runtime/outcome.ts';
import { contributionKey, identityOf } from '../inventory/ledger.ts';
import { Made } from '../inventory/made.ts';
import { templatePaths } from '../inventory/prune.ts';
import { act } from '../nodes/index.ts';
import type { ReconcileContext, WalkFindings } from './context.ts';
import type { Foresight } from './look-ahead.ts';

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
      act(node) {
        context.assertWanted();
        return act(node, context);
      },
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
    again: undefined,
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
