import { randomUUID } from 'node:crypto';
import type { KubeClient } from '../../src/kube/client.ts';
import { systemClock } from '../../src/kube/clock.ts';
import { Election, giveBackWithin } from '../../src/kube/lease.ts';
import type { Lifecycle } from '../../src/service/lifecycle.ts';
import type { Log } from '../../src/service/log.ts';
import type { PairSource } from '../tls.ts';
import { SelfSigned } from './self-signed.ts';

export interface KeepOptions {
  readonly settings: {
    readonly tlsSecretName: string;
    readonly tlsDnsNames: readonly string[];
    readonly tlsSelfSignedCaDuration: number;
    readonly tlsSelfSignedDuration: number;
    readonly webhookConfiguration: string;
  };
  readonly log: Log;
  readonly lifecycle: Pick<Lifecycle, 'addReader'>;
  readonly client: KubeClient;
}

/** Certificates that this process keeps itself. */
export interface KeptCertificates {
  readonly source: PairSource;
  /** Begins, once it is known in which namespace this process and its Secret are. */
  start(namespace: string): void;
}

const LEASE_NAME = 'kro-graph-webhook-certificates';
const TIMING = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 };

/** The selfSigned mode: the Secret that the replicas of this webhook share, and the Lease of the one that renews (operations.md 3). */
export function keepCertificates({ settings, log, lifecycle, client }: KeepOptions): KeptCertificates {
  const onError = (error: unknown): void => log.error({ error }, 'certificates are not kept up');
  const ending = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let selfSigned: SelfSigned | undefined;
  lifecycle.addReader(
    'certificates',
    async () => {
      ending.abort();
      await running;
    },
    giveBackWithin(TIMING),
  );
  const start = (namespace: string): void => {
    const identity = `webhook_${randomUUID()}`;
    const common = { client, clock: systemClock, onError };
    const election = new Election({ ...common, namespace, name: LEASE_NAME, identity, timing: TIMING, random: Math.random });
    selfSigned = new SelfSigned({
      ...common,
      secret: { namespace, name: settings.tlsSecretName },
      configuration: settings.webhookConfiguration,
      plan: {
        hosts: settings.tlsDnsNames,
        authorityMilliseconds: settings.tlsSelfSignedCaDuration,
        leafMilliseconds: settings.tlsSelfSignedDuration,
      },
      isHeld: () => election.isHeld(),
      onStep: (step) => log.info({ step }, 'certificates changed'),
    });
    running = Promise.all([election.run(ending.signal), selfSigned.run(ending.signal)]);
  };
  const source: PairSource = async () => {
    if (selfSigned === undefined) throw new Error('the API server has not yet said who this process is');
    return selfSigned.source();
  };
  return { source, start };
}
