import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { ConnectionError, type ConnectionFailure } from './error.ts';

/** One HTTP request, complete. */
export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the last byte of the answer. */
  readonly timeLimit: number;
  /** The longest answer that is read. */
  readonly sizeLimit: number;
}

/** An answer, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends one request once and reads its answer whole. Throws ConnectionError when there is none. */
export function exchange(dispatcher: Dispatcher, request: Exchange): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, path, headers, body } = request;
    const handler = new AnswerHandler(request, resolve, reject);
    // Without `reset`, undici ends the connection after each DELETE with a body, as every delete with a precondition is.
    const options = { method, path, headers, body: body ?? null, headersTimeout: 0, bodyTimeout: 0, reset: false };
    if (!handler.isOver) dispatcher.dispatch(options, handler);
  });
}

class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #request: Exchange;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: ConnectionError) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #size = 0;
  isOver = false;

  constructor(request: Exchange, resolve: (answer: Answer) => void, reject: (error: ConnectionError) => void) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#fail('timeout', `no answer within ${request.timeLimit} ms`), request.timeLimit);
    request.signal?.addEventListener('abort', this.#abort);
    if (request.signal?.aborted) this.#abort();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Given up while it waited for a connection: it is taken back before the first byte.
    if (this.isOver) controller.abort(new Error('given up'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#request.sizeLimit) {
      this.#fail('garbled', `the answer is longer than ${this.#request.sizeLimit} bytes`);
      return;
    }
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.isOver) return;
    this.#end();
    this.#resolve({ status: this.#status, headers: this.#headers, text: Buffer.concat(this.#chunks, this.#size).toString('utf8') });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const failure = this.#controller === undefined ? 'unreachable' : 'cut';
    this.#fail(failure, failure === 'cut' ? 'the connection broke' : 'no connection to the API server', error);
  }

  readonly #abort = (): void => this.#fail('aborted', 'given up by the caller', this.#request.signal?.reason);

  #fail(failure: ConnectionFailure, what: string, cause?: unknown): void {
    if (this.isOver) return;
    this.#end();
    const { method, path } = this.#request;
    const why = cause instanceof Error && failure !== 'aborted' ? `: ${cause.message}` : '';
    // From the moment that undici takes a request to a socket, its bytes may arrive.
    const wasSent = this.#controller !== undefined;
    this.#reject(new ConnectionError(`${method} ${path.split('?')[0]}: ${what}${why}`, { failure, mayHaveRun: wasSent, cause }));
    this.#controller?.abort(new Error(what));
  }

  #end(): void {
    this.isOver = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener('abort', this.#abort);
  }
}
