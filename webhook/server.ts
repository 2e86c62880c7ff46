import type { IncomingMessage } from 'node:http';
import { createServer as createHttpsServer, type Server } from 'node:https';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { systemClock } from '../src/kube/clock.ts';
import { ByteGate, type Passage } from './byte-gate.ts';
import { Connections } from './connections.ts';
import { type AdmissionRequest, BadReview, decode } from './decode.ts';
import { readBody } from './read-body.ts';
import { respond } from './respond.ts';
import type { Verdict } from './verdict.ts';

/** One answered request, for logs and metrics; nothing of the object is in it. */
export interface Answered {
  /** Undefined when the body was no review. */
  readonly request: AdmissionRequest | undefined;
  readonly verdict: Verdict | undefined;
  /** The HTTP status. */
  readonly status: number;
  readonly milliseconds: number;
  readonly bytes: number;
  /** Why there is no verdict. */
  readonly error: unknown;
}

/** Told of each request, when it begins and when it is answered. */
export interface AdmissionObserver {
  began(): void;
  answered(answered: Answered): void;
}

export interface ServerOptions {
  readonly admit: (request: AdmissionRequest, review: Uint8Array, signal: AbortSignal) => Promise<Verdict>;
  /** Larger bodies are refused. */
  readonly maxBodyBytes: number;
  /** Bytes of bodies that may be inside at once, arriving and being judged. */
  readonly mostBytesInside: number;
  /** Milliseconds within which an answer is due. */
  readonly deadline: number;
  readonly observer: AdmissionObserver;
  /** The process is about to end: connections are given back after their next answer, so that none is idle when the server closes. */
  readonly isEnding: () => boolean;
}

/** The HTTPS server, not listening yet, and the TLS server below it, whose certificate may be changed at any time. */
export interface AdmissionServer {
  readonly fastify: FastifyInstance<Server>;
  readonly tls: Server;
  readonly connections: Connections;
  /** Milliseconds within which a request that has begun to arrive is answered, or will never be. */
  readonly patience: number;
}

const VALIDATE = '/validate';
/** Above the time for which the API server keeps an idle connection, so that it, not we, ends it: no request meets a closed door. */
const KEEP_ALIVE_MILLISECONDS = 120_000;
/** Each costs some 35 KiB, also without a request; an API server opens as many as it asks questions at once. */
const MOST_CONNECTIONS = 2000;
/** What is counted where the client went away before its answer; nobody is told. */
const CLIENT_GONE = 499;
const HEADERS_MILLISECONDS = 10_000;
const REQUEST_MILLISECONDS = 15_000;
/** API servers send a body at once: one that takes longer makes way when there is no room for others. */
const PATIENCE_MILLISECONDS = 2000;
/** How often Node looks for requests that are beyond these. */
const CHECKING_MILLISECONDS = 1_000;

interface Arrival {
  readonly started: number;
  readonly signal: AbortSignal;
  bytes: number;
  passage?: Passage;
  request?: AdmissionRequest | undefined;
  verdict?: Verdict | undefined;
  error?: unknown;
}

/** Serves `/validate` over TLS 1.2 and later: bytes within the limits in, an AdmissionReview out (graph.md 14.6). */
export function createServer(options: ServerOptions): AdmissionServer {
  const { maxBodyBytes, deadline, observer } = options;
  const gate = new ByteGate({ most: options.mostBytesInside, patience: PATIENCE_MILLISECONDS, clock: systemClock });
  const arrivals = new WeakMap<FastifyRequest, Arrival>();
  let tls: Server | undefined;
  const app: FastifyInstance<Server> = fastify<Server>({
    serverFactory: (handler) => {
      // Who sends a body slower than the deadline gets no answer anyway.
      const requestTimeout = Math.min(REQUEST_MILLISECONDS, deadline);
      const headersTimeout = Math.min(HEADERS_MILLISECONDS, requestTimeout);
      const times = { keepAliveTimeout: KEEP_ALIVE_MILLISECONDS, headersTimeout, requestTimeout, handshakeTimeout: headersTimeout };
      tls = createHttpsServer({ minVersion: 'TLSv1.2', ...times, connectionsCheckingInterval: CHECKING_MILLISECONDS }, handler);
      tls.maxConnections = MOST_CONNECTIONS;
      return tls;
    },
    bodyLimit: maxBodyBytes,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    // While it ends, requests on open connections are answered as ever.
    return503OnClosing: false,
    exposeHeadRoutes: false,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, stream: IncomingMessage) => {
    const arrival = arrivals.get(request);
    if (arrival === undefined) throw new Error('a body without its request');
    const slow = new AbortController();
    arrival.passage = gate.open(() => slow.abort());
    const limits = { mostBytes: maxBodyBytes, passage: arrival.passage, due: arrival.signal, slow: slow.signal };
    const body = await readBody(stream, limits);
    arrival.bytes = body.length;
    return body;
  });

  app.addHook('onRequest', async (request, reply) => {
    const arrival: Arrival = { started: performance.now(), signal: AbortSignal.timeout(deadline), bytes: 0 };
    arrivals.set(request, arrival);
    observer.began();
    // Also when the client goes away before its answer.
    reply.raw.once('close', () => end(arrival, reply.raw.headersSent ? reply.raw.statusCode : CLIENT_GONE));
  });

  const end = ({ passage, started, request, verdict, error, bytes }: Arrival, status: number): void => {
    passage?.leave();
    observer.answered({ request, verdict, error, bytes, status, milliseconds: performance.now() - started });
  };

  app.addHook('onSend', async (_request, reply) => {
    if (options.isEnding()) reply.header('connection', 'close');
  });

  app.post(VALIDATE, async (request, reply) => {
    const review = request.body;
    const arrival = arrivals.get(request);
    if (!(review instanceof Uint8Array) || arrival === undefined) throw new BadReview(400, 'expected an AdmissionReview, found no body');
    arrival.request = decode(review);
    arrival.verdict = await options.admit(arrival.request, review, arrival.signal);
    return reply.type('application/json').send(JSON.stringify(respond(arrival.request, arrival.verdict)));
  });

  app.setNotFoundHandler((request, reply) => {
    const isWrongMethod = request.url.split('?')[0] === VALIDATE;
    if (isWrongMethod) return text(reply.header('allow', 'POST'), 405, `${request.method} is not answered here: POST an AdmissionReview`);
    return text(reply, 404, `nothing is here: POST an AdmissionReview to ${VALIDATE}`);
  });

  app.setErrorHandler((error: FastifyError | BadReview, request, reply) => {
    const arrival = arrivals.get(request);
    const { status, message } = explain(error, maxBodyBytes);
    // A client's mistake is no fault of ours, whoever found it: the log tells it in a line.
    if (arrival !== undefined) arrival.error = status < 500 ? new BadReview(status, message) : error;
    return text(status === 503 ? reply.header('retry-after', '1') : reply, status, message);
  });

  if (tls === undefined) throw new Error('fastify has not called its server factory');
  return { fastify: app, tls, connections: new Connections(tls), patience: 2 * deadline + 1000 };
}

/**
 * Refuses new connections, ends those that bring no request, and returns when every request is answered; tells how many connections had
 * to be cut since they brought half a request. The signal bounds it.
 */
export async function drain({ fastify: app, connections, patience }: AdmissionServer, signal: AbortSignal): Promise<number> {
  const closed = app.close();
  await connections.endQuiet(AbortSignal.any([signal, AbortSignal.timeout(patience)]));
  const cut = connections.cut();
  await closed;
  return cut;
}

interface Explanation {
  readonly status: number;
  readonly message: string;
}

/** What is told to a client whose request has no verdict: of its own mistakes all, of ours nothing but where to look. */
function explain(error: FastifyError | BadReview, maxBodyBytes: number): Explanation {
  if (error instanceof BadReview) return { status: error.status, message: error.message };
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { status: 413, message: `the body is larger than ${maxBodyBytes} bytes` };
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return { status: 415, message: 'content-type: expected application/json' };
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return { status: 400, message: 'the body is not as long as content-length says' };
    default:
      return { status: 500, message: "kro-graph could not judge this Graph because of a fault of its own; see the webhook's log" };
  }
}

function text(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').send(`${message}\n`);
}
