import { printResourceKind, type ResourceKind } from '../../src/api/object.ts';
import type { ResourceSchema } from '../../src/schema/snapshot.ts';
import type { ActingContext } from './context.ts';

/** The kinds that something was made for, as they were served then. */
export class ServedKinds {
  readonly #kinds = new Map<string, { readonly kind: ResourceKind; readonly resource: ResourceSchema | undefined }>();

  /** The kind as it is served now; from here on `areSame` looks at it. */
  async resolve(kind: ResourceKind, { resolveKind }: Pick<ActingContext, 'resolveKind'>): Promise<ResourceSchema | undefined> {
    const resource = await resolveKind(kind);
    this.#kinds.set(printResourceKind(kind), { kind, resource });
    return resource;
  }

  /** Whether all of them are served as they were. */
  async areSame({ resolveKind }: Pick<ActingContext, 'resolveKind'>): Promise<boolean> {
    const same = await Promise.all([...this.#kinds.values()].map(async ({ kind, resource }) => (await resolveKind(kind)) === resource));
    return same.every((isSame) => isSame);
  }
}
