import { createHash } from 'node:crypto';
import type { ResourceKind } from '../api/object.ts';
import { kindKey, SchemaDocument } from './document.ts';
import type { RawSchema } from './openapi.ts';
import type { ResourceSchema, SchemaSnapshot } from './snapshot.ts';
import { compareVersions } from './version-order.ts';

/** A resource as discovery lists it. */
export interface ServedResource {
  readonly kind: ResourceKind;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly hasStatus: boolean;
}

/** Schemas kept in a file: the resources of one or more API groups, and the components that describe them. */
export interface SchemaBundle {
  readonly resources: readonly ServedResource[];
  readonly schemas: Readonly<Record<string, RawSchema>>;
}

/** The resources of all bundles as schemas, preferred versions first; the components of one bundle may be referred to by another. */
export function readBundles(bundles: readonly SchemaBundle[]): ResourceSchema[] {
  const document = new SchemaDocument(new Map(bundles.flatMap((bundle) => Object.entries(bundle.schemas))));
  const resources = bundles.flatMap((bundle) => bundle.resources).sort((a, b) => compareVersions(a.kind.version, b.kind.version));
  return resources.map((resource) => resourceSchema(resource, document));
}

/** A served resource with its schema from a document. */
export function resourceSchema(resource: ServedResource, document: SchemaDocument | undefined): ResourceSchema {
  let hash: string | undefined;
  return {
    kind: resource.kind,
    plural: resource.plural,
    namespaced: resource.namespaced,
    verbs: new Set(resource.verbs),
    hasStatus: resource.hasStatus,
    schema: document?.schemaOf(resource.kind),
    get hash() {
      hash ??= hashOf([describe(resource), document?.textOf(resource.kind) ?? '']);
      return hash;
    },
  };
}

/** A snapshot of these resources. Of several versions of a kind the first in the list is the preferred one. */
export function snapshotOf(
  resources: readonly ResourceSchema[],
  served: readonly ResourceKind[] = resources.map(({ kind }) => kind),
): SchemaSnapshot {
  const byKind = new Map(resources.map((resource) => [kindKey(resource.kind), resource]));
  let versions: ReadonlyMap<string, readonly string[]> | undefined;
  let version: string | undefined;
  return {
    get version() {
      version ??= hashOf([...byKind.values()].map((resource) => resource.hash).sort());
      return version;
    },
    get: (kind) => byKind.get(kindKey(kind)),
    versions(group, kind) {
      versions ??= versionsOf(served);
      return versions.get(`${group}/${kind}`) ?? [];
    },
    served: () => served,
  };
}

/** By group and kind; only messages about what is not served need them. */
function versionsOf(served: readonly ResourceKind[]): ReadonlyMap<string, readonly string[]> {
  const versions = new Map<string, string[]>();
  for (const { group, kind, version } of served) {
    const key = `${group}/${kind}`;
    const known = versions.get(key);
    if (known === undefined) versions.set(key, [version]);
    else if (!known.includes(version)) known.push(version);
  }
  return versions;
}

function describe(resource: ServedResource): string {
  return JSON.stringify([kindKey(resource.kind), resource.plural, resource.namespaced, [...resource.verbs].sort(), resource.hasStatus]);
}

/** A digest that is equal for equal texts. */
export function hashOf(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  return hash.digest('hex').slice(0, 32);
}
