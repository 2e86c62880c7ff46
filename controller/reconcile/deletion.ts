import { GRAPH_FINALIZER } from '../../src/api/names.ts';
import { Limiter } from '../apply/limiter.ts';
import { ImpersonationRefused, isImpersonationRefusal } from '../apply/refusal.ts';
import { Ledger } from '../inventory/ledger.ts';
import { tearDown } from '../inventory/teardown.ts';
import type { Turn } from '../queue/workers.ts';
import { Coverage } from '../watch/coverage.ts';
import { applierOf } from './accept.ts';
import { actingContext } from './acting.ts';
import { reportImpersonation } from './converge.ts';
import type { ReconcilerParts, Session } from './reconciler.ts';

/** A teardown that goes on is not told, only one that has stood still for so long: most end sooner, and each word is a request. */
const QUIET = 2000;

/** One turn of a Graph that is being deleted (graph.md 12.4): `done` when the finalizer is gone. */
export async function runTeardown(turn: Session, parts: ReconcilerParts): Promise<Turn> {
  const { stored, report, writer } = turn;
  const applierUser = executorOf(turn, parts);
  if (applierUser === undefined) {
    const message = `the Graph would be torn down as ${applierOf(stored.graph)}, which is this controller's own ServiceAccount: set spec.serviceAccountName`;
    await report.write({
      accepted: report.formerAccepted(),
      findings: [{ path: undefined, hardness: 'hard', trouble: { reason: 'DeleteFailed', message } }],
      watches: undefined,
      isDeleting: true,
    });
    return { next: 'backoff' };
  }
  const session = parts.subscriptions.begin(turn.key);
  const coverage = new Coverage({ session, access: parts.access, applierUser, signal: turn.signal });
  try {
    return await proceed(turn, { applierUser, coverage }, parts);
  } catch (error) {
    if (!(error instanceof ImpersonationRefused) && !isImpersonationRefusal(error, applierUser)) throw error;
    return await reportImpersonation({ ...turn, accepted: report.formerAccepted(), applierUser, writer });
  } finally {
    coverage.abort();
  }
}

async function proceed(
  turn: Session,
  { applierUser, coverage }: { readonly applierUser: string; readonly coverage: Coverage },
  parts: ReconcilerParts,
): Promise<Turn> {
  const { stored, memory, report, writer } = turn;
  const ledger = new Ledger(writer.status, memory.unsent);
  const acting = actingContext({ session: turn, applierUser, ledger, coverage }, parts);
  const present = applierOf(stored.graph);
  const mayActAsPresent = present !== applierUser && !parts.release.users.has(present);
  const result = await tearDown({
    ...acting,
    limiter: new Limiter(parts.applyConcurrency),
    otherwise: mayActAsPresent ? parts.client.as(present) : undefined,
  });
  if (result.isDone) {
    const others = (stored.graph.metadata.finalizers ?? []).filter((name) => name !== GRAPH_FINALIZER);
    const lasting = others.filter((name) => !COLLECTOR.has(name));
    if (lasting.length > 0) await reportEnd(turn, lasting);
    await writer.setFinalizers(others);
    turn.log.info({}, 'torn down');
    return { next: 'done' };
  }
  memory.awaitsWatches = coverage.isPending;
  const isTrouble = result.findings.some(({ hardness }) => hardness === 'hard');
  const left = ledger.entries.length + ledger.contributionEntries.length;
  if (memory.teardown?.left !== left) memory.teardown = { left, since: parts.now() };
  const quiet = QUIET - (parts.now() - memory.teardown.since);
  if (!isTrouble && quiet > 0) return { next: 'backoff', within: quiet };
  const order = new Map(ledger.entries.map((entry, at) => [entry, at]));
  const before = writer.stored;
  const inventory = ledger.inventory((entry) => order.get(entry) ?? 0);
  await report.write({ accepted: report.formerAccepted(), findings: result.findings, watches: undefined, isDeleting: true }, inventory);
  if (writer.stored !== before) ledger.persisted(inventory);
  return { next: 'backoff', within: result.again };
}

/** The garbage collector's own finalizers, of a Graph that is deleted with what it owns: they go at once. */
const COLLECTOR: ReadonlySet<string> = new Set(['foregroundDeletion', 'orphan']);

/** A Graph that others hold longer than this controller tells to the end that it has nothing any more. */
async function reportEnd({ report }: Session, finalizers: readonly string[]): Promise<void> {
  const message = `everything is torn down; the Graph waits for the finalizers of others: ${finalizers.join(', ')}`;
  await report.write(
    {
      accepted: report.formerAccepted(),
      findings: [{ path: undefined, hardness: 'soft', trouble: { reason: 'WaitingForReadiness', message } }],
      watches: undefined,
      isDeleting: true,
    },
    { managedResources: [], contributions: [] },
  );
}

/** Who tears down: the one who applied, else the one of the present spec; never a user that only a forged status can name (graph.md 12.6). */
function executorOf({ stored, writer }: Session, { release }: ReconcilerParts): string | undefined {
  const namespace = stored.graph.metadata.namespace ?? '';
  const applied = writer.status.appliedServiceAccount ?? '';
  const isPlausible = applied.startsWith(`system:serviceaccount:${namespace}:`) && !release.users.has(applied);
  const user = isPlausible ? applied : applierOf(stored.graph);
  if (!release.users.has(user)) return user;
  const isEmpty = (writer.status.managedResources ?? []).length === 0 && (writer.status.contributions ?? []).length === 0;
  return isEmpty ? user : undefined;
}
