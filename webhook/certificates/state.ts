import type { JsonObject, KubeObject } from '../../src/api/object.ts';
import type { KeyPair } from '../tls.ts';

/** All that the selfSigned mode knows; it stands in one Secret, so that replicas agree (operations.md 3). */
export interface CertificateState {
  /** The authority that signed the leaf. */
  readonly authority: KeyPair;
  /** The authority that will sign the next leaf, once the live configuration trusts it. */
  readonly next: KeyPair | undefined;
  /** An authority that signs no more, and until when it is still trusted. */
  readonly former: { readonly certificate: string; readonly until: Date } | undefined;
  readonly leaf: KeyPair;
}

const KEYS = {
  certificate: 'tls.crt',
  key: 'tls.key',
  bundle: 'ca.crt',
  authority: 'ca-current.crt',
  authorityKey: 'ca-current.key',
  next: 'ca-next.crt',
  nextKey: 'ca-next.key',
  former: 'ca-former.crt',
  formerUntil: 'ca-former-until',
} as const;

/** What clients must trust: the authority of today, that of tomorrow, and that of yesterday (operations.md 3). */
export function bundleOf({ authority, next, former }: CertificateState): string {
  return [former?.certificate, authority.certificate, next?.certificate].filter((part) => part !== undefined).join('');
}

/** The state in a Secret; undefined if it is empty, as the chart creates it, or was damaged: then it is made anew. */
export function readState(secret: KubeObject): CertificateState | undefined {
  const values = decode(secret['data']);
  const leaf = pair(values, KEYS.certificate, KEYS.key);
  const authority = pair(values, KEYS.authority, KEYS.authorityKey);
  if (leaf === undefined || authority === undefined) return undefined;
  const former = values.get(KEYS.former);
  const until = new Date(values.get(KEYS.formerUntil) ?? '');
  return {
    authority,
    leaf,
    next: pair(values, KEYS.next, KEYS.nextKey),
    former: former === undefined || Number.isNaN(until.getTime()) ? undefined : { certificate: former, until },
  };
}

/** The Secret with this state in place of what it held. Its resourceVersion stays, so that a rival's write is not overwritten. */
export function writeState(secret: KubeObject, state: CertificateState): JsonObject {
  const values: Record<string, string | undefined> = {
    [KEYS.certificate]: state.leaf.certificate,
    [KEYS.key]: state.leaf.key,
    [KEYS.bundle]: bundleOf(state),
    [KEYS.authority]: state.authority.certificate,
    [KEYS.authorityKey]: state.authority.key,
    [KEYS.next]: state.next?.certificate,
    [KEYS.nextKey]: state.next?.key,
    [KEYS.former]: state.former?.certificate,
    [KEYS.formerUntil]: state.former?.until.toISOString(),
  };
  const data = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, Buffer.from(value).toString('base64')]],
  );
  return { ...(secret as unknown as JsonObject), data: Object.fromEntries(data) };
}

function pair(values: ReadonlyMap<string, string>, certificateKey: string, keyKey: string): KeyPair | undefined {
  const certificate = values.get(certificateKey);
  const key = values.get(keyKey);
  return certificate === undefined || key === undefined ? undefined : { certificate, key };
}

function decode(data: unknown): Map<string, string> {
  const entries = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  return new Map(
    entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, Buffer.from(value, 'base64').toString('utf8')] as const] : [])),
  );
}
