import type { ManagedResource } from '../../src/api/graph.ts';
import { printNodePath } from '../../src/api/names.ts';
import { identityKey } from '../../src/api/object.ts';
import type { Budget } from '../../src/cel/budget.ts';
import type { Program } from '../../src/compiler/program.ts';
import { Claims } from '../../src/engine/claims.ts';
import { Scope } from '../../src/runtime/scope.ts';
import { allEnded } from '../all-ended.ts';
import { Limiter } from '../apply/limiter.ts';
import { ImpersonationRefused, isImpersonationRefusal } from '../apply/refusal.ts';
import { type Inventory, identityOf, Ledger } from '../inventory/ledger.ts';
import { placeOfItem } from '../inventory/place.ts';
import { settle } from '../inventory/settle.ts';
import { sooner } from '../queue/sooner.ts';
import type { Turn } from '../queue/workers.ts';
import type { Verdict } from '../status/conditions.ts';
import { type Finding, findingsOf, type Summary } from '../status/summary.ts';
import type { StatusChange } from '../status/writer.ts';
import { Coverage } from '../watch/coverage.ts';
import { actingContext } from './acting.ts';
import { Announcer } from './announce.ts';
import type { ReconcileContext } from './context.ts';
import type { Fight } from './fights.ts';
import { type Foresight, lookAhead } from './look-ahead.ts';
import { pruneAndForget } from './prune-and-forget.ts';
import { Reader } from './reader.ts';
import type { ReconcilerParts, Session } from './reconciler.ts';
import { dropUnsent, inApplyOrder, noFindings, noteMistakes, readers, runWalk } from './run.ts';

/** A turn of a Graph that compiles. */
export interface Converging extends Session {
  readonly program: Program;
  readonly accepted: Verdict;
  readonly applierUser: string;
  readonly budget: Budget;
}

/** Intents, walk, prune, status (graph.md 8): the turn of a Graph that compiles. */
export async function runConverge(turn: Converging, parts: ReconcilerParts): Promise<Turn> {
  const session = parts.subscriptions.begin(turn.key);
  const coverage = new Coverage({ session, access: parts.access, applierUser: turn.applierUser, signal: turn.signal });
  let hasCome = false;
  try {
    const result = await converge(turn, coverage, parts);
    hasCome = true;
    return result;
  } catch (error) {
    if (!isRefusedToImpersonate(error, turn.applierUser)) throw error;
    return reportImpersonation(turn);
  } finally {
    if (hasCome) coverage.commit();
    else coverage.abort();
  }
}

async function converge(turn: Converging, coverage: Coverage, parts: ReconcilerParts): Promise<Turn> {
  const { program, memory, writer, applierUser, accepted, report } = turn;
  if (memory.applier !== applierUser) memory.forgetAnswers();
  memory.applier = applierUser;
  memory.answers.begin();
  memory.renderings.begin(program);
  const { status } = writer;
  const isFirstLook = memory.answers.size === 0 && (status.managedResources ?? []).some(({ uid }) => uid !== undefined);
  const ledger = new Ledger(status, memory.unsent);
  const findings = noFindings();
  const placeOf = placesIn(program, findings.places);
  const acting = actingContext({ session: turn, applierUser, ledger, coverage }, parts);
  const applier: Pick<StatusChange, 'appliedServiceAccount'> =
    status.appliedServiceAccount === undefined || status.appliedServiceAccount === '' ? { appliedServiceAccount: applierUser } : {};
  const announcer = new Announcer({
    ledger,
    placeOf,
    roomBeside: (inventory) => writer.roomBeside(inventory),
    store: (inventory: Inventory) => report.writeIntents(accepted, inventory, applier),
  });
  // A budget of its own: what was foreseen is kept, and a reconcile must not fail for what the next one need not do. Both spend twice it at most.
  const foresight = await lookAhead(program, { budget: turn.budget.child(parts.budget), acting, findings });
  if (!announcer.intend(foresight.entries, foresight.contributions)) return reportTooLarge(turn);
  const scope = new Scope();
  const context: ReconcileContext = {
    ...acting,
    program,
    scope,
    evaluation: { scope, budget: turn.budget },
    claims: new Claims(),
    fights: memory.fights,
    counts: parts.counts,
    reader: new Reader({ applier: acting.applier, signal: turn.signal, lists: isFirstLook ? parts.startLists : undefined }),
    sharedAnswers: parts.sharedAnswers,
    shardKeys: parts.shardKeys,
    began: turn.began,
    mustApply: (status.appliedServiceAccount ?? '') !== '' && status.appliedServiceAccount !== applierUser,
    limiter: new Limiter(parts.applyConcurrency),
    isRead: readers(program),
    announce: (entries, contributions) => announcer.announce(entries, contributions),
    assertWanted: () => writer.assertWanted(),
    collisions: foresight.collisions,
    foreseen: foresight.entries,
    findings,
  };
  try {
    return await carryOut(turn, { context, foresight, placeOf, stored: () => announcer.stored() });
  } finally {
    const addToInventory = (made: Inventory): Promise<boolean> => writer.add(made, (before, after) => ledger.added(before, after));
    await settle(findings.made, { ...context, addToInventory });
  }
}

interface Plan {
  readonly context: ReconcileContext;
  readonly foresight: Foresight;
  readonly placeOf: (entry: ManagedResource) => number;
  /** Resolves when all that is intended by then is stored. */
  readonly stored: () => Promise<void>;
}

/** Walk, prune, and the status that tells of both. */
async function carryOut(turn: Converging, { context, foresight, placeOf, stored }: Plan): Promise<Turn> {
  const { program, memory, writer, applierUser, accepted, report } = turn;
  const { ledger, findings, coverage } = context;
  // The walk renders and reads while the intents are being stored; before it writes, a node waits for that (`announce`).
  const [walked] = await allEnded([runWalk(context), stored()]);
  const outcomes = inApplyOrder(program, walked);
  noteMistakes(foresight, context);
  const found = outcomes.flatMap(findingsOf);
  dropUnsent(context);
  const isHard = found.some(({ hardness }) => hardness === 'hard');
  context.assertWanted();
  const pruned = isHard ? { findings: [], again: undefined } : await pruneAndForget(context);
  const fight = memory.fights.judge(turn.began);
  const all = [...found, ...pruned.findings, ...fight.fights.map(fightFinding)];
  const moved = context.mustApply && ledger.isAllApplied ? { appliedServiceAccount: applierUser } : {};
  const inventory = ledger.inventory(placeOf);
  const before = writer.stored;
  const summary = await report.write(
    { accepted, findings: all, watches: coverage.verdict(), isDeleting: false },
    { ...inventory, ...moved },
  );
  if (writer.stored !== before) {
    findings.made.clear();
    ledger.persisted(inventory);
  }
  memory.keepOnly(inventory);
  memory.awaitsWatches = coverage.isPending;
  memory.sweep(outcomes);
  turn.log.info({ generation: turn.stored.graph.metadata.generation, writes: findings.writes, health: summary.health }, 'reconciled');
  return next(summary, { hold: fight.hold, again: sooner(pruned.again, findings.again), isBlocked: coverage.isBlocked });
}

/** What is not watched is read again after so long (graph.md 11). */
const READ_AGAIN = 300_000;

function next(
  { health }: Summary,
  { hold, again, isBlocked }: { readonly hold: number; readonly again: number | undefined; readonly isBlocked: boolean },
): Turn {
  if (hold > 0) return { next: 'hold', after: hold };
  if (health !== 'ready') return { next: 'backoff', within: isBlocked ? Math.min(again ?? READ_AGAIN, READ_AGAIN) : again };
  if (again !== undefined) return { next: 'later', after: again };
  return isBlocked ? { next: 'later', after: READ_AGAIN } : { next: 'done' };
}

function fightFinding({ object, deed, rival }: Fight): Finding {
  const who = rival === undefined ? 'others keep changing or deleting it' : `"${rival.manager}" keeps changing ${rival.field}`;
  const what =
    deed === 'restored'
      ? `${who}, and it is written back again and again`
      : 'what is wanted of it changes all the time, as if it were made of what the Graph itself writes';
  const message = `${object}: ${what}; reconciles are slowed down until that ends`;
  return { path: undefined, hardness: 'soft', trouble: { reason: 'FieldManagerConflict', message } };
}

/** The place of an entry: by what was rendered, else by its node. */
function placesIn(program: Program, places: ReadonlyMap<string, number>): (entry: ManagedResource) => number {
  const nodes = new Map(program.nodes.map((node) => [printNodePath(node.path), node]));
  return (entry) => {
    const known = places.get(identityKey(identityOf(entry)));
    if (known !== undefined) return known;
    const node = nodes.get(entry.nodeID);
    return node === undefined ? Number.MAX_SAFE_INTEGER : placeOfItem(node, LAST_ITEM);
  };
}

const LAST_ITEM = 999_999;

async function reportTooLarge({ report, accepted, writer }: Converging): Promise<Turn> {
  const message = 'the inventory would exceed 5000 entries, or the Graph with it 1 MiB: nothing is written (split the Graph into several)';
  await report.write({
    accepted,
    findings: [{ path: undefined, hardness: 'hard', trouble: { reason: 'ApplyFailed', message } }],
    watches: undefined,
    isDeleting: writer.stored.graph.metadata.deletionTimestamp !== undefined,
  });
  return { next: 'backoff' };
}

function isRefusedToImpersonate(error: unknown, user: string): boolean {
  return error instanceof ImpersonationRefused || isImpersonationRefusal(error, user);
}

/** The controller lacks a right: nothing was read or written, and nobody else acts instead (graph.md 8.2). */
export async function reportImpersonation({
  report,
  accepted,
  applierUser,
  writer,
}: Omit<Converging, 'program' | 'budget'>): Promise<Turn> {
  const message = `the controller has no right to "impersonate" serviceaccounts, so that it cannot act as ${applierUser}: nothing is read or written`;
  await report.write({
    accepted,
    findings: [{ path: undefined, hardness: 'hard', trouble: { reason: 'ApplyFailed', message, mayHeal: true } }],
    watches: undefined,
    isDeleting: writer.stored.graph.metadata.deletionTimestamp !== undefined,
  });
  return { next: 'backoff' };
}
