import { connect } from 'node:tls';

/** The serial number of the certificate that a new connection is shown. */
export function servedBy(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      const serial = socket.getPeerX509Certificate()?.serialNumber ?? '';
      socket.destroy();
      resolve(serial);
    });
    socket.once('error', reject);
  });
}
