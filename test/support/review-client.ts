import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import type { JsonValue } from '../../src/api/object.ts';
import type { AdmissionReview } from '../../webhook/respond.ts';
import { makeReview } from './admission.ts';

/** An answer over HTTP: its status, its text, and the review that it may be. */
export interface ReviewAnswer {
  readonly status: number;
  readonly text: string;
  readonly review: AdmissionReview | undefined;
}

/** Speaks to a webhook as the API server does: over TLS, with connections that stay open. */
export interface ReviewClient {
  send(body: string | Uint8Array, headers?: Readonly<Record<string, string>>): Promise<ReviewAnswer>;
  /** A review with the members that a row changes. */
  review(members?: Readonly<Record<string, JsonValue | undefined>>): Promise<ReviewAnswer>;
  close(): Promise<void>;
}

/** A client that trusts these authorities (PEM). */
export function createReviewClient({
  url,
  certificateAuthority,
  connection = 'kept',
}: {
  url: string;
  certificateAuthority: string;
  connection?: 'kept' | 'one a request';
}): ReviewClient {
  const dispatcher = new Agent({ connect: { ca: certificateAuthority }, connections: 16, pipelining: 1, keepAliveTimeout: 30_000 });
  const send: ReviewClient['send'] = async (body, headers = {}) => {
    const answer = await request(url, {
      dispatcher,
      method: 'POST',
      reset: connection === 'one a request',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    const text = await answer.body.text();
    const isReview = String(answer.headers['content-type']).startsWith('application/json');
    return { status: answer.statusCode, text, review: isReview ? JSON.parse(text) : undefined };
  };
  return {
    send,
    review: (members) => send(JSON.stringify(makeReview(members))),
    close: () => dispatcher.close(),
  };
}

/** The lines of a server's log, as objects. */
export function readLog(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
