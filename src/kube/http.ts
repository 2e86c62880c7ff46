import type { Dispatcher } from 'undici';
import requestOf from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Clock } from './clock.ts';
import type { ClusterAccess } from './config.ts';
import { createConnector } from './connector.ts';
import { type ApiError, ConnectionError, isUnauthorized } from './error.ts';
import { type Answer, type Exchange, exchange } from './exchange.ts';
import { parseJson } from './json.ts';
import { type RateLimit, RateLimiter } from './rate-limit.ts';
import { readRefusal } from './refusal.ts';

/** Told of every request that was sent, for `rest_client_requests_total` (operations.md 8). */
export interface RequestObserver {
  /** `code` is the HTTP status, or `<error>` when no answer came. */
  requestEnded(request: { readonly code: string; readonly method: string; readonly host: string; readonly milliseconds: number }): void;
}

/** What a connection to an API server is made of. */
export interface HttpOptions {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Names the program to the API server, which writes it into its audit log. */
  readonly userAgent: string;
  readonly rateLimit?: RateLimit | undefined;
  readonly observer?: RequestObserver | undefined;
  /** Keep-alive connections for requests; watches have sockets of their own. */
  readonly connections?: number | undefined;
}

/** One request as a caller wants it. */
export interface HttpRequest {
  readonly method: Exchange['method'];
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  /** Who to impersonate; undefined: whom the kubeconfig says, else nobody. */
  readonly user?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeLimit?: number | undefined;
  /** Asked at the last moment before each attempt; if it says no, nothing is sent. */
  readonly mayStart?: (() => boolean) | undefined;
}

/** A successful answer, or a 304. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Answer['headers'];
}

/** An endless answer: a watch. */
export interface HttpStream {
  readonly body: AsyncIterable<Uint8Array>;
}

const READ_TIME_LIMIT = 30_000;
/** An admission webhook may take 30 s, and there may be two in turn: a write that is given up earlier is a write of unknown end. */
const WRITE_TIME_LIMIT = 65_000;
const ANSWER_SIZE_LIMIT = 256 * 1024 * 1024;
const REFUSAL_SIZE_LIMIT = 1024 * 1024;
const ATTEMPTS_AFTER_CUT = 3;
const FIRST_PAUSE_AFTER_CUT = 100;
/** So long a request waits, in all, for a server that asks for patience; then its caller decides. */
const PATIENCE = 20_000;

/** Requests of one API server: authenticated, limited in time and rate, repeated where that cannot do harm. */
export class Http {
  readonly host: string;
  readonly #options: HttpOptions;
  readonly #limiter: RateLimiter;
  readonly #pool: Dispatcher;
  readonly #streams: Dispatcher;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.host = new URL(options.access.server).host;
    this.#limiter = new RateLimiter(options.rateLimit ?? { qps: 0, burst: 0 }, options.clock);
    const connect = createConnector(options.access);
    // Go's server closes an idle connection after 90 s: we do it earlier, so that no write meets a connection that just ended.
    const shared = { connect, pipelining: 1, keepAliveTimeout: 30_000, keepAliveMaxTimeout: 60_000 };
    this.#pool = new Pool(options.access.server, { ...shared, connections: options.connections ?? 32 });
    this.#streams = new Pool(options.access.server, { ...shared, connections: null });
  }

  /** The answer to a request; throws ApiError for a refusal and ConnectionError for none. */
  async request(request: HttpRequest): Promise<HttpAnswer> {
    const { clock, random } = this.#options;
    let patience = PATIENCE;
    let cuts = 0;
    let hasRenewedCredentials = false;
    for (;;) {
      try {
        return await this.#attempt(request);
      } catch (error) {
        const pause = this.#pauseBeforeRetry(request, error, { cuts, patience, hasRenewedCredentials });
        if (pause === undefined) throw error;
        if (error instanceof ConnectionError) cuts += 1;
        else if (isUnauthorized(error)) hasRenewedCredentials = true;
        else patience -= pause;
        await clock.sleep(pause * (1 + random() / 4), request.signal);
        if (request.signal?.aborted) throw error;
      }
    }
  }

  /** The body of a watch, as it comes; throws as `request` does before the first byte, ConnectionError after. */
  async stream(request: Omit<HttpRequest, 'body' | 'timeLimit' | 'mayStart'>): Promise<HttpStream> {
    try {
      return await this.#open(request);
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      // The credentials were rotated meanwhile: once more with what is there now.
      return this.#open(request);
    }
  }

  /** Ends all connections, those of watches too. */
  async close(): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#streams.destroy()]);
  }

  async #open(request: Omit<HttpRequest, 'body' | 'timeLimit' | 'mayStart'>): Promise<HttpStream> {
    const { method, path, signal } = request;
    const started = this.#options.clock.now();
    let code = '<error>';
    try {
      const headers = await this.#headers(request);
      const watch = { method, path, headers, headersTimeout: 0, bodyTimeout: 0, signal: signal ?? null };
      const answer = await requestOf.call(this.#streams, watch);
      code = String(answer.statusCode);
      if (answer.statusCode === 200) return { body: answer.body };
      const text = (await answer.body.text()).slice(0, REFUSAL_SIZE_LIMIT);
      throw this.#refusal({ status: answer.statusCode, headers: answer.headers, text });
    } catch (error) {
      throw isOurs(error) ? error : lost(request, error);
    } finally {
      this.#observe(method, code, started);
    }
  }

  async #attempt(request: HttpRequest): Promise<HttpAnswer> {
    const { method, path, body, signal } = request;
    await this.#limiter.turn(signal);
    const headers = await this.#headers(request);
    if (request.mayStart?.() === false) {
      throw new ConnectionError(`${method} ${path.split('?')[0]}: not sent, since it may not start now`, {
        failure: 'aborted',
        mayHaveRun: false,
      });
    }
    const timeLimit = request.timeLimit ?? (method === 'GET' ? READ_TIME_LIMIT : WRITE_TIME_LIMIT);
    const started = this.#options.clock.now();
    let code = '<error>';
    try {
      const answer = await exchange(this.#pool, { method, path, headers, body, signal, timeLimit, sizeLimit: ANSWER_SIZE_LIMIT });
      code = String(answer.status);
      if ((answer.status < 200 || answer.status > 299) && answer.status !== 304) throw this.#refusal(answer);
      return { status: answer.status, headers: answer.headers, body: readBody(request, answer) };
    } finally {
      this.#observe(method, code, started);
    }
  }

  async #headers({ user, headers, body, path, method }: HttpRequest): Promise<Record<string, string>> {
    const { access, userAgent } = this.#options;
    const impersonated = user ?? access.impersonate;
    let authorization: string | undefined;
    try {
      authorization = await access.authorization();
    } catch (cause) {
      throw new ConnectionError(`${method} ${path}: no credentials: ${cause instanceof Error ? cause.message : String(cause)}`, {
        failure: 'unreachable',
        mayHaveRun: false,
        cause,
      });
    }
    return {
      accept: 'application/json',
      'user-agent': userAgent,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(authorization !== undefined && { authorization }),
      ...(impersonated !== undefined && { 'impersonate-user': impersonated }),
      ...headers,
    };
  }

  /** Milliseconds until the same request may be sent again; undefined: its caller must know. */
  #pauseBeforeRetry(
    request: HttpRequest,
    error: unknown,
    { cuts, patience, hasRenewedCredentials }: { cuts: number; patience: number; hasRenewedCredentials: boolean },
  ): number | undefined {
    if (request.signal?.aborted || !isOurs(error)) return undefined;
    if (error instanceof ConnectionError) {
      const isHarmless = request.method === 'GET' || !error.mayHaveRun;
      const isWorthIt = error.failure === 'cut' || error.failure === 'unreachable';
      return isHarmless && isWorthIt && cuts < ATTEMPTS_AFTER_CUT ? FIRST_PAUSE_AFTER_CUT * 3 ** cuts : undefined;
    }
    if (error.code === 401 && !hasRenewedCredentials) return 0;
    // 429, and 503 of a server that starts or stops, are said before anything is done.
    const asksForPatience = error.code === 429 || (error.code === 503 && error.retryAfter !== undefined);
    const pause = error.retryAfter ?? 1000;
    return asksForPatience && pause <= patience ? pause : undefined;
  }

  #refusal({ status, headers, text }: Answer): ApiError {
    if (status === 401) this.#options.access.forgetCredentials();
    const retryAfter = headers['retry-after'];
    return readRefusal({ code: status, body: parseOr(text), retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter });
  }

  #observe(method: string, code: string, started: number): void {
    const { observer, clock } = this.#options;
    observer?.requestEnded({ code, method, host: this.host, milliseconds: clock.now() - started });
  }
}

function readBody({ method, path }: HttpRequest, { text, status }: Answer): unknown {
  if (status === 304) return undefined;
  try {
    return parseJson(text);
  } catch (cause) {
    throw new ConnectionError(`${method} ${path.split('?')[0]}: the answer is no JSON`, { failure: 'garbled', mayHaveRun: true, cause });
  }
}

function parseOr(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function isOurs(error: unknown): error is ApiError | ConnectionError {
  return error instanceof Error && (error.name === 'ApiError' || error.name === 'ConnectionError');
}

function lost({ method, path, signal }: HttpRequest, cause: unknown): ConnectionError {
  const failure = signal?.aborted ? 'aborted' : 'cut';
  const why = cause instanceof Error && failure === 'cut' ? `: ${cause.message}` : '';
  return new ConnectionError(`${method} ${path.split('?')[0]}: the watch could not be opened${why}`, { failure, mayHaveRun: false, cause });
}
