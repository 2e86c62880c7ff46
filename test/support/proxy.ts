import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request as forward, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, writeKubeconfig } from '../cluster/kubeconfig.ts';
import { makeCertificates } from './certs.ts';

/** One request that came to the proxy; `status` is set when the API server has answered it. */
export interface SeenRequest {
  /** From 0, in the order of arrival. */
  readonly index: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Who is impersonated; empty for nobody. */
  readonly user: string;
  readonly isWatch: boolean;
  readonly body: string;
  status: number | undefined;
}

/** An answer that the proxy gives in the API server's place. */
export interface FalseAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What goes wrong with one request. `forward` says whether the API server carries it out first. */
export type Fault =
  /** The connection breaks. */
  | { readonly kind: 'cut'; readonly forward: boolean }
  /** The connection breaks after so many bytes of the answer's body. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** Another answer. */
  | { readonly kind: 'answer'; readonly forward: boolean; readonly answer: FalseAnswer }
  /** No answer, ever, on a connection that stays open. */
  | { readonly kind: 'silence'; readonly forward: boolean }
  /** Later: milliseconds, or when a promise is settled; `then` may go wrong as well. */
  | { readonly kind: 'delay'; readonly until: number | Promise<unknown>; readonly then?: Fault }
  /** Carried out twice, answered with the second answer. */
  | { readonly kind: 'repeat' };

/** A proxy on loopback before an API server, which can spoil requests one by one. Transparent until told otherwise. */
export interface FaultProxy {
  readonly access: Access;
  /** Writes a kubeconfig that leads to the API server through this proxy. */
  readonly kubeconfig: (file: string) => string;
  /** All requests so far. */
  readonly seen: readonly SeenRequest[];
  /** Decides about each request when it has arrived; the former decision is replaced. Undefined: nothing goes wrong. */
  readonly onRequest: (decide: ((request: SeenRequest) => Fault | undefined) | undefined) => void;
  /** Breaks the connections of all open watches; returns how many. */
  readonly cutWatches: () => number;
  /** Keeps open watches open but passes none of their bytes on. New watches are not concerned. */
  readonly silenceWatches: () => number;
  /** Nobody listens any more, and all connections are broken. */
  readonly goAway: () => Promise<void>;
  /** Listens again, at the same port. */
  readonly comeBack: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface OpenWatch {
  readonly response: ServerResponse;
  isSilent: boolean;
}

/** Starts a proxy before an API server. */
export async function startFaultProxy(target: Access): Promise<FaultProxy> {
  const { certificate, key, certificateAuthority } = await makeCertificates({ hosts: ['127.0.0.1'] });
  const agent = new Agent({ keepAlive: true, ca: target.certificateAuthority });
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const watches = new Set<OpenWatch>();
  let decide: ((request: SeenRequest) => Fault | undefined) | undefined;

  const server = createServer({ key, cert: certificate, keepAliveTimeout: 120_000 });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
    serve(incoming, response).catch(() => response.destroy());
  });

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(incoming);
    const path = incoming.url ?? '/';
    const user = String(incoming.headers['impersonate-user'] ?? '');
    const isWatch = /[?&]watch=(true|1)/.test(path);
    const request: SeenRequest = { index: seen.length, method: incoming.method ?? 'GET', path, user, isWatch, body, status: undefined };
    seen.push(request);
    await spoil({ incoming, response, request }, decide?.(request));
  }

  async function spoil(passage: Passage, fault: Fault | undefined): Promise<void> {
    const { response } = passage;
    switch (fault?.kind) {
      case undefined:
        return passOn(passage, Number.POSITIVE_INFINITY);
      case 'cut':
        if (fault.forward) await carryOut(passage);
        response.destroy();
        return;
      case 'truncate':
        return passOn(passage, fault.bytes);
      case 'answer': {
        if (fault.forward) await carryOut(passage);
        const { status, headers, body } = fault.answer;
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
        return;
      }
      case 'silence':
        if (fault.forward) await carryOut(passage);
        return;
      case 'delay':
        await (typeof fault.until === 'number' ? sleep(fault.until) : fault.until);
        return spoil(passage, fault.then);
      case 'repeat':
        await carryOut(passage);
        return passOn(passage, Number.POSITIVE_INFINITY);
      default:
        return fault satisfies never;
    }
  }

  function ask({ incoming, request }: Passage): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { host, connection, ...headers } = incoming.headers;
      const outgoing = forward(new URL(request.path, target.server), { method: request.method, headers, agent }, resolve);
      outgoing.once('error', reject);
      outgoing.end(request.body);
    });
  }

  async function carryOut(passage: Passage): Promise<void> {
    const answer = await ask(passage);
    await read(answer);
    passage.request.status = answer.statusCode;
  }

  async function passOn(passage: Passage, bytes: number): Promise<void> {
    const { request, response } = passage;
    const answer = await ask(passage);
    request.status = answer.statusCode;
    const watch: OpenWatch = { response, isSilent: false };
    if (request.isWatch) watches.add(watch);
    response.once('close', () => {
      watches.delete(watch);
      answer.destroy();
    });
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    let left = bytes;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (watch.isSilent) continue;
      response.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) {
        // What was written goes out before the connection breaks.
        setImmediate(() => response.destroy());
        return;
      }
    }
    if (!watch.isSilent) response.end();
  }

  const port = await listen(server, 0);
  const access = { server: `https://127.0.0.1:${port}`, certificateAuthority, token: target.token };
  const stopListening = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    access,
    kubeconfig: (file) => writeKubeconfig(file, access),
    seen,
    onRequest: (next) => {
      decide = next;
    },
    cutWatches: () => {
      const open = [...watches];
      for (const { response } of open) response.destroy();
      return open.length;
    },
    silenceWatches: () => {
      for (const watch of watches) watch.isSilent = true;
      return watches.size;
    },
    goAway: stopListening,
    comeBack: async () => {
      await listen(server, port);
    },
    close: async () => {
      if (server.listening) await stopListening();
      agent.destroy();
    },
  };
}

interface Passage {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly request: SeenRequest;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function read(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
