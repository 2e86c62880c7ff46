import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

/** A leaf with its chain, and its private key, as PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Where the pair comes from; asked again and again. Throws when it cannot be read. */
export type PairSource = () => Promise<KeyPair>;

/** What the server does with a new pair: `setSecureContext` of a TLS server, which keeps open connections. */
export type Swap = (context: SecureContextOptions) => void;

/** Told of each change; what it is told of holds no key. */
export interface CertificateEvents {
  readonly served: (leaf: X509Certificate) => void;
  readonly refused: (why: string) => void;
}

/** Why a pair is not served. */
export class UnfitPair extends Error {
  override readonly name = 'UnfitPair';
}

const BLOCKS = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** The leaf of a pair whose key, leaf and chain fit together at this moment; throws an UnfitPair that says what does not fit. */
export function checkPair({ certificate, key }: KeyPair, now: Date): X509Certificate {
  const chain = (certificate.match(BLOCKS) ?? []).map(readCertificate);
  const [leaf] = chain;
  if (leaf === undefined) throw new UnfitPair('tls.crt holds no certificate (PEM)');
  if (!leaf.checkPrivateKey(readKey(key))) throw new UnfitPair('tls.key is not the key of the certificate in tls.crt');
  for (const [index, issuer] of chain.slice(1).entries()) {
    if (!chain[index]?.checkIssued(issuer)) {
      throw new UnfitPair(`certificate ${index + 1} of tls.crt is not issued by certificate ${index + 2}`);
    }
  }
  if (leaf.validToDate <= now) throw new UnfitPair(`the certificate in tls.crt expired at ${leaf.validToDate.toISOString()}`);
  createSecureContext({ cert: certificate, key });
  return leaf;
}

/** Serves the newest pair that fits and keeps the last good one otherwise (operations.md 3). */
export class CertificateReloader {
  readonly #source: PairSource;
  readonly #swap: Swap;
  readonly #events: CertificateEvents;
  #leaf: X509Certificate | undefined;
  #seen = '';
  #trouble = 'no certificate has been read yet';

  constructor({ source, swap, events }: { source: PairSource; swap: Swap; events: CertificateEvents }) {
    this.#source = source;
    this.#swap = swap;
    this.#events = events;
  }

  /** The certificate that is served; undefined while there is none. */
  get leaf(): X509Certificate | undefined {
    return this.#leaf;
  }

  /** Why the newest pair is not served; empty when it is. */
  get trouble(): string {
    return this.#trouble;
  }

  /** Reads the source once; swaps if there is something new that fits. Never throws. */
  async reload(now = new Date()): Promise<void> {
    try {
      const pair = await this.#source();
      const seen = `${pair.certificate}\n${pair.key}`;
      if (seen === this.#seen) {
        this.#trouble = '';
        return;
      }
      const leaf = checkPair(pair, now);
      if (isEarly(leaf, now) && this.#leaf !== undefined && this.#leaf.validToDate > now) {
        throw new UnfitPair(`the certificate in tls.crt is not valid before ${leaf.validFromDate.toISOString()}`);
      }
      this.#swap({ cert: pair.certificate, key: pair.key, minVersion: 'TLSv1.2' });
      this.#seen = seen;
      this.#leaf = leaf;
      this.#trouble = '';
      this.#events.served(leaf);
    } catch (error) {
      this.#refuse(error instanceof Error ? error.message : String(error));
    }
  }

  /** Reloads every so many milliseconds until the signal; also returns when it is aborted. */
  async watch(interval: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.reload();
      await sleep(interval, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Each trouble is told once, not at every look. */
  #refuse(why: string): void {
    if (why === this.#trouble) return;
    this.#trouble = why;
    this.#events.refused(why);
  }
}

/** It would be refused today. Where there is nothing better it is served all the same: the API server's clock may be ahead of ours. */
function isEarly(leaf: X509Certificate, now: Date): boolean {
  return leaf.validFromDate > now;
}

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new UnfitPair('a certificate in tls.crt cannot be read', { cause: error });
  }
}

/** Without the parser's own text: it might quote the key. */
function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new UnfitPair('tls.key holds no private key that can be read (PEM, unencrypted)');
  }
}
