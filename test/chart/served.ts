import { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';

/** Returns when the server on this port serves this certificate (PEM; the first of a chain). */
export async function untilServed(port: number, certificate: string, limitMilliseconds = 180_000): Promise<void> {
  const wanted = new X509Certificate(certificate).fingerprint256;
  const deadline = Date.now() + limitMilliseconds;
  while ((await served(port)) !== wanted) {
    if (Date.now() > deadline) throw new Error(`another certificate is served on ${port} after ${limitMilliseconds} ms`);
    await sleep(200);
  }
}

// Whom to trust is not the question here: only which certificate it is.
function served(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      resolve(fingerprint256);
    });
    socket.once('error', reject);
  });
}
