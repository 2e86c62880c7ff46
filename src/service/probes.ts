import type { Registry } from 'prom-client';
import { type Page, type PlainServer, startPlainServer } from './plain-server.ts';

/** One condition of being live or ready; `undefined` when it holds, else why not, in a few words. */
export interface Check {
  readonly name: string;
  readonly fault: () => string | undefined;
}

/** What the probe server answers (operations.md 1). */
export interface ProbeOptions {
  readonly host: string;
  readonly port: number;
  readonly live: readonly Check[];
  readonly ready: readonly Check[];
  readonly version: Readonly<Record<string, string>>;
}

/** `/livez`, `/readyz` (`?verbose` lists the checks) and `/version`. */
export function startProbes({ host, port, live, ready, version }: ProbeOptions): Promise<PlainServer> {
  const pages = new Map([
    ['/livez', (query: URLSearchParams) => judge('livez', live, query)],
    ['/readyz', (query: URLSearchParams) => judge('readyz', ready, query)],
    ['/version', (): Page => ({ status: 200, type: 'application/json', body: `${JSON.stringify(version)}\n` })],
  ]);
  return startPlainServer({ host, port, pages });
}

/** `/metrics`, in Prometheus' text form. */
export function startMetricsServer({ host, port, registry }: { host: string; port: number; registry: Registry }): Promise<PlainServer> {
  const metrics = async (): Promise<Page> => ({ status: 200, type: registry.contentType, body: await registry.metrics() });
  return startPlainServer({ host, port, pages: new Map([['/metrics', metrics]]) });
}

function judge(probe: string, checks: readonly Check[], query: URLSearchParams): Page {
  const results = checks.map(({ name, fault }) => ({ name, fault: fault() }));
  const isWell = results.every(({ fault }) => fault === undefined);
  const status = isWell ? 200 : 503;
  if (isWell && !query.has('verbose')) return { status, body: 'ok\n' };
  const lines = results.map(({ name, fault }) => (fault === undefined ? `[+]${name} ok` : `[-]${name} failed: ${fault}`));
  return { status, body: `${[...lines, `${probe} check ${isWell ? 'passed' : 'failed'}`].join('\n')}\n` };
}

/** The check that the event loop turned within 10 s, and the end of its beat. */
export function eventLoopCheck(now: () => number, limit = 10_000): Check & { stop(): void } {
  let beat = now();
  const timer = setInterval(() => {
    beat = now();
  }, limit / 10).unref();
  return {
    name: 'event-loop',
    fault: () => (now() - beat > limit ? `it has not turned for ${Math.round((now() - beat) / 1000)} s` : undefined),
    stop: () => clearInterval(timer),
  };
}
