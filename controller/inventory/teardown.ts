import { identityKey, printIdentity } from '../../src/api/object.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { allEnded } from '../all-ended.ts';
import type { Limiter } from '../apply/limiter.ts';
import { release } from '../apply/release.ts';
import type { ActingContext } from '../reconcile/context.ts';
import type { Finding } from '../status/summary.ts';
import { identityOf } from './ledger.ts';
import { annotatedWaves } from './locate.ts';
import { remove } from './remove.ts';
import { wavesOf } from './waves.ts';

/** How far a teardown has come. */
export interface TornDown {
  /** Nothing is left: the finalizer may go. */
  readonly isDone: boolean;
  readonly findings: readonly Finding[];
  /** Milliseconds after which an unproved entry is looked for again. */
  readonly again: number | undefined;
}

/** What a teardown needs beyond acting. */
export interface TeardownContext extends ActingContext {
  readonly limiter: Limiter;
  /** The applier of the present spec, where that is another one. */
  readonly otherwise: KubeClient | undefined;
}

/**
 * Removes everything that the status names, from it alone (graph.md 12.4): wave by wave from the last, each really gone before the next; then the
 * contributions. What is refused does not stop the others of its wave. Called again until it is done.
 */
export async function tearDown(context: TeardownContext): Promise<TornDown> {
  const { ledger } = context;
  const annotated = await annotatedWaves(ledger.entries, context);
  const waves = wavesOf(ledger.entries, (entry) => annotated.get(entry));
  // The time that an intent without an object must be looked for runs for all waves at once.
  for (const entry of ledger.entries)
    if (entry.uid === undefined) context.memory.beginToLook(identityKey(identityOf(entry)), context.now());
  for (const [at, { entries }] of waves.entries()) {
    const options = { isEarlierLeft: at < waves.length - 1, reason: 'DeleteFailed', otherwise: context.otherwise } as const;
    const removals = await allEnded(entries.map((entry) => context.limiter.run(() => remove(entry, options, context))));
    const findings: Finding[] = [];
    let again: number | undefined;
    let left = 0;
    for (const [index, removal] of removals.entries()) {
      const entry = entries[index];
      if (entry === undefined) continue;
      if (removal.word === 'gone') {
        ledger.drop(entry);
        continue;
      }
      left++;
      if (removal.word === 'unproved') again = Math.min(again ?? removal.again, removal.again);
      findings.push({ path: entry.nodeID.split('/'), hardness: removal.word === 'refused' ? 'hard' : 'soft', trouble: removal.trouble });
      if (removal.word === 'refused')
        context.tell(
          'Warning',
          'DeleteFailed',
          `${removal.trouble.identity === undefined ? '' : `${printIdentity(removal.trouble.identity)}: `}${removal.trouble.message}`,
        );
    }
    if (left > 0) return { isDone: false, findings, again };
  }
  return releaseAll(context);
}

async function releaseAll(context: TeardownContext): Promise<TornDown> {
  const entries = context.ledger.contributionEntries;
  const releases = await allEnded(entries.map((entry) => context.limiter.run(() => release(entry, context, context.otherwise))));
  const findings: Finding[] = [];
  let again: number | undefined;
  for (const [at, result] of releases.entries()) {
    const entry = entries[at];
    if (result.word === 'released' && entry !== undefined) context.ledger.dropContribution(entry);
    if (result.word === 'unproved') again = Math.min(again ?? result.again, result.again);
    if (result.word !== 'released')
      findings.push({ path: undefined, hardness: result.word === 'refused' ? 'hard' : 'soft', trouble: result.trouble });
  }
  return { isDone: findings.length === 0, findings, again };
}
