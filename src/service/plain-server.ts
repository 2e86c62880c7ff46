import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** One page of a plain HTTP server. */
export interface Page {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

/** Path to page; the query is handed on. */
export type Pages = ReadonlyMap<string, (query: URLSearchParams) => Page | Promise<Page>>;

/** A plain HTTP server that answers GET and HEAD. */
export interface PlainServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves pages for probes and scrapers; everything else is a 404 or 405. Rejects when the port cannot be had. */
export async function startPlainServer({ host, port, pages }: { host: string; port: number; pages: Pages }): Promise<PlainServer> {
  const server = createServer({ requestTimeout: 5000, headersTimeout: 5000, keepAliveTimeout: 60_000, maxHeaderSize: 16_384 });
  server.maxConnections = 256;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(request, pages).then(
      (page) => send(request, response, page),
      () => send(request, response, { status: 500, body: 'internal error\n' }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { port: portOf(server), close: () => close(server) };
}

async function answer({ method, url }: IncomingMessage, pages: Pages): Promise<Page> {
  const [path = '', query = ''] = (url ?? '').split('?', 2);
  const page = pages.get(path);
  if (page === undefined) return { status: 404, body: 'not found\n' };
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: 'only GET and HEAD\n' };
  return page(new URLSearchParams(query));
}

function send({ method }: IncomingMessage, response: ServerResponse, { status, type = 'text/plain; charset=utf-8', body }: Page): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' });
  response.end(method === 'HEAD' ? undefined : body);
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 500).unref();
  });
}
