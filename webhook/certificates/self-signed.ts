import type { KubeClient, ObjectRef } from '../../src/kube/client.ts';
import type { Clock } from '../../src/kube/clock.ts';
import { isConflict, isInvalid } from '../../src/kube/error.ts';
import type { KeyPair, PairSource } from '../tls.ts';
import { bundlePatch, configurationRef, contains, readConfiguration } from './live-configuration.ts';
import { nextStep, type RotationPlan, type RotationStep } from './rotation.ts';
import { bundleOf, type CertificateState, readState, writeState } from './state.ts';

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

const SETTLED_SECONDS = 30;
const BUSY_MILLISECONDS = 1000;

/** The selfSigned mode: certificates that this webhook makes, keeps in one Secret and renews, without any other component (operations.md 3). */
export class SelfSigned {
  readonly #options: SelfSignedOptions;
  readonly #secret: ObjectRef;
  #pair: KeyPair | undefined;
  #version = '';

  constructor(options: SelfSignedOptions) {
    this.#options = options;
    this.#secret = { group: '', version: 'v1', plural: 'secrets', ...options.secret };
  }

  /** The leaf to serve, as last read. */
  readonly source: PairSource = async () => {
    if (this.#pair === undefined) throw new Error(`the Secret "${this.#options.secret.name}" holds no certificate yet`);
    return this.#pair;
  };

  /** Looks again when the Secret changes, and every 30 s, until the signal; faults are told and outlived. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, onError } = this.#options;
    while (!signal.aborted) {
      try {
        if (await this.reconcile(signal)) await this.#untilChanged(signal);
        else await clock.sleep(BUSY_MILLISECONDS, signal);
      } catch (error) {
        if (signal.aborted) return;
        onError(error);
        await clock.sleep(BUSY_MILLISECONDS, signal);
      }
    }
  }

  /** Reads Secret and configuration, and takes at most one step; tells whether there was nothing to do. */
  async reconcile(signal: AbortSignal): Promise<boolean> {
    const { client, clock, configuration, plan, isHeld, onStep } = this.#options;
    const secret = await client.get(this.#secret, { signal });
    this.#version = secret.metadata.resourceVersion ?? '';
    const state = readState(secret);
    if (state !== undefined) this.#pair = state.leaf;
    const live = await readConfiguration(client, configuration, signal);
    if (state !== undefined && live.bundles.some((bundle) => bundle !== bundleOf(state))) {
      await unlessRivalled(() =>
        client.patch(configurationRef(configuration), { type: 'json', body: bundlePatch(live, bundleOf(state)) }, { signal }),
      );
      onStep('bundle');
      return false;
    }
    const view = { state, now: clock.date(), isTrusted: (certificate: string) => contains(live, certificate) };
    const step = await nextStep(view, plan);
    if (step === undefined) return true;
    if (step.word !== 'first' && !isHeld()) return true;
    await this.#write(secret, step, signal);
    return false;
  }

  /** A leaf that another replica has renewed is served within moments. */
  async #untilChanged(signal: AbortSignal): Promise<void> {
    const { client, secret } = this.#options;
    const events = client.watch(this.#secret, {
      fieldSelector: `metadata.name=${secret.name}`,
      resourceVersion: this.#version,
      timeoutSeconds: SETTLED_SECONDS,
      signal,
    });
    for await (const { type } of events) {
      if (type !== 'BOOKMARK') return;
    }
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
