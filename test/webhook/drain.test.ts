import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import t, { type Test } from 'tap';
import { createServer, drain } from '../../webhook/server.ts';
import { ALLOWED, type Verdict } from '../../webhook/verdict.ts';
import { makeReview } from '../support/admission.ts';
import { makeCertificates } from '../support/certs.ts';

const { certificate, key, certificateAuthority } = await makeCertificates({ hosts: ['127.0.0.1'] });
const body = JSON.stringify(makeReview());
const head = `POST /validate HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;

async function serve(t: Test, { deadline = 500, admit = async (): Promise<Verdict> => ALLOWED } = {}) {
  const server = createServer({
    admit,
    maxBodyBytes: 1_000_000,
    mostBytesInside: 10_000_000,
    deadline,
    observer: { began: () => {}, answered: () => {} },
    isEnding: () => true,
  });
  server.tls.setSecureContext({ cert: certificate, key });
  await server.fastify.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => server.connections.cut());
  const { port } = server.tls.address() as AddressInfo;
  return { server, port };
}

async function handshake(t: Test, port: number): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca: certificateAuthority });
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}

async function answerOn(socket: TLSSocket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

const never = new AbortController().signal;

/** What a client may leave open; none of it keeps the process. */
const rows: [title: string, open: (t: Test, port: number) => Promise<unknown>, cut: number][] = [
  ['no connection', async () => {}, 0],
  ['a connection that never brought a request', handshake, 0],
  ['a connection without a handshake', async (t, port) => raw(t, port, ''), 0],
  ['a handshake that stops halfway', async (t, port) => raw(t, port, '\x16\x03\x01'), 0],
  ['half of the headers', async (t, port) => (await handshake(t, port)).write('POST /validate HTTP/1.1\r\n'), 0],
  ['half of a body', async (t, port) => (await handshake(t, port)).write(head + body.slice(0, 10)), 0],
];

for (const [title, open, cut] of rows) {
  t.test(`a server ends in time with ${title}`, { timeout: 30_000 }, async (t) => {
    const { server, port } = await serve(t);
    await open(t, port);
    await new Promise((resolve) => setTimeout(resolve, 50));
    t.equal(await drain(server, never), cut);
    t.equal(server.connections.size, 0);
  });
}

t.test('an idle connection is ended at once', async (t) => {
  const { server, port } = await serve(t);
  const socket = await handshake(t, port);
  socket.write(head + body);
  await once(socket, 'data');
  await drain(server, never);
  t.equal(server.connections.size, 0);
});

t.test('a request that is being judged is answered before the end, however long that takes', { timeout: 30_000 }, async (t) => {
  const judging = Promise.withResolvers<void>();
  const verdict = Promise.withResolvers<Verdict>();
  const admit = (): Promise<Verdict> => {
    judging.resolve();
    return verdict.promise;
  };
  const { server, port } = await serve(t, { deadline: 5000, admit });
  const socket = await handshake(t, port);
  const answer = answerOn(socket);
  socket.write(head + body);
  await judging.promise;
  const drained = drain(server, never);
  setTimeout(() => verdict.resolve(ALLOWED), 2500);
  t.match(await answer, /^HTTP\/1.1 200 OK[\s\S]*connection: close[\s\S]*"allowed":true/i);
  t.equal(await drained, 0);
});

t.test('a request on a connection that was opened ahead is answered while the server ends', async (t) => {
  const { server, port } = await serve(t);
  const socket = await handshake(t, port);
  const answer = answerOn(socket);
  const drained = drain(server, never);
  setTimeout(() => socket.write(head + body), 300);
  t.match(await answer, /^HTTP\/1.1 200 OK/);
  t.equal(await drained, 0);
});

t.test('the signal bounds it', async (t) => {
  const { server, port } = await serve(t, { deadline: 60_000 });
  (await handshake(t, port)).write(head + body.slice(0, 10));
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.equal(await drain(server, AbortSignal.timeout(300)), 1);
});

async function raw(t: Test, port: number, text: string): Promise<void> {
  const socket = connectTcp(port, '127.0.0.1');
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
}
