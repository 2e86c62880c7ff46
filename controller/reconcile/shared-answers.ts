import { LRUCache } from 'lru-cache';
import type { KubeObject } from '../../src/api/object.ts';
import type { ObjectRef } from '../../src/kube/client.ts';
import { objectPath } from '../../src/kube/resource.ts';

const MOST = 500;

/**
 * The last answers to refs, by applier: Graphs that act as the same ServiceAccount and read the same object ask once. Whoever takes one must
 * know that it is of the present version, and that the applier may still read it (graph.md 9).
 */
export class SharedAnswers {
  readonly #answers = new LRUCache<string, KubeObject>({ max: MOST });

  get(user: string, ref: ObjectRef): KubeObject | undefined {
    return this.#answers.get(keyOf(user, ref));
  }

  set(user: string, ref: ObjectRef, object: KubeObject): void {
    this.#answers.set(keyOf(user, ref), object);
  }
}

function keyOf(user: string, ref: ObjectRef): string {
  return `${user} ${objectPath(ref, ref.name)}`;
}
