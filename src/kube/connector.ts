import type { buildConnector } from 'undici';
import makeConnector from 'undici/lib/core/connect.js';
import type { ClusterAccess, TlsMaterial } from './config.ts';

const CONNECT_TIME_LIMIT = 10_000;

/**
 * Opens sockets to the API server with the certificates of that moment: a rotated CA or client certificate is used by the next
 * connection, and TLS sessions are resumed while nothing changed.
 */
export function createConnector(access: Pick<ClusterAccess, 'tls'>): buildConnector.connector {
  let current: { readonly fingerprint: string; readonly connect: buildConnector.connector } | undefined;
  return (options, callback) => {
    access
      .tls()
      .then((material) => {
        const fingerprint = print(material);
        if (current?.fingerprint !== fingerprint) current = { fingerprint, connect: build(material) };
        // What is no PEM, or a key of another certificate, is thrown here and now: a file may be read while it is being replaced.
        return current.connect(options, callback);
      })
      .catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null));
  };
}

function build({ ca, cert, key, servername, rejectUnauthorized }: TlsMaterial): buildConnector.connector {
  return makeConnector({
    timeout: CONNECT_TIME_LIMIT,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    allowH2: false,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(servername !== undefined && { servername }),
    ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
  });
}

function print({ ca, cert, key, servername, rejectUnauthorized }: TlsMaterial): string {
  return [ca, cert, key, servername, rejectUnauthorized].map((part) => part?.toString() ?? '').join('\n');
}
