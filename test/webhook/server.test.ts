import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { connect, type TLSSocket } from 'node:tls';
import t, { type Test } from 'tap';
import { WEBHOOK } from '../../src/service/options.ts';
import { BadReview } from '../../webhook/decode.ts';
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

async function serve(t: Test, { deadline = 20_000, mostBytesInside = 300_000, host = '127.0.0.1' } = {}): Promise<Scene> {
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
  await server.fastify.listen({ host, port: 0 });
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

const review = JSON.stringify(makeReview());
const JSON_TYPE = 'content-type: application/json';
const post = (headers: readonly string[], body = review, target = '/validate'): string =>
  [`POST ${target} HTTP/1.1`, 'host: a', ...headers, `content-length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
const unsized = (...headers: string[]): string => ['POST /validate HTTP/1.1', 'host: a', JSON_TYPE, ...headers, '', ''].join('\r\n');

/** What a client may send, and the status lines that it gets; none: the connection ends. */
const raw: [title: string, text: string, statuses: readonly string[]][] = [
  ['a review', post([JSON_TYPE]), ['200']],
  ['three reviews at once', post([JSON_TYPE]).repeat(3), ['200', '200', '200']],
  ['a query, as API servers add one', post([JSON_TYPE], review, '/validate?timeout=10s'), ['200']],
  ['no content type', post([]), ['415']],
  ['two content types in one', post(['content-type: application/json, text/plain']), ['415']],
  ['a content type that is none', post(['content-type: ;;;']), ['415']],
  ['a length and chunks', unsized('transfer-encoding: chunked', 'content-length: 5'), ['400']],
  ['an encoding that nobody knows', unsized('transfer-encoding: foo'), ['400']],
  ['a chunk without a size', `${unsized('transfer-encoding: chunked')}zz\r\n`, ['400']],
  ['a length below nothing', unsized('content-length: -1'), ['400']],
  ['a length beyond numbers', unsized('content-length: 99999999999999999999999'), ['400']],
  ['a length beyond the limit', unsized('content-length: 9007199254740993'), ['413']],
  ['an expectation that nobody meets', post([JSON_TYPE, 'expect: tea']), ['417']],
  ['no host', `POST /validate HTTP/1.1\r\n${JSON_TYPE}\r\ncontent-length: 2\r\n\r\n{}`, ['400']],
  ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ['400']],
  ['a path that is none', post([JSON_TYPE], review, '/%zz'), ['400']],
  ['a path of zeros', post([JSON_TYPE], review, '/val\0idate'), ['400']],
  ['another path', post([JSON_TYPE], review, '//validate'), ['404']],
  ['a path without end', post([JSON_TYPE], review, `/${'v'.repeat(20_000)}`), ['431']],
  ['headers without end', unsized(`x: ${'y'.repeat(70_000)}`), ['431']],
  ['another method', post([JSON_TYPE]).replace('POST', 'PUT'), ['405']],
  ['a method that is none', post([JSON_TYPE]).replace('POST', 'BREW'), ['400']],
  ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n', []],
  ['a byte order mark', post([JSON_TYPE], `\ufeff${review}`), ['400']],
  ['two documents', post([JSON_TYPE], review + review), ['400']],
  ['a comment', post([JSON_TYPE], `/* */${review}`), ['400']],
  ['no document', post([JSON_TYPE], ''), ['400']],
  ['a number without end', post([JSON_TYPE], review.replace('"dryRun"', `"n":${'9'.repeat(100_000)},"dryRun"`)), ['200']],
  ['a prototype', post([JSON_TYPE], review.replace('"kind"', '"__proto__":{"x":1},"kind"')), ['200']],
];

t.test('whatever is sent, the answer is a status, and the next request is answered', async (t) => {
  const { port, client } = await serve(t);
  for (const [title, text, statuses] of raw) {
    const socket = connect({ host: '127.0.0.1', port, ca: certificateAuthority });
    socket.on('error', () => {});
    await once(socket, 'secureConnect');
    // A server that refuses what it has not read ends the connection, and what it has said may be lost with it: so nothing more is sent.
    socket.write(text);
    t.strictSame(await statusesOn(socket, statuses.length), statuses, title);
    socket.destroy();
  }
  t.equal((await client.review()).status, 200);
});

t.test('what a client did wrong is told as its mistake, not as a fault of ours', async (t) => {
  const { port, answered } = await serve(t);
  const rows: readonly (readonly [headers: readonly string[], status: number, why: string])[] = [
    [['content-type: text/yaml'], 415, 'content-type: expected application/json'],
    [[], 415, 'content-type: expected application/json'],
    [[JSON_TYPE], 400, 'the body: expected an object, found null'],
  ];
  for (const [headers, status, why] of rows) {
    const socket = connect({ host: '127.0.0.1', port, ca: certificateAuthority });
    socket.on('error', () => {});
    await once(socket, 'secureConnect');
    socket.write(post(headers, 'null'));
    await statusesOn(socket, 1);
    socket.destroy();
    t.match(answered.at(-1), { status, error: new BadReview(status, why) });
  }
});

t.test('by default it is reached by IPv4 and by IPv6', async (t) => {
  const { port } = await serve(t, { host: WEBHOOK.host.fallback });
  const hasIPv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));
  for (const host of ['127.0.0.1', ...(hasIPv6 ? ['::1'] : [])]) {
    const socket = connect({ host, port, ca: certificateAuthority, servername: '', checkServerIdentity: () => undefined });
    await once(socket, 'secureConnect');
    t.pass(host);
    socket.destroy();
  }
});

/** The status of each answer, until there are so many, or the connection ends. */
async function statusesOn(socket: TLSSocket, count: number): Promise<string[]> {
  let text = '';
  const found = (): string[] => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status);
  try {
    for await (const chunk of socket) {
      text += chunk;
      if (count > 0 && found().length >= count) break;
    }
  } catch {
    // It was reset after the answer.
  }
  return found();
}
