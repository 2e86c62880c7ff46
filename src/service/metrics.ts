import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds, from a request of a good day to one that waits for webhooks. */
export const LATENCY_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const COMPILE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The metrics of one process, under the names that dashboards know (operations.md 8). No label ever holds an object's name. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: RestClientMetrics;
  readonly compileSeconds: Histogram<'result'>;
}

/** A registry with the process's and Node's own metrics and those of the API client. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({ name: 'kro_graph_build_info', help: 'Always 1; the label tells the version', labelNames: ['version'], registers }).set(
    { version },
    1,
  );
  return {
    registry,
    requests: new RestClientMetrics(registry),
    compileSeconds: new Histogram({
      name: 'kro_graph_compile_seconds',
      help: 'Time that compiling a Graph took',
      labelNames: ['result'],
      buckets: COMPILE_BUCKETS,
      registers,
    }),
  };
}

/** `rest_client_*`: requests to the API server. */
export class RestClientMetrics {
  readonly #total: Counter<'code' | 'method' | 'host'>;
  readonly #seconds: Histogram<'verb' | 'host'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#total = new Counter({
      name: 'rest_client_requests_total',
      help: 'Requests to the API server by status code, method and host',
      labelNames: ['code', 'method', 'host'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'rest_client_request_duration_seconds',
      help: 'Time until the answer (of a watch: until it is accepted)',
      labelNames: ['verb', 'host'],
      buckets: LATENCY_BUCKETS,
      registers,
    });
  }

  requestEnded({ code, method, host, milliseconds }: { code: string; method: string; host: string; milliseconds: number }): void {
    this.#total.inc({ code, method, host });
    this.#seconds.observe({ verb: method, host }, milliseconds / 1000);
  }
}

/** `controller_runtime_webhook_*` and what is ours of the webhook. */
export class WebhookMetrics {
  readonly #webhook: string;
  readonly #total: Counter<'webhook' | 'code'>;
  readonly #seconds: Histogram<'webhook'>;
  readonly #inFlight: Gauge<'webhook'>;
  readonly #denials: Counter<'code'>;
  readonly #warnings: Counter<'code'>;
  readonly #registry: Registry;
  #expiry: Gauge | undefined;

  constructor(registry: Registry, webhook: string) {
    this.#webhook = webhook;
    this.#registry = registry;
    const registers = [registry];
    const help = 'Admission requests';
    this.#total = new Counter({ name: 'controller_runtime_webhook_requests_total', help, labelNames: ['webhook', 'code'], registers });
    this.#seconds = new Histogram({
      name: 'controller_runtime_webhook_latency_seconds',
      help: 'Time of an admission',
      labelNames: ['webhook'],
      buckets: LATENCY_BUCKETS,
      registers,
    });
    this.#inFlight = new Gauge({
      name: 'controller_runtime_webhook_requests_in_flight',
      help: 'Admissions in progress',
      labelNames: ['webhook'],
      registers,
    });
    this.#denials = new Counter({
      name: 'kro_graph_denials_total',
      help: 'Errors of denied Graphs by code',
      labelNames: ['code'],
      registers,
    });
    this.#warnings = new Counter({ name: 'kro_graph_warnings_total', help: 'Warnings by code', labelNames: ['code'], registers });
    // From zero on, as controller-runtime has it: the rate of a series that begins with its first failure would not show that one.
    for (const code of ['200', '500', '503']) this.#total.inc({ webhook, code }, 0);
    this.#inFlight.set({ webhook }, 0);
  }

  started(): void {
    this.#inFlight.inc({ webhook: this.#webhook });
  }

  /** `code` is the HTTP status of the answer to the API server. */
  ended(code: number, seconds: number): void {
    const webhook = this.#webhook;
    this.#inFlight.dec({ webhook });
    this.#seconds.observe({ webhook }, seconds);
    this.#total.inc({ webhook, code: String(code) });
  }

  denied(code: string): void {
    this.#denials.inc({ code });
  }

  warned(code: string): void {
    this.#warnings.inc({ code });
  }

  /** Before the first certificate there is no such metric: as 0 it would be one that expired in 1970. */
  certificateExpires(at: Date): void {
    this.#expiry ??= new Gauge({
      name: 'kro_graph_certificate_expiry_timestamp_seconds',
      help: 'When the served certificate expires, in seconds since 1970',
      registers: [this.#registry],
    });
    this.#expiry.set(at.getTime() / 1000);
  }
}
