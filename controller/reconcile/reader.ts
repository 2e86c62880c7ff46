import { LABEL_NODE_ID } from '../../src/api/names.ts';
import type { KubeObject } from '../../src/api/object.ts';
import type { KubeClient, ObjectRef } from '../../src/kube/client.ts';
import { ApiError } from '../../src/kube/error.ts';
import { keyOf, objectKey } from '../../src/kube/reflector.ts';
import { collectionPath } from '../../src/kube/resource.ts';

/** So long the lists of a start are kept: long enough for every Graph's first reconcile, short enough not to weigh. */
const LIFE = 20_000;
const PAGE = 500;

type Listed = ReadonlyMap<string, KubeObject> | undefined;

/**
 * What Graphs own, read by lists: after a start every Graph must look at all its objects, and one list for a namespace costs less than a
 * request for each (a list is an answer to the same applier). Forgotten soon.
 */
export class StartLists {
  readonly #lists = new Map<string, Promise<Listed>>();
  readonly #after: (milliseconds: number, action: () => void) => void;

  constructor(after: (milliseconds: number, action: () => void) => void) {
    this.#after = after;
  }

  /** The templates' objects of one resource and namespace, as this applier sees them; undefined if it may not list. */
  of(applier: KubeClient, ref: ObjectRef, signal: AbortSignal): Promise<Listed> {
    const key = `${applier.user ?? ''} ${collectionPath(ref)}`;
    let list = this.#lists.get(key);
    if (list === undefined) {
      list = readAll(applier, ref, signal);
      this.#lists.set(key, list);
      list.catch(() => this.#lists.delete(key));
      this.#after(LIFE, () => this.#lists.delete(key));
    }
    return list;
  }
}

/** Reads objects as one applier; throws what the API server refuses. */
export class Reader {
  readonly #applier: KubeClient;
  readonly #signal: AbortSignal;
  /** Undefined once the Graph's objects have been looked at since the start. */
  readonly #lists: StartLists | undefined;

  constructor({ applier, signal, lists }: { applier: KubeClient; signal: AbortSignal; lists: StartLists | undefined }) {
    this.#applier = applier;
    this.#signal = signal;
    this.#lists = lists;
  }

  /** The object as it is now; `version` is the one that is known to be the latest. */
  async read(ref: ObjectRef, version: string | undefined): Promise<KubeObject> {
    if (this.#lists !== undefined && version !== undefined) {
      const listed = (await this.#lists.of(this.#applier, ref, this.#signal))?.get(objectKey(ref.namespace, ref.name));
      if (listed?.metadata.resourceVersion === version) return listed;
    }
    return this.#applier.get(ref, { signal: this.#signal });
  }
}

async function readAll(applier: KubeClient, ref: ObjectRef, signal: AbortSignal): Promise<Listed> {
  const objects = new Map<string, KubeObject>();
  let next = '';
  try {
    do {
      const page = await applier.list(ref, { labelSelector: LABEL_NODE_ID, limit: PAGE, continue: next, signal });
      for (const object of page.items) objects.set(keyOf(object), object);
      next = page.continue;
    } while (next !== '');
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
  return objects;
}
