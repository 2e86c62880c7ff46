import { LRUCache } from 'lru-cache';
import type { KubeClient } from './client.ts';
import type { Clock } from './clock.ts';
import type { ResourceRef } from './resource.ts';

/** May it be done? */
export interface Question {
  readonly verb: string;
  readonly group: string;
  readonly plural: string;
  readonly subresource?: string | undefined;
  /** Empty: cluster-scoped, or in all namespaces. */
  readonly namespace?: string | undefined;
  /** Empty: any object. */
  readonly name?: string | undefined;
}

/** A user with all groups, as an admission request tells them. */
export interface Subject {
  readonly user: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

const AUTHORIZATION = { group: 'authorization.k8s.io', version: 'v1' };
const SELF_REVIEWS: ResourceRef = { ...AUTHORIZATION, plural: 'selfsubjectaccessreviews' };
const REVIEWS: ResourceRef = { ...AUTHORIZATION, plural: 'subjectaccessreviews' };
const ALLOWED_FRESH = 300_000;
const DENIED_FRESH = 30_000;
const TIME_LIMIT = 10_000;
const MOST_ANSWERS = 20_000;

/** What users may do, asked of the API server; an answer is good for 5 min, a denial for 30 s, an error for nothing (graph.md 11). */
export class AccessReviews {
  readonly #client: KubeClient;
  readonly #answers: LRUCache<string, boolean>;
  readonly #asked = new Map<string, Promise<boolean>>();

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client;
    this.#answers = new LRUCache({ max: MOST_ANSWERS, ttl: ALLOWED_FRESH, ttlResolution: 0, perf: clock });
  }

  /** Asked as the user itself, by impersonation; without a user, as the process. */
  can(user: string | undefined, question: Question, signal?: AbortSignal): Promise<boolean> {
    const client = (): KubeClient => (user === undefined ? this.#client : this.#client.as(user));
    return this.#ask(`self ${user ?? ''}`, question, signal, () => review(client(), SELF_REVIEWS, 'SelfSubjectAccessReview', question, {}));
  }

  /** Asked about a user, as the process; for who may not impersonate. */
  canSubject(subject: Subject, question: Question, signal?: AbortSignal): Promise<boolean> {
    const who = { user: subject.user, uid: subject.uid, groups: subject.groups, extra: subject.extra };
    return this.#ask(`subject ${JSON.stringify(who)}`, question, signal, () =>
      review(this.#client, REVIEWS, 'SubjectAccessReview', question, who),
    );
  }

  /** Forgets every answer about a user, such as after a write of it was refused. */
  forget(user: string): void {
    for (const key of this.#answers.keys()) {
      if (key.startsWith(`self ${user} `)) this.#answers.delete(key);
    }
  }

  async #ask(who: string, question: Question, signal: AbortSignal | undefined, ask: () => Promise<boolean>): Promise<boolean> {
    const { verb, group, plural, subresource, namespace, name } = question;
    const key = `${who} ${JSON.stringify([verb, group, plural, subresource, namespace, name])}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    signal?.throwIfAborted();
    let asked = this.#asked.get(key);
    if (asked === undefined) {
      // Shared by all who ask meanwhile, so no single caller's signal ends it; its own time limit does.
      asked = ask().then((answer) => {
        this.#answers.set(key, answer, { ttl: answer ? ALLOWED_FRESH : DENIED_FRESH });
        return answer;
      });
      this.#asked.set(key, asked);
      const forget = (): boolean => this.#asked.delete(key);
      asked.then(forget, forget);
    }
    return signal === undefined ? asked : unlessAborted(asked, signal);
  }
}

async function review(client: KubeClient, resource: ResourceRef, kind: string, question: Question, who: object): Promise<boolean> {
  const { verb, group, plural, subresource, namespace, name } = question;
  const resourceAttributes = { verb, group, resource: plural, subresource, namespace, name };
  const manifest = { apiVersion: 'authorization.k8s.io/v1', kind, spec: { ...who, resourceAttributes } };
  const { object } = await client.create(resource, manifest, { timeLimit: TIME_LIMIT });
  return (object['status'] as { readonly allowed?: boolean } | undefined)?.allowed === true;
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}
