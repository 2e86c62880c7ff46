import { readComponents } from '../schema/document.ts';
import type { RawSchema } from '../schema/openapi.ts';
import type { KubeClient } from './client.ts';

/** Where the OpenAPI document of an API group's version is; the address holds the document's hash, so that it is a new one when it changes. */
export type OpenApiIndex = ReadonlyMap<string, string>;

/** The `/openapi/v3` documents of a cluster: the index by conditional requests, a document when it is asked for. */
export class OpenApiDocuments {
  readonly #client: Pick<KubeClient, 'getJson'>;
  #index: OpenApiIndex | undefined;
  #etag: string | undefined;

  constructor(client: Pick<KubeClient, 'getJson'>) {
    this.#client = client;
  }

  /** The index as it was last read; undefined before the first time. */
  get index(): OpenApiIndex | undefined {
    return this.#index;
  }

  /** Asks the API server again. */
  async refresh(): Promise<OpenApiIndex> {
    const { body, etag } = await this.#client.getJson('/openapi/v3', this.#etag === undefined ? {} : { etag: this.#etag });
    if (body !== undefined || this.#index === undefined) this.#index = readIndex(body);
    this.#etag = etag;
    return this.#index;
  }

  /** The document at an address of the index: its components (the document itself is let go), and whether it is the one that the index means. */
  async read(address: string): Promise<{ readonly components: ReadonlyMap<string, RawSchema>; readonly isIndexed: boolean }> {
    const { pathname, searchParams } = new URL(address, 'https://cluster.invalid');
    // Without the hash: with an old one the server would only send the new address.
    const { body, etag } = await this.#client.getJson(pathname);
    const hash = searchParams.get('hash');
    return { components: readComponents(body), isIndexed: hash === null || etag === undefined || etag.includes(hash) };
  }
}

/** `api/v1` or `apis/apps/v1`: how the index calls an API group's version. */
export function indexKey({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

function readIndex(body: unknown): OpenApiIndex {
  const paths = typeof body === 'object' && body !== null && 'paths' in body ? body.paths : undefined;
  if (typeof paths !== 'object' || paths === null) throw new TypeError('the API server serves no /openapi/v3 index');
  const index = new Map<string, string>();
  for (const [key, entry] of Object.entries(paths)) {
    const address: unknown = entry?.serverRelativeURL;
    if (typeof address === 'string') index.set(key, address);
  }
  return index;
}
