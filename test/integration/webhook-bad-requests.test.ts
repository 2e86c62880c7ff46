import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import t from 'tap';
import { makeGraph, makeReview } from '../support/admission.ts';
import { useCluster } from '../support/cluster.ts';
import { createReviewClient, readLog } from '../support/review-client.ts';
import { startWebhook } from '../support/webhook.ts';

const use = await useCluster(t);
const webhook = await startWebhook(t, use, { args: ['--max-body-bytes', '2097152'] });
const { certificateAuthority } = webhook.certificates;
const client = createReviewClient({ url: webhook.url, certificateAuthority });
t.teardown(() => client.close());

const right = JSON.stringify(makeReview());
const nested = (depth: number): string =>
  JSON.stringify(makeReview({ object: makeGraph({ spec: { nodes: 'here' } }) })).replace(
    '{"nodes":"here"}',
    `${'{"nodes":[{"id":"a","graph":'.repeat(depth)}{"nodes":[{"id":"b","def":{"c":1}}]}${'}]}'.repeat(depth)}`,
  );

const refusals: [string, string | Uint8Array, Record<string, string>, number, RegExp][] = [
  [
    'no body',
    '',
    {},
    400,
    /^the body is not as long as content-length says|^expected an AdmissionReview, found no body|^the body is refused/,
  ],
  ['no JSON', '{"a"', {}, 400, /^the body is refused: not JSON/],
  ['a body that is cut', right.slice(0, 300), {}, 400, /^the body is refused: not JSON: the text ends too early/],
  ['invalid UTF-8', Buffer.concat([Buffer.from(right.slice(0, 50)), Buffer.from([0xc3, 0x28])]), {}, 400, /^the body is not valid UTF-8/],
  ['a key that stands twice', right.replace('"dryRun":', '"dryRun":true,"dryRun":'), {}, 400, /the key "dryRun" stands twice in request/],
  ['an older version', right.replace('admission.k8s.io/v1', 'admission.k8s.io/v1beta1'), {}, 400, /expected "admission.k8s.io\/v1"/],
  ['another content type', right, { 'content-type': 'text/plain' }, 415, /^content-type: expected application\/json/],
  ['a body that is too large', `"${'x'.repeat(2_200_000)}"`, {}, 413, /^the body is larger than 2097152 bytes/],
  ['endless nesting', '['.repeat(1_000_000) + ']'.repeat(1_000_000), {}, 400, /nested more than 10000 deep/],
];

for (const [title, body, headers, status, text] of refusals) {
  t.test(`${title}: a ${status} that says so`, async (t) => {
    const answer = await client.send(body, headers);
    t.equal(answer.status, status, answer.text);
    t.match(answer.text, text);
    t.equal((await client.review()).review?.response.allowed, true, 'and it goes on');
  });
}

t.test('a right review, also with a charset', async (t) => {
  const answer = await client.send(right, { 'content-type': 'application/json; charset=utf-8' });
  t.match(answer.review, { response: { uid: '705ab4f5-6393-11e8-b7cc-42010a800002', allowed: true } });
});

t.test('a Graph nested 500 deep, and one of 5,000 nodes, are judged', async (t) => {
  const nodes = Array.from({ length: 5000 }, (_, index) => ({ id: `n${index}`, def: { a: 1 } }));
  for (const body of [nested(500), JSON.stringify(makeReview({ object: makeGraph({ spec: { nodes } }) }))]) {
    const answer = await client.send(body);
    t.match(answer.review, { response: { allowed: true } }, answer.text.slice(0, 500));
  }
});

t.test('a Graph nested deeper than any machine could follow gets an answer', async (t) => {
  const answer = await client.send(nested(2400));
  t.equal(answer.status, 200, answer.text.slice(0, 500));
  t.type(answer.review?.response.allowed, 'boolean');
});

t.test('another path and another method', async (t) => {
  const other = createReviewClient({ url: `${webhook.url}/x`, certificateAuthority });
  t.teardown(() => other.close());
  t.match(await other.send('{}'), { status: 404, text: /POST an AdmissionReview to \/validate/ });
});

t.test('TLS 1.1 is refused', async (t) => {
  await t.rejects(handshake({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }));
  const socket = await handshake({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' });
  t.equal(socket.getProtocol(), 'TLSv1.2');
  socket.destroy();
});

t.test('clients that talk nonsense, are slow, or go away in the middle harm nobody', async (t) => {
  const plain = connectTcp(webhook.port, '127.0.0.1');
  plain.on('error', () => {});
  plain.write('GET / HTTP/1.1\r\n\r\n');
  for (let index = 0; index < 20; index++) {
    const socket = await handshake({});
    socket.write('POST /validate HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2000000\r\n\r\n{');
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (index % 2 === 0) socket.destroy();
    else t.teardown(() => socket.destroy());
  }
  plain.destroy();
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.review()));
  t.ok(answers.every(({ status }) => status === 200));
  webhook.assertAlive();
});

t.test('a body that does not come is given up, with the room that it held', { timeout: 120_000 }, async (t) => {
  const socket = await handshake({});
  t.teardown(() => socket.destroy());
  socket.write('POST /validate HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2000000\r\n\r\n{');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  t.match(Buffer.concat(chunks).toString(), /^HTTP\/1.1 408 /);
});

t.test('the log names each refusal and quotes no body', async (t) => {
  const refused = readLog(webhook.logFile).filter(({ msg }) => msg === 'request refused' || msg === 'request failed');
  t.ok(refused.length >= refusals.length - 1);
  t.notMatch(readFileSync(webhook.logFile, 'utf8'), /xxxx/);
});

function handshake(options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: webhook.port, ca: certificateAuthority, ...options }, () => resolve(socket));
    socket.on('error', reject);
  });
}
