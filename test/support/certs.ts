import { issueAuthority, issueLeaf } from '../../webhook/certificates/issue.ts';

const DAY_MILLISECONDS = 24 * 60 * 60_000;

/** A server certificate, its key and the CA that signed it, all as PEM. */
export interface TestCertificates {
  readonly certificate: string;
  readonly key: string;
  readonly certificateAuthority: string;
}

/** Makes a CA for the run and a leaf for these hosts; another `now` makes one that has expired, or is not valid yet. */
export async function makeCertificates({ hosts, now = new Date() }: { hosts: readonly string[]; now?: Date }): Promise<TestCertificates> {
  const validity = { now, milliseconds: DAY_MILLISECONDS };
  const authority = await issueAuthority('kro-graph test CA', validity);
  return { ...(await issueLeaf(authority, hosts, validity)), certificateAuthority: authority.certificate };
}
