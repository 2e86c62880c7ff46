import type { KubeClient, ObjectRef } from '../../src/kube/client.ts';
import type { Clock } from '../../src/kube/clock.ts';
import { isConflict, isInvalid } from '../../src/kube/error.ts';
import type { KeyPair, PairSource } from '../tls.ts';
import { bundlePatch, configurationRef, contains, type LiveConfiguration, readConfiguration } from './live-configuration.ts';
import { nextDue, nextStep, type RotationPlan, type RotationStep } from './rotation.ts';
import { bundleOf, type CertificateState, readState, writeState } from './state.ts';
import { type SeenObject, untilChanged } from './until-changed.ts';

export interface SelfSignedOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly secret: { readonly namespace: string; readonly name: string };
  /** The configuration whose caBundle is kept. */
  readonly configuration: string;
  readonly plan: RotationPlan;
  /** Whether this replica renews; the first certificates are made by whoever is first. */
  readonly isHeld: () => boolean;
  readonly onStep: (word: RotationStep['word'] | 'bundle') => void;
  readonly onError: (error: unknown) => void;
}

const BUSY_MILLISECONDS = 1000;
/** Nobody waits longer without looking: a clock may be set, and the Lease may have come to this replica. */
const MOST_MILLISECONDS = 300_000;
/** Something is due, and another replica has the Lease, or an authority waits to be trusted. */
const PENDING_MILLISECONDS = 15_000;
/** API servers learn of a bundle with a delay: so long it must have been live before a leaf rests on it. */
const KNOWN_MILLISECONDS = 10_000;

/** Nothing is to be done until one of these changes, or the time is over. */
export interface Settled {
  readonly objects: readonly SeenObject[];
  readonly milliseconds: number;
}

/** The selfSigned mode: certificates that this webhook makes, keeps in one Secret and renews, without any other component (operations.md 3). */
export class SelfSigned {
  readonly #options: SelfSignedOptions;
  readonly #secret: ObjectRef;
  #pair: KeyPair | undefined;
  /** The authority of tomorrow, and since when it is seen in the live configuration. */
  #live: { readonly certificate: string; readonly since: number } | undefined;

  constructor(options: SelfSignedOptions) {
    this.#options = options;
    this.#secret = { group: '', version: 'v1', plural: 'secrets', ...options.secret };
  }

  /** The leaf to serve, as last read. */
  readonly source: PairSource = async () => {
    if (this.#pair === undefined) throw new Error(`the Secret "${this.#options.secret.name}" holds no certificate yet`);
    return this.#pair;
  };

  /** Keeps the certificates until the signal; faults are told and outlived. */
  async run(signal: AbortSignal): Promise<void> {
    const { client, clock, onError } = this.#options;
    let trouble: string | undefined;
    while (!signal.aborted) {
      try {
        const settled = await this.reconcile(signal);
        // A leaf that another replica has renewed is served within moments, and a bundle that somebody took away is back.
        if (settled !== undefined) await untilChanged({ client, ...settled, signal });
        trouble = undefined;
      } catch (error) {
        if (signal.aborted) return;
        const why = error instanceof Error ? error.message : String(error);
        // A permission that is missing stays so for hours: it is told once, not every second.
        if (why !== trouble) onError(error);
        trouble = why;
      }
      await clock.sleep(BUSY_MILLISECONDS, signal);
    }
  }

  /** Reads Secret and configuration, and takes at most one step; undefined when it took one, else what it found. */
  async reconcile(signal: AbortSignal): Promise<Settled | undefined> {
    const { client, clock, configuration, plan, isHeld, onStep } = this.#options;
    const secret = await client.get(this.#secret, { signal });
    const state = readState(secret);
    if (state !== undefined) this.#pair = state.leaf;
    const live = await readConfiguration(client, configuration, signal);
    if (state !== undefined && live.bundles.some((bundle) => bundle !== bundleOf(state))) {
      const body = bundlePatch(live, bundleOf(state));
      await unlessRivalled(() => client.patch(configurationRef(configuration), { type: 'json', body }, { signal }));
      onStep('bundle');
      return undefined;
    }
    const view = { state, now: clock.date(), isTrusted: (certificate: string) => this.#isKnown(live, certificate) };
    const step = await nextStep(view, plan);
    if (step !== undefined && (step.word === 'first' || isHeld())) {
      await this.#write(secret, step, signal);
      return undefined;
    }
    const isPending = step !== undefined || state === undefined || state.next !== undefined;
    const due = isPending ? PENDING_MILLISECONDS : nextDue(state).getTime() - view.now.getTime();
    return {
      objects: [
        { object: this.#secret, resourceVersion: secret.metadata.resourceVersion ?? '' },
        { object: configurationRef(configuration), resourceVersion: live.resourceVersion },
      ],
      milliseconds: Math.min(Math.max(due, BUSY_MILLISECONDS), MOST_MILLISECONDS),
    };
  }

  /** Whether the live configuration has had this certificate long enough for every API server to have learnt of it. */
  #isKnown(live: LiveConfiguration, certificate: string): boolean {
    if (!contains(live, certificate)) return false;
    const now = this.#options.clock.now();
    if (this.#live?.certificate !== certificate) this.#live = { certificate, since: now };
    return now - this.#live.since >= KNOWN_MILLISECONDS;
  }

  async #write(secret: Parameters<typeof writeState>[0], step: RotationStep, signal: AbortSignal): Promise<void> {
    const { client, onStep } = this.#options;
    const isWritten = await unlessRivalled(() => client.replace(this.#secret, writeState(secret, step.state), { signal }));
    if (!isWritten) return;
    this.#pair = leafOf(step.state);
    onStep(step.word);
  }
}

function leafOf({ leaf }: CertificateState): KeyPair {
  return leaf;
}

/** Whether the write was ours; a rival's is read at the next look. A JSON patch whose test fails is answered as Invalid. */
async function unlessRivalled(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (isConflict(error) || isInvalid(error)) return false;
    throw error;
  }
}
