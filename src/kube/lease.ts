import type { KubeObject } from '../api/object.ts';
import type { KubeClient, ObjectRef } from './client.ts';
import type { Clock } from './clock.ts';
import { isAlreadyExists, isConflict, isNotFound } from './error.ts';
import { microTime } from './micro-time.ts';
import { RunningTenure, type Tenure } from './tenure.ts';

/** Milliseconds. The lease outlives the deadline, so that a holder has stopped before another may begin. */
export interface LeaseTiming {
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

/** Milliseconds that it takes at most to give a Lease back, a read and a write, after `run` was told to end; one that is not given back expires. */
export function giveBackWithin({ retryPeriod }: Pick<LeaseTiming, 'retryPeriod'>): number {
  return 2 * retryPeriod + 1000;
}

/** Who competes for which Lease. */
export interface LeaseOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  /** Different for each process. */
  readonly identity: string;
  readonly timing: LeaseTiming;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly onChange?: (isHeld: boolean) => void;
  /** An attempt that failed for another reason than a rival; it is repeated. */
  readonly onError?: (error: unknown) => void;
}

interface Seen {
  readonly version: string;
  /** When this version was first seen, by our own clock: what the holder's clock says does not count. */
  readonly at: number;
  readonly holder: string;
  readonly duration: number;
}

/** Leader election on a Lease. Losing it is not the end: it competes again (operations.md 1). */
export class Election {
  readonly #options: LeaseOptions;
  readonly #lease: ObjectRef;
  readonly #waiting = new Set<(tenure: Tenure) => void>();
  #seen: Seen | undefined;
  /** Our own last write, so that a renewal is one request. */
  #ours: KubeObject | undefined;
  #tenure: RunningTenure | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
    const { namespace, name } = options;
    this.#lease = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespace, name };
  }

  /** Whether this process surely is the leader at this instant. */
  isHeld(): boolean {
    return this.#tenure?.isHeld() ?? false;
  }

  /** The holder as last seen; empty when there is none. */
  get holder(): string {
    return this.#seen?.holder ?? '';
  }

  /** The present tenure, or the next one. */
  async tenure(signal: AbortSignal): Promise<Tenure> {
    if (this.#tenure?.isHeld()) return this.#tenure;
    const { promise, resolve, reject } = Promise.withResolvers<Tenure>();
    const abort = (): void => reject(signal.reason);
    this.#waiting.add(resolve);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      return await promise;
    } finally {
      this.#waiting.delete(resolve);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Competes, and renews, until the signal is aborted; then gives the Lease back. Abort it only when no write is under way any more. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random, timing, onError } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#attempt(signal);
      } catch (error) {
        if (signal.aborted) break;
        onError?.(error);
      }
      if (this.#tenure !== undefined && !this.#tenure.isHeld()) this.#lose();
      // Candidates spread out; a holder keeps time.
      const pause = this.#tenure === undefined ? timing.retryPeriod * (1 + random() / 2) : timing.retryPeriod;
      await clock.sleep(pause, signal);
    }
    await this.#release();
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    const { client, clock, timing, identity } = this.#options;
    const started = clock.now();
    const timeLimit = Math.max(1000, timing.renewDeadline / 2);
    const options = { signal, timeLimit };
    const ours = this.#ours;
    if (ours !== undefined && this.isHeld()) {
      await this.#write(() => client.replace(this.#lease, this.#manifest(ours), options), started);
      return;
    }
    let live: KubeObject;
    try {
      live = await client.get(this.#lease, options);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.#write(() => client.create(this.#lease, this.#manifest(undefined), options), started);
      return;
    }
    this.#see(live);
    const isOurs = this.#seen?.holder === identity;
    if (!isOurs && this.#tenure !== undefined) this.#lose();
    if (!isOurs && !this.#isExpired()) return;
    await this.#write(() => client.replace(this.#lease, this.#manifest(live), options), started);
  }

  /** The tenure counts from before the attempt began: the server may have taken the write at any instant since. */
  async #write(write: () => Promise<{ readonly object: KubeObject }>, started: number): Promise<void> {
    this.#ours = undefined;
    try {
      const { object } = await write();
      this.#see(object);
      this.#ours = object;
    } catch (error) {
      // A rival was faster; what it wrote is seen by the next attempt.
      if (isConflict(error) || isAlreadyExists(error)) return;
      throw error;
    }
    const { clock, timing, onChange } = this.#options;
    const deadline = started + timing.renewDeadline;
    if (clock.now() >= deadline) return;
    if (this.#tenure?.isHeld()) {
      this.#tenure.extend(deadline);
      return;
    }
    this.#lose();
    const tenure = new RunningTenure(clock, deadline, () => this.#lose());
    this.#tenure = tenure;
    onChange?.(true);
    for (const resolve of this.#waiting) resolve(tenure);
  }

  #see(live: KubeObject): void {
    const version = live.metadata.resourceVersion ?? '';
    if (this.#seen?.version === version) return;
    const spec = specOf(live);
    const seconds = spec.leaseDurationSeconds ?? this.#options.timing.leaseDuration / 1000;
    this.#seen = { version, at: this.#options.clock.now(), holder: spec.holderIdentity ?? '', duration: seconds * 1000 };
  }

  #isExpired(): boolean {
    const seen = this.#seen;
    return seen === undefined || seen.holder === '' || this.#options.clock.now() > seen.at + seen.duration;
  }

  #manifest(live: KubeObject | undefined): unknown {
    const { identity, timing, clock, namespace, name } = this.#options;
    const before = live === undefined ? {} : specOf(live);
    const now = microTime(clock.date());
    const isOurs = before.holderIdentity === identity;
    const metadata = live?.metadata ?? { name, namespace };
    const spec = {
      ...before,
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(timing.leaseDuration / 1000),
      acquireTime: isOurs ? before.acquireTime : now,
      renewTime: now,
      leaseTransitions: (before.leaseTransitions ?? 0) + (isOurs || live === undefined ? 0 : 1),
    };
    return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
  }

  #lose(): void {
    if (this.#tenure === undefined) return;
    this.#tenure.end();
    this.#tenure = undefined;
    this.#options.onChange?.(false);
  }

  async #release(): Promise<void> {
    const wasOurs = this.#seen?.holder === this.#options.identity;
    this.#lose();
    if (!wasOurs) return;
    const { client, clock, timing, onError } = this.#options;
    try {
      const live = await client.get(this.#lease, { timeLimit: timing.retryPeriod });
      if (specOf(live).holderIdentity !== this.#options.identity) return;
      const spec = { ...specOf(live), holderIdentity: '', leaseDurationSeconds: 1, renewTime: microTime(clock.date()) };
      await client.replace(this.#lease, { ...live, spec }, { timeLimit: timing.retryPeriod });
    } catch (error) {
      // The next leader waits for the lease to expire instead.
      onError?.(error);
    }
  }
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

function specOf(lease: KubeObject): LeaseSpec {
  return (lease['spec'] as LeaseSpec | undefined) ?? {};
}
