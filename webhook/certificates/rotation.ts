import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { checkPair, UnfitPair } from '../tls.ts';
import { issueAuthority, issueLeaf } from './issue.ts';
import type { CertificateState } from './state.ts';

/** What certificates are made for, and how long they live. */
export interface RotationPlan {
  readonly hosts: readonly string[];
  readonly authorityMilliseconds: number;
  readonly leafMilliseconds: number;
}

/** What a step is taken from: the stored state, and whether a certificate stands in the live configuration's caBundle. */
export interface RotationView {
  readonly state: CertificateState | undefined;
  readonly isTrusted: (certificate: string) => boolean;
  readonly now: Date;
}

/** The next state, and why; undefined when all is as it should be. */
export interface RotationStep {
  readonly word: 'first' | 'next-authority' | 'switched' | 'leaf' | 'former-gone';
  readonly state: CertificateState;
}

const AUTHORITY_NAME = 'kro-graph webhook CA';
const RENEWED_AT = 2 / 3;
const FORMER_MILLISECONDS = 24 * 60 * 60_000;

/**
 * One step towards certificates that are valid, at 2/3 of their life. A new authority comes into the bundle first, signs once the live
 * configuration trusts it, and its predecessor stays trusted for a day: so no request meets a certificate that it does not know
 * (operations.md 3).
 */
export async function nextStep(view: RotationView, plan: RotationPlan): Promise<RotationStep | undefined> {
  const { state, now } = view;
  if (state === undefined || !isUsable(state, now)) return { word: 'first', state: await makeFirst(plan, now) };
  const { authority, next, former, leaf } = state;
  if (next !== undefined && view.isTrusted(next.certificate)) {
    const until = new Date(now.getTime() + FORMER_MILLISECONDS);
    const signed = await issueLeaf(next, plan.hosts, { now, milliseconds: plan.leafMilliseconds });
    return {
      word: 'switched',
      state: { authority: next, next: undefined, former: { certificate: authority.certificate, until }, leaf: signed },
    };
  }
  if (next === undefined && isDue(authority.certificate, now)) {
    const made = await issueAuthority(AUTHORITY_NAME, { now, milliseconds: plan.authorityMilliseconds });
    return { word: 'next-authority', state: { ...state, next: made } };
  }
  if (isDue(leaf.certificate, now) || !servesHosts(leaf.certificate, plan.hosts)) {
    return {
      word: 'leaf',
      state: { ...state, leaf: await issueLeaf(authority, plan.hosts, { now, milliseconds: plan.leafMilliseconds }) },
    };
  }
  if (former !== undefined && former.until <= now) return { word: 'former-gone', state: { ...state, former: undefined } };
  return undefined;
}

/** When there will be something to do if nothing changes; a moment that has passed while it is another replica's to act. */
export function nextDue({ authority, next, former, leaf }: CertificateState): Date {
  const dues = [
    dueDate(leaf.certificate),
    ...(next === undefined ? [dueDate(authority.certificate)] : []),
    ...(former ? [former.until] : []),
  ];
  return new Date(Math.min(...dues.map(Number)));
}

async function makeFirst(plan: RotationPlan, now: Date): Promise<CertificateState> {
  const authority = await issueAuthority(AUTHORITY_NAME, { now, milliseconds: plan.authorityMilliseconds });
  const leaf = await issueLeaf(authority, plan.hosts, { now, milliseconds: plan.leafMilliseconds });
  return { authority, leaf, next: undefined, former: undefined };
}

/** Whether what is stored can be read and goes on from: an authority that has expired, or a key that is not its own, cannot. */
function isUsable({ authority, leaf }: CertificateState, now: Date): boolean {
  try {
    checkPair(authority, now);
    return new X509Certificate(leaf.certificate).checkIssued(new X509Certificate(authority.certificate));
  } catch (error) {
    if (error instanceof UnfitPair || isUnreadable(error)) return false;
    throw error;
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('ERR_OSSL');
}

function isDue(certificate: string, now: Date): boolean {
  return now >= dueDate(certificate);
}

function dueDate(certificate: string): Date {
  const { validFromDate, validToDate } = new X509Certificate(certificate);
  const life = validToDate.getTime() - validFromDate.getTime();
  return new Date(validFromDate.getTime() + life * RENEWED_AT);
}

function servesHosts(certificate: string, hosts: readonly string[]): boolean {
  const leaf = new X509Certificate(certificate);
  return hosts.every((host) => (isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)) !== undefined);
}
