import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import t from 'tap';
import { pairFiles } from '../../webhook/pair-files.ts';
import { CertificateReloader, checkPair, type KeyPair, UnfitPair } from '../../webhook/tls.ts';
import { makeCertificates } from '../support/certs.ts';

const hosts = ['127.0.0.1', 'kro-graph-webhook.kro-system.svc'];
const good = await makeCertificates({ hosts });
const other = await makeCertificates({ hosts });
const expired = await makeCertificates({ hosts, now: new Date('2020-01-01') });
const now = new Date();

t.test('a leaf with its chain fits', (t) => {
  const leaf = checkPair({ certificate: good.certificate + good.certificateAuthority, key: good.key }, now);
  t.equal(leaf.checkIP('127.0.0.1'), '127.0.0.1');
  t.equal(leaf.checkHost('kro-graph-webhook.kro-system.svc'), 'kro-graph-webhook.kro-system.svc');
  t.end();
});

const unfit: [string, KeyPair, string | RegExp][] = [
  ['the key of another certificate', { ...good, key: other.key }, 'tls.key is not the key of the certificate in tls.crt'],
  ['an empty certificate', { ...good, certificate: '' }, 'tls.crt holds no certificate (PEM)'],
  ['a damaged certificate', { ...good, certificate: good.certificate.replace('MII', 'MIJ') }, 'a certificate in tls.crt cannot be read'],
  ['an empty key', { ...good, key: '' }, 'tls.key holds no private key that can be read (PEM, unencrypted)'],
  [
    'a chain of another authority',
    { ...good, certificate: good.certificate + other.certificateAuthority },
    'certificate 1 of tls.crt is not issued by certificate 2',
  ],
  ['a certificate that has expired', expired, /^the certificate in tls\.crt expired at 2020-01-02T/],
];

for (const [title, pair, message] of unfit) {
  t.test(`unfit: ${title}`, (t) => {
    t.throws(() => checkPair(pair, now), { name: new UnfitPair('').name, message });
    t.end();
  });
}

t.test('a certificate of tomorrow replaces none of today, and is served when its time comes, or when there is no other', async (t) => {
  const tomorrow = new Date(now.getTime() + 12 * 3_600_000);
  const early = await makeCertificates({ hosts, now: tomorrow });
  let pair: KeyPair = good;
  const reloader = new CertificateReloader({
    source: async () => pair,
    swap: () => {},
    events: { served: () => {}, refused: () => {} },
  });
  const fresh = new CertificateReloader({ source: async () => early, swap: () => {}, events: { served: () => {}, refused: () => {} } });
  await reloader.reload(now);
  const served = reloader.leaf;
  pair = early;
  await reloader.reload(now);
  t.equal(reloader.leaf, served);
  t.match(reloader.trouble, /^the certificate in tls\.crt is not valid before 20/);
  await reloader.reload(tomorrow);
  t.equal(reloader.leaf?.validToDate.getTime(), new X509Certificate(early.certificate).validToDate.getTime());
  t.equal(reloader.trouble, '');
  await fresh.reload(now);
  t.ok(fresh.leaf, 'the clocks of a cluster differ');
});

t.test('the newest pair that fits is served, and kept while the next does not fit', async (t) => {
  const swaps: SecureContextOptions[] = [];
  const told: string[] = [];
  let pair: KeyPair | Error = new Error('no such file');
  const reloader = new CertificateReloader({
    source: async () => {
      if (pair instanceof Error) throw pair;
      return pair;
    },
    swap: (context) => swaps.push(context),
    events: { served: () => told.push('served'), refused: (why) => told.push(why) },
  });
  const steps: [KeyPair | Error, number, string][] = [
    [new Error('no such file'), 0, 'no such file'],
    [new Error('no such file'), 0, 'no such file'],
    [good, 1, ''],
    [good, 1, ''],
    [{ ...other, key: good.key }, 1, 'tls.key is not the key of the certificate in tls.crt'],
    [other, 2, ''],
    [expired, 2, 'trouble'],
    [other, 2, ''],
  ];
  for (const [next, count, trouble] of steps) {
    pair = next;
    await reloader.reload(now);
    t.equal(swaps.length, count);
    if (trouble !== 'trouble') t.equal(reloader.trouble, trouble);
  }
  t.equal(swaps.at(-1)?.minVersion, 'TLSv1.2');
  t.equal(told.filter((what) => what === 'no such file').length, 1, 'a trouble is told once');
  t.strictSame(told.filter((what) => what === 'served').length, 2);
});

t.test('the folder of a mounted Secret', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kro-graph-pair-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const source = pairFiles(folder);
  for (let time = 0; time < 50; time++) {
    await t.rejects(source(), { code: 'ENOENT', path: join(folder, 'tls.crt') }, 'of two files the same is told each time');
  }
  writeFileSync(join(folder, 'tls.crt'), good.certificate);
  writeFileSync(join(folder, 'tls.key'), good.key);
  t.strictSame(await source(), { certificate: good.certificate, key: good.key });
});
