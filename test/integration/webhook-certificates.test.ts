import { X509Certificate } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { makeCertificates } from '../support/certs.ts';
import { useCluster } from '../support/cluster.ts';
import { loadUntil } from '../support/load.ts';
import { createReviewClient, readLog } from '../support/review-client.ts';
import { servedBy } from '../support/tls.ts';
import { allowConfiguration, startWebhook, writePair } from '../support/webhook.ts';
import { spawnWebhook } from '../support/webhook-process.ts';

const use = await useCluster(t);

t.test('a certificate is changed under load, and no request fails', { timeout: 240_000 }, async (t) => {
  const webhook = await startWebhook(t, use);
  const second = await makeCertificates({ hosts: ['127.0.0.1'] });
  const bundle = webhook.certificates.certificateAuthority + second.certificateAuthority;
  const steady = createReviewClient({ url: webhook.url, certificateAuthority: bundle });
  const fresh = createReviewClient({ url: webhook.url, certificateAuthority: bundle, connection: 'one a request' });
  const over = new AbortController();
  const loads = [steady, fresh].map((client) => loadUntil(client, 2, over.signal));
  const serial = servedBy(webhook.port);
  for (const pair of [second, webhook.certificates, second]) {
    writePair(webhook.certDir, pair);
    await until(async () => (await servedBy(webhook.port)) === new X509Certificate(pair.certificate).serialNumber);
  }
  over.abort();
  const results = await Promise.all(loads);
  for (const { sent, allowed, failures } of results) {
    t.strictSame([allowed, failures], [sent, []]);
    t.ok(sent > 3, `${sent} requests`);
  }
  t.not(await servedBy(webhook.port), await serial);
  await Promise.all([steady, fresh].map((client) => client.close()));

  writePair(webhook.certDir, { certificate: webhook.certificates.certificate, key: second.key });
  await until(async () =>
    readLog(webhook.logFile).some(({ msg, why }) => msg === 'certificate not served' && /not the key/.test(String(why))),
  );
  t.equal(await servedBy(webhook.port), new X509Certificate(second.certificate).serialNumber, 'the last good pair stays');
  t.equal((await fetch(`${webhook.probes}/readyz`)).status, 200);
});

t.test('SIGTERM under load: not ready at once, and every request that was sent is answered', { timeout: 240_000 }, async (t) => {
  const webhook = await startWebhook(t, use, { args: ['--shutdown-delay', '10s'] });
  const clients = Array.from({ length: 3 }, () =>
    createReviewClient({ url: webhook.url, certificateAuthority: webhook.certificates.certificateAuthority }),
  );
  const over = new AbortController();
  const loads = clients.map((client) => loadUntil(client, 4, over.signal));
  await sleep(500);
  const stopped = webhook.stop();
  await until(async () => (await fetch(`${webhook.probes}/readyz`)).status === 503);
  // As a Service: who is not ready gets no new requests, a moment later.
  await sleep(700);
  over.abort();
  for (const { sent, allowed, failures } of await Promise.all(loads)) {
    t.strictSame([allowed, failures], [sent, []]);
    t.ok(sent > 3, `${sent} requests`);
  }
  await stopped;
  t.match(readLog(webhook.logFile).at(-1), { msg: 'ended' });
  await Promise.all(clients.map((client) => client.close()));
});

t.test('without a certificate it waits, says so, and goes on when there is one', { timeout: 240_000 }, async (t) => {
  const webhook = await startWebhook(t, use);
  await webhook.stop();
  rmSync(join(webhook.certDir, 'tls.crt'));
  const again = spawnWebhook(t, { args: webhook.args, folder: webhook.certDir });
  const wants = [/^\[-\]certificate failed: .*tls\.crt/m, /^\[\+\]schemas ok$/m, /^\[\+\]identity ok$/m, /^\[\+\]compiler ok$/m];
  await until(async () => {
    const text = await (await fetch(`${webhook.probes}/readyz?verbose`)).text();
    return wants.every((wanted) => wanted.test(text));
  });
  t.equal((await fetch(`${webhook.probes}/livez`)).status, 200);
  await t.rejects(servedBy(webhook.port));
  writePair(webhook.certDir, webhook.certificates);
  await until(async () => (await fetch(`${webhook.probes}/readyz`)).status === 200);
  t.equal(await servedBy(webhook.port), new X509Certificate(webhook.certificates.certificate).serialNumber);
  await again.stop();
});

t.test('ready only when the live configuration trusts the certificate', { timeout: 240_000 }, async (t) => {
  const webhook = await startWebhook(t, use);
  await webhook.stop();
  const strange = await makeCertificates({ hosts: ['127.0.0.1'] });
  writePair(webhook.certDir, strange);
  await allowConfiguration(t, use, webhook.configuration);
  const args = [...webhook.args, '--webhook-configuration', webhook.configuration];
  const again = spawnWebhook(t, { args, folder: webhook.certDir });
  await until(async () =>
    /\[-\]ca-bundle failed: the caBundle of ".*" does not verify/.test(await (await fetch(`${webhook.probes}/readyz`)).text()),
  );
  writePair(webhook.certDir, webhook.certificates);
  await until(async () => (await fetch(`${webhook.probes}/readyz`)).status === 200);
  await again.stop();
});

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 180_000;
  while (!(await attempt(holds))) {
    if (Date.now() > deadline) throw new Error(`not within 180 s: ${holds}`);
    await sleep(50);
  }
}

/** What throws does not hold yet: nobody listens. */
async function attempt(holds: () => Promise<boolean> | boolean): Promise<boolean> {
  try {
    return await holds();
  } catch {
    return false;
  }
}
