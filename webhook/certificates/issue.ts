import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { KeyPair } from '../tls.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const SERIAL_BYTES = 16;
/** Clocks of one cluster differ. */
const BACKDATED_MILLISECONDS = 5 * 60_000;

/** How long something made at `now` is valid. */
export interface Validity {
  readonly now: Date;
  readonly milliseconds: number;
}

/** A new certificate authority: it signs leaves and nothing else. */
export async function issueAuthority(name: string, validity: Validity): Promise<KeyPair> {
  const keys = await generateKeys();
  return issue({
    subject: `CN=${name}`,
    issuer: `CN=${name}`,
    keys,
    signingKey: keys.privateKey,
    validity,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
}

/** A server certificate for these DNS names and IP addresses, signed by the authority; never valid for longer than it. */
export async function issueLeaf(authority: KeyPair, hosts: readonly string[], validity: Validity): Promise<KeyPair> {
  const issuer = new X509Certificate(authority.certificate);
  const keys = await generateKeys();
  const lasts = Math.min(validity.milliseconds, issuer.notAfter.getTime() - validity.now.getTime());
  return issue({
    subject: `CN=${hosts[0] ?? 'kro-graph'}`,
    issuer: issuer.subject,
    keys,
    signingKey: await importKey(authority.key),
    validity: { now: validity.now, milliseconds: lasts },
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(hosts.map((host) => ({ type: isIP(host) === 0 ? 'dns' : 'ip', value: host }))),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
}

interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly signingKey: webcrypto.CryptoKey;
  readonly validity: Validity;
  readonly extensions: Extension[];
}

async function issue({ subject, issuer, keys, signingKey, validity, extensions }: Certificate): Promise<KeyPair> {
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject,
    issuer,
    notBefore: new Date(validity.now.getTime() - BACKDATED_MILLISECONDS),
    notAfter: new Date(validity.now.getTime() + validity.milliseconds),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey,
    extensions,
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { certificate: `${certificate.toString('pem')}\n`, key: `${PemConverter.encode(key, 'PRIVATE KEY')}\n` };
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [der] = PemConverter.decode(pem);
  if (der === undefined) throw new Error('the key of the certificate authority is not PEM');
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
}

/** Positive, as X.509 demands: the highest bit is off, and it does not begin with zeros. */
function serialNumber(): string {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}
