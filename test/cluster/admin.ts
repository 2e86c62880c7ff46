import type { IncomingMessage } from 'node:http';
import { request as send } from 'node:https';
import { createInterface } from 'node:readline';
import { type Access, readKubeconfig } from './kubeconfig.ts';

/** An object of the API, unchecked: tests look at it field by field. */
// biome-ignore lint/suspicious/noExplicitAny: a test states what it expects of an object; a type would only repeat it
export type AnyObject = Record<string, any>;

/** What an API server answered. */
export interface Answer {
  readonly status: number;
  readonly body: AnyObject;
}

/** One request of {@link Admin.request}. */
export interface AdminRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** The API server as one user sees it, by plain paths (`/api/v1/namespaces/x/configmaps/y`). */
export interface Admin {
  /** Any request; every HTTP status is an answer. */
  readonly request: (request: AdminRequest) => Promise<Answer>;
  /** The object at a path, or undefined where there is none. Other refusals throw, as in every function below. */
  readonly get: (path: string) => Promise<AnyObject | undefined>;
  /** Creates an object in a collection. */
  readonly create: (collection: string, object: AnyObject) => Promise<AnyObject>;
  /** JSON merge patch. */
  readonly patch: (path: string, change: AnyObject) => Promise<AnyObject>;
  /** Deletes; an object that does not exist is fine. */
  readonly remove: (path: string) => Promise<void>;
  /** Waits on a watch until the object at the path (undefined: there is none) is as wanted, and returns it. Default limit 30 s. */
  readonly waitFor: (
    path: string,
    wanted: (object: AnyObject | undefined) => boolean,
    limitMilliseconds?: number,
  ) => Promise<AnyObject | undefined>;
}

/** An {@link Admin} for a kubeconfig of this folder's making, or for an access. */
export function connect(to: string | Access): Admin {
  const access = typeof to === 'string' ? readKubeconfig(to) : to;
  const request = (wanted: AdminRequest): Promise<Answer> => exchange(access, wanted);
  const expectSuccess = async (wanted: AdminRequest): Promise<AnyObject> => {
    const answer = await request(wanted);
    if (answer.status >= 300) throw new Error(`${wanted.method} ${wanted.path}: ${answer.status} ${answer.body['message']}`);
    return answer.body;
  };
  const get = async (path: string): Promise<AnyObject | undefined> => {
    const answer = await request({ path });
    if (answer.status === 404) return undefined;
    if (answer.status >= 300) throw new Error(`GET ${path}: ${answer.status} ${answer.body['message']}`);
    return answer.body;
  };
  return {
    request,
    get,
    create: (collection, object) => expectSuccess({ method: 'POST', path: collection, body: object }),
    patch: (path, change) => expectSuccess({ method: 'PATCH', path, body: change, contentType: 'application/merge-patch+json' }),
    remove: async (path) => {
      const answer = await request({ method: 'DELETE', path });
      if (answer.status >= 300 && answer.status !== 404) throw new Error(`DELETE ${path}: ${answer.status} ${answer.body['message']}`);
    },
    waitFor: (path, wanted, limit = 180_000) => waitFor({ access, get, path, wanted, limit }),
  };
}

async function exchange(access: Access, { method = 'GET', path, body, contentType = 'application/json' }: AdminRequest): Promise<Answer> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const response = await open(access, { method, path, contentType, payload });
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode ?? 0, body: parse(text) };
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly payload?: string | undefined;
  readonly signal?: AbortSignal;
}

function open(access: Access, { method, path, contentType, payload, signal }: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = { authorization: `Bearer ${access.token}`, accept: 'application/json' };
    if (payload !== undefined) headers['content-type'] = contentType;
    const outgoing = send(
      new URL(path, access.server),
      { method, headers, ca: access.certificateAuthority, ...(signal && { signal }) },
      resolve,
    );
    outgoing.once('error', reject);
    outgoing.end(payload);
  });
}

function parse(text: string): AnyObject {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text };
  }
}

interface Wait {
  readonly access: Access;
  readonly get: (path: string) => Promise<AnyObject | undefined>;
  readonly path: string;
  readonly wanted: (object: AnyObject | undefined) => boolean;
  readonly limit: number;
}

async function waitFor({ access, get, path, wanted, limit }: Wait): Promise<AnyObject | undefined> {
  const signal = AbortSignal.timeout(limit);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const collection = path.slice(0, path.lastIndexOf('/'));
  const selection = `fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
  // A list tells the version that a watch goes on from: what happens in between is not missed.
  const look = async (): Promise<{ readonly object: AnyObject | undefined; readonly version: string }> => {
    const { status, body } = await exchange(access, { path: `${collection}?${selection}` });
    if (status === 404) return { object: undefined, version: '' };
    if (status >= 300) throw new Error(`GET ${collection}: ${status} ${body['message']}`);
    return { object: await get(path), version: body['metadata'].resourceVersion };
  };
  let { object: last, version } = await look();
  while (!wanted(last)) {
    const query = `watch=true&timeoutSeconds=60&resourceVersion=${version}&${selection}`;
    try {
      const response = await open(access, { method: 'GET', path: `${collection}?${query}`, contentType: '', signal });
      for await (const line of createInterface({ input: response })) {
        const event = parse(line);
        if (event['type'] === 'ERROR') break;
        last = event['type'] === 'DELETED' ? undefined : event['object'];
        if (wanted(last)) {
          response.destroy();
          return last;
        }
      }
    } catch (cause) {
      if (!signal.aborted) throw cause;
    }
    if (signal.aborted) throw new Error(`${path} is not as wanted after ${limit} ms; it is ${JSON.stringify(last, undefined, 2)}`);
    ({ object: last, version } = await look());
  }
  return last;
}
