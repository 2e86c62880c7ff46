import t from 'tap';
import type { TlsMaterial } from '../../src/kube/config.ts';
import { createConnector } from '../../src/kube/connector.ts';
import { makeCertificates } from '../support/certs.ts';

const mine = await makeCertificates({ hosts: ['one.example'] });
const other = await makeCertificates({ hosts: ['two.example'] });

function errorOf(connect: ReturnType<typeof createConnector>): Promise<unknown> {
  return new Promise((resolve) => {
    connect({ hostname: '127.0.0.1', host: '127.0.0.1', protocol: 'https:', port: '1' }, (...[error]) => resolve(error));
  });
}

/** Material of a kubeconfig, or of a moment in which its files are being replaced; nobody listens where it would be used. */
const unusable: readonly [title: string, material: TlsMaterial, code: string][] = [
  ['a client certificate that is no PEM', { cert: 'ABC', key: mine.key }, 'ERR_OSSL_PEM_NO_START_LINE'],
  ['a private key that is no PEM', { cert: mine.certificate, key: 'ABC' }, 'ERR_OSSL_UNSUPPORTED'],
  ['the key of another certificate', { cert: mine.certificate, key: other.key }, 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'],
];
for (const [title, material, code] of unusable) {
  t.test(`${title} is a connection that fails, not an error that nobody catches`, async (t) => {
    const connect = createConnector({ tls: async () => material });
    t.match(await errorOf(connect), { code });
  });
}

t.test('what is right at the next connection is used by it', async (t) => {
  let material: TlsMaterial = { cert: mine.certificate, key: other.key };
  const connect = createConnector({ tls: async () => material });
  t.match(await errorOf(connect), { code: 'ERR_OSSL_X509_KEY_VALUES_MISMATCH' });
  material = { cert: mine.certificate, key: mine.key };
  t.match(await errorOf(connect), { code: 'ECONNREFUSED' });
});
