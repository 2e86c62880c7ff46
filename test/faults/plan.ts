import type { FalseAnswer, Fault, FaultProxy, SeenRequest } from '../support/proxy.ts';

/** What goes wrong with a request; each name says what the controller and the cluster see of it. */
export const FAULTS = {
  refused500: () => answer(500, false),
  refused503: () => answer(503, false),
  refused429: () => answer(429, false, { 'retry-after': '1' }),
  cut: () => ({ kind: 'cut', forward: false }),
  carriedOutThen500: () => answer(500, true),
  carriedOutThen504: () => answer(504, true),
  carriedOutThenCut: () => ({ kind: 'cut', forward: true }),
  answerCutShort: () => ({ kind: 'truncate', bytes: 20 }),
  carriedOutTwice: () => ({ kind: 'repeat' }),
  late: () => ({ kind: 'delay', until: LATE_MILLISECONDS }),
} as const satisfies Record<string, () => Fault>;

export type FaultName = keyof typeof FAULTS;

/** What becomes of the watches that are open when the first fault comes. `stale`: they tell nothing for a while, and then everything. */
export type WatchFault = 'healthy' | 'cut' | 'stale';

/** What goes wrong during one run: one request, or each with a probability. */
export type Plan =
  | { readonly kind: 'single'; readonly fault: FaultName; readonly at: number; readonly watches: WatchFault }
  | { readonly kind: 'storm'; readonly seed: number; readonly watches: WatchFault };

const LATE_MILLISECONDS = 400;
const STALE_MILLISECONDS = 2500;
/** So many of a storm's requests go wrong. */
const STORM = 0.25;
/** A storm is over after so many faults, or nothing would ever settle. */
const STORM_FAULTS = 25;

/** A plan that is under way. */
export interface Execution {
  /** How many requests came, and how many of them went wrong. */
  readonly counts: () => { readonly requests: number; readonly faults: number };
  /** Resolves when the first fault has come. */
  readonly begun: Promise<void>;
  readonly end: () => void;
}

/** Spoils a proxy's requests by a plan. */
export function execute(proxy: FaultProxy, plan: Plan): Execution {
  const names = Object.keys(FAULTS) as FaultName[];
  const random = plan.kind === 'storm' ? randomFrom(plan.seed) : () => 0;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  let requests = 0;
  let faults = 0;
  let stale: NodeJS.Timeout | undefined;
  const pick = (): FaultName | undefined => {
    if (plan.kind === 'single') return requests === plan.at ? plan.fault : undefined;
    return faults < STORM_FAULTS && random() < STORM ? names[Math.floor(random() * names.length)] : undefined;
  };
  proxy.onRequest((request) => {
    if (!isCounted(request)) return undefined;
    requests += 1;
    const name = pick();
    if (name === undefined) return undefined;
    faults += 1;
    if (faults === 1) {
      if (plan.watches === 'cut') proxy.cutWatches();
      if (plan.watches === 'stale') {
        proxy.silenceWatches();
        stale = setTimeout(() => proxy.cutWatches(), STALE_MILLISECONDS);
      }
      begin();
    }
    return FAULTS[name]();
  });
  return {
    begun,
    counts: () => ({ requests, faults }),
    end: () => {
      proxy.onRequest(undefined);
      if (stale === undefined) return;
      clearTimeout(stale);
      proxy.cutWatches();
    },
  };
}

/** How a plan is named in a report. */
export function printPlan(plan: Plan): string {
  const what = plan.kind === 'single' ? `request ${plan.at} ${plan.fault}` : `storm ${plan.seed}`;
  return plan.watches === 'healthy' ? what : `${what}, watches ${plan.watches}`;
}

/** Numbers in [0, 1) that are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function isCounted({ path, isWatch }: SeenRequest): boolean {
  return !isWatch && !/\/(events|leases)(\/|\?|$)/.test(path);
}

function answer(code: number, forward: boolean, headers?: Readonly<Record<string, string>>): Fault {
  const reasons: Readonly<Record<number, string>> = {
    429: 'TooManyRequests',
    500: 'InternalError',
    503: 'ServiceUnavailable',
    504: 'Timeout',
  };
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: reasons[code], code, message: 'made up by a test' };
  const given: FalseAnswer = { status: code, body, ...(headers && { headers }) };
  return { kind: 'answer', forward, answer: given };
}
