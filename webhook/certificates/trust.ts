import type { X509Certificate } from 'node:crypto';
import type { KubeClient } from '../../src/kube/client.ts';
import type { Clock } from '../../src/kube/clock.ts';
import { readConfiguration, verifies } from './live-configuration.ts';

export interface TrustOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** The name of the ValidatingWebhookConfiguration. */
  readonly configuration: string;
  /** The certificate that is served. */
  readonly leaf: () => X509Certificate | undefined;
  readonly onError: (error: unknown) => void;
}

const TRUSTED_MILLISECONDS = 30_000;
const UNTRUSTED_MILLISECONDS = 1000;

/** Looks whether the API server would trust the certificate that this process serves: a part of readiness (operations.md 1). */
export class Trust {
  readonly #options: TrustOptions;
  #trouble: string | undefined = 'the caBundle has not been read yet';

  constructor(options: TrustOptions) {
    this.#options = options;
  }

  /** Why the certificate would not be trusted; undefined when it would. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Looks again and again until the signal; faults are told and outlived. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        this.#trouble = await this.#look(signal);
      } catch (error) {
        if (signal.aborted) return;
        // What was seen last stays true while the API server is away: else all replicas would leave their Service at once.
        this.#options.onError(error);
      }
      await this.#options.clock.sleep(this.#trouble === undefined ? TRUSTED_MILLISECONDS : UNTRUSTED_MILLISECONDS, signal);
    }
  }

  async #look(signal: AbortSignal): Promise<string | undefined> {
    const { client, configuration, leaf } = this.#options;
    const served = leaf();
    if (served === undefined) return 'no certificate is served yet';
    const live = await readConfiguration(client, configuration, signal);
    return verifies(live, served) ? undefined : `the caBundle of "${configuration}" does not verify the certificate that is served`;
  }
}
