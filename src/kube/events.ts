import type { Identity } from '../api/object.ts';
import type { KubeClient, ObjectRef } from './client.ts';
import type { Clock } from './clock.ts';
import { microTime } from './micro-time.ts';
import type { ResourceRef } from './resource.ts';

/** The object that an Event is about. */
export interface EventSubject extends Identity {
  readonly version: string;
  readonly uid: string;
}

/** One thing that happened. `note` is for people and never holds a value of the cluster. */
export interface EventFacts {
  readonly type: 'Normal' | 'Warning';
  /** Why, in one word: `Applied`, `Adopted`. */
  readonly reason: string;
  /** What was done or tried, in one word: `Apply`, `Prune`. */
  readonly action: string;
  readonly note: string;
}

/** Where Events go, and how they are counted. */
export interface EventOptions {
  readonly client: KubeClient;
  /** `kro.run/graph-controller`. */
  readonly controller: string;
  /** The pod or the process. */
  readonly instance: string;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** An Event that is not told: too many, or refused. */
  readonly onDropped?: (reason: 'rate' | 'queue' | 'error', error?: unknown) => void;
}

/** So long after its last occurrence a series may go on. */
const SERIES_LIFE = 360_000;
/** A series in progress is told anew at most so often. */
const SERIES_REFRESH = 30_000;
const LONGEST_QUEUE = 1000;
const LONGEST_NOTE = 1024;
const MOST_SERIES = 5000;
/** New series of one object: so many at once, then one more each interval. */
const BURST = 20;
const REFILL = 15_000;
const TIME_LIMIT = 10_000;

interface Series {
  readonly object: ObjectRef;
  readonly manifest: Readonly<Record<string, unknown>>;
  count: number;
  toldCount: number;
  toldAt: number;
  lastAt: number;
  lastDate: Date;
  isQueued: boolean;
}

/**
 * Kubernetes Events (events.k8s.io/v1), one series per cause: what repeats becomes a count (operations.md 8). `record` never waits and
 * never throws; a queue that is full, and an object that has too much to tell, drop.
 */
export class EventRecorder {
  readonly #options: EventOptions;
  readonly #series = new Map<string, Series>();
  readonly #fullAt = new Map<string, number>();
  readonly #queue: Series[] = [];
  readonly #stopping = new AbortController();
  #sending: Promise<void> | undefined;
  #made = 0;

  constructor(options: EventOptions) {
    this.#options = options;
  }

  /** Tells that something happened, soon. */
  record(subject: EventSubject, facts: EventFacts): void {
    if (this.#stopping.signal.aborted) return;
    this.#forgetOld();
    const key = JSON.stringify([subject.uid, subject.kind, subject.name, facts.type, facts.reason, facts.action, facts.note]);
    const known = this.#series.get(key);
    if (known !== undefined) {
      // In order of their last occurrence, so that the old ones are found at the front.
      this.#series.delete(key);
      this.#series.set(key, known);
      this.#repeat(known);
      return;
    }
    if (!this.#hasTurn(subject) || this.#series.size >= MOST_SERIES) {
      this.#options.onDropped?.('rate');
      return;
    }
    const series = this.#begin(subject, facts);
    this.#series.set(key, series);
    this.#enqueue(series);
  }

  /** Sends what waits, until the signal is aborted; nothing is recorded afterwards. */
  async stop(signal: AbortSignal): Promise<void> {
    const abort = (): void => this.#stopping.abort();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    await this.#sending;
    for (const series of this.#series.values()) this.#finish(series);
    await this.#sending;
    signal.removeEventListener('abort', abort);
    abort();
  }

  #begin(subject: EventSubject, { type, reason, action, note }: EventFacts): Series {
    const { clock, controller, instance, random } = this.#options;
    const now = clock.now();
    const date = clock.date();
    const namespace = subject.namespace === '' ? 'default' : subject.namespace;
    this.#made += 1;
    const unique = `${date.getTime().toString(16)}.${this.#made.toString(16)}${Math.floor(random() * 0xffff_ffff).toString(16)}`;
    // A name that is cut may end in what no part of a name ends in.
    const name = `${subject.name.slice(0, 253 - unique.length - 1).replace(/[-.]+$/, '')}.${unique}`;
    const manifest = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name, namespace },
      eventTime: microTime(date),
      reportingController: controller,
      reportingInstance: instance.slice(0, 128),
      action: action.slice(0, 128),
      reason: reason.slice(0, 128),
      type,
      note: cut(note),
      regarding: {
        apiVersion: subject.group === '' ? subject.version : `${subject.group}/${subject.version}`,
        kind: subject.kind,
        namespace: subject.namespace,
        name: subject.name,
        uid: subject.uid,
      },
    };
    const object = { group: 'events.k8s.io', version: 'v1', plural: 'events', namespace, name };
    return { object, manifest, count: 1, toldCount: 0, toldAt: now, lastAt: now, lastDate: date, isQueued: false };
  }

  #repeat(series: Series): void {
    const { clock } = this.#options;
    series.count += 1;
    series.lastAt = clock.now();
    series.lastDate = clock.date();
    if (series.toldCount === 1 || series.lastAt - series.toldAt >= SERIES_REFRESH) this.#enqueue(series);
  }

  #hasTurn({ uid, kind, name }: EventSubject): boolean {
    const now = this.#options.clock.now();
    const key = uid === '' ? `${kind}/${name}` : uid;
    const fullAt = Math.max(this.#fullAt.get(key) ?? now, now) + REFILL;
    if (fullAt - now > BURST * REFILL) return false;
    this.#fullAt.delete(key);
    this.#fullAt.set(key, fullAt);
    return true;
  }

  /** Series that ended are told once more if something was left untold, and forgotten. */
  #forgetOld(): void {
    const now = this.#options.clock.now();
    for (const [key, series] of this.#series) {
      if (now - series.lastAt < SERIES_LIFE) break;
      this.#series.delete(key);
      this.#finish(series);
    }
    for (const [key, fullAt] of this.#fullAt) {
      if (fullAt > now) break;
      this.#fullAt.delete(key);
    }
  }

  /** What repeated since it was last told; one that could not be told at all stays untold. */
  #finish(series: Series): void {
    if (series.toldCount > 0 && series.count > series.toldCount) this.#enqueue(series);
  }

  #enqueue(series: Series): void {
    if (series.isQueued) return;
    if (this.#queue.length >= LONGEST_QUEUE) {
      this.#options.onDropped?.('queue');
      return;
    }
    series.isQueued = true;
    this.#queue.push(series);
    this.#sending ??= this.#send();
  }

  async #send(): Promise<void> {
    for (let series = this.#queue.shift(); series !== undefined; series = this.#queue.shift()) {
      series.isQueued = false;
      const { count } = series;
      try {
        if (!this.#stopping.signal.aborted) await this.#tell(series, count);
        series.toldCount = count;
        // It repeated while its first Event was on the way.
        if (count === 1) this.#finish(series);
      } catch (error) {
        this.#options.onDropped?.('error', error);
      }
      series.toldAt = this.#options.clock.now();
    }
    this.#sending = undefined;
  }

  async #tell({ object, manifest, toldCount, lastDate }: Series, count: number): Promise<void> {
    const { client } = this.#options;
    const options = { signal: this.#stopping.signal, timeLimit: TIME_LIMIT };
    const series = count > 1 ? { count, lastObservedTime: microTime(lastDate) } : undefined;
    const resource: ResourceRef = object;
    if (toldCount === 0) await client.create(resource, series === undefined ? manifest : { ...manifest, series }, options);
    else if (series !== undefined) await client.patch(object, { type: 'merge', body: { series } }, options);
  }
}

function cut(note: string): string {
  return Buffer.byteLength(note) <= LONGEST_NOTE
    ? note
    : `${Buffer.from(note)
        .subarray(0, LONGEST_NOTE - 4)
        .toString('utf8')
        .replace(/\uFFFD$/, '')}…`;
}
