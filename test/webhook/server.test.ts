import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import t, { type Test } from 'tap';
import { type Answered, createServer } from '../../webhook/server.ts';
import { ALLOWED, type Verdict } from '../../webhook/verdict.ts';
import { makeReview } from '../support/admission.ts';
import { makeCertificates } from '../support/certs.ts';
import { createReviewClient, type ReviewClient } from '../support/review-client.ts';

const { certificate, key, certificateAuthority } = await makeCertificates({ hosts: ['127.0.0.1'] });

interface Scene {
  readonly port: number;
  readonly client: ReviewClient;
  readonly answered: Answered[];
}

async function serve(t: Test, { deadline = 20_000, mostBytesInside = 300_000 } = {}): Promise<Scene> {
  const answered: Answered[] = [];
  const server = createServer({
    admit: async (): Promise<Verdict> => ALLOWED,
    maxBodyBytes: 200_000,
    mostBytesInside,
    deadline,
    observer: { began: () => {}, answered: (answer) => answered.push(answer) },
    isEnding: () => false,
  });
  server.tls.setSecureContext({ cert: certificate, key });
  await server.fastify.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => {
    server.connections.cut();
    return server.fastify.close();
  });
  const { port } = server.tls.address() as AddressInfo;
  const client = createReviewClient({ url: `https://127.0.0.1:${port}/validate`, certificateAuthority });
  t.teardown(() => client.close());
  return { port, client, answered };
}

/** A client that announces so many bytes, and sends so many. */
async function announce(t: Test, port: number, announced: number, sent: number): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca: certificateAuthority });
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  await once(socket, 'secureConnect');
  socket.write(`POST /validate HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${announced}\r\n\r\n`);
  if (sent > 0) socket.write(' '.repeat(sent));
  return socket;
}

async function answerOn(socket: TLSSocket): Promise<string> {
  let text = '';
  try {
    for await (const chunk of socket) text += chunk;
  } catch {
    // The server may end the connection before it has read all.
  }
  return text;
}

t.test('clients that announce bodies and do not send them hold up nobody', async (t) => {
  const { port, client } = await serve(t);
  await Promise.all(Array.from({ length: 40 }, () => announce(t, port, 199_000, 1)));
  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: 10 }, () => client.review()));
  t.ok(answers.every(({ status }) => status === 200));
  t.ok(performance.now() - started < 1900, 'nobody had to be given up for that');
});

t.test('clients that fill the room and stop make way', async (t) => {
  const { port, client } = await serve(t);
  const stalled = await Promise.all(Array.from({ length: 4 }, () => announce(t, port, 199_000, 150_000)));
  const ends = stalled.map(answerOn);
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.equal((await client.review()).status, 200);
  t.match(await Promise.race(ends), /^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*the body did not come in time/i);
});

t.test('a body that does not come is given up at the deadline', async (t) => {
  const { port, answered } = await serve(t, { deadline: 300 });
  t.match(await answerOn(await announce(t, port, 1000, 10)), /^HTTP\/1\.1 408 /);
  t.match(answered.at(-1), { status: 408 });
});

t.test('who found no room until the deadline is told to try again', async (t) => {
  const { port } = await serve(t, { deadline: 1000, mostBytesInside: 1000 });
  await announce(t, port, 199_000, 150_000);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const text = await answerOn(await announce(t, port, 190_000, 180_000));
  t.match(text, /^HTTP\/1\.1 503 [\s\S]*retry-after: 1[\s\S]*too many requests/i);
});

t.test('bodies that are larger than they may be', async (t) => {
  const { port, client } = await serve(t);
  t.match(await answerOn(await announce(t, port, 200_001, 0)), /^HTTP\/1\.1 413 [\s\S]*the body is larger than 200000 bytes/);
  const chunked = connect({ host: '127.0.0.1', port, ca: certificateAuthority });
  chunked.on('error', () => {});
  t.teardown(() => chunked.destroy());
  await once(chunked, 'secureConnect');
  chunked.write('POST /validate HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
  for (let index = 0; index < 5; index++) chunked.write(`${(50_000).toString(16)}\r\n${' '.repeat(50_000)}\r\n`);
  t.match(await answerOn(chunked), /^HTTP\/1\.1 413 /);
  t.equal((await client.review()).status, 200);
});

t.test('a client that goes away in the middle gives its room back', async (t) => {
  const { port, client, answered } = await serve(t, { mostBytesInside: 100_000 });
  const gone = await announce(t, port, 199_000, 150_000);
  await new Promise((resolve) => setTimeout(resolve, 100));
  gone.destroy();
  const body = JSON.stringify(makeReview({ options: { padding: 'x'.repeat(150_000) } }));
  const answers = await Promise.all(Array.from({ length: 8 }, () => client.send(body)));
  t.ok(
    answers.every(({ status }) => status === 200),
    'large bodies come in one after the other',
  );
  t.strictSame(
    answered.map(({ status }) => status),
    [499, ...Array.from({ length: 8 }, () => 200)],
  );
  t.equal(answered.at(-1)?.bytes, body.length, 'the size that came is told');
});
