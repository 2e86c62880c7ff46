import type { ResourceKind } from '../api/object.ts';
import type { ServedResource } from '../schema/bundle.ts';
import type { KubeClient } from './client.ts';

const ACCEPT = ['v2', 'v2beta1'].map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`).join(',');
const ROOTS = ['/api', '/apis'] as const;

/** What the cluster serves, as one moment's answer. The same object while nothing changes. */
export interface ServedResources {
  /** Preferred versions first within a group. */
  readonly resources: readonly ServedResource[];
  /** The kinds of `resources`, in that order. */
  readonly kinds: readonly ResourceKind[];
  /** The resource of exactly this kind; undefined if it is not served, or not known (see `isUnavailable`). */
  find(kind: ResourceKind): ServedResource | undefined;
  /** All versions in which a group's kind is served, preferred first. */
  versions(group: string, kind: string): readonly ServedResource[];
  /** The API server could not ask the server behind this group: what it serves is not known, and nothing is "not served" (graph.md 12.4). */
  isUnavailable(group: string): boolean;
}

interface RootAnswer {
  readonly etag: string | undefined;
  readonly groups: readonly DiscoveredGroup[];
}

interface DiscoveredGroup {
  readonly name: string;
  readonly resources: readonly ServedResource[];
  readonly isUnavailable: boolean;
}

/** Aggregated discovery: two conditional requests, shared by all who ask at the same time. */
export class Discovery {
  readonly #client: Pick<KubeClient, 'getJson'>;
  #answers: readonly RootAnswer[] | undefined;
  #current: ServedResources | undefined;

  constructor(client: Pick<KubeClient, 'getJson'>) {
    this.#client = client;
  }

  /** What was served when it was last read; undefined before the first time. */
  get current(): ServedResources | undefined {
    return this.#current;
  }

  /** Asks the API server again. */
  async refresh(): Promise<ServedResources> {
    const before = this.#answers;
    const answers = await Promise.all(ROOTS.map((path, index) => this.#readRoot(path, before?.[index])));
    const isUnchanged = before !== undefined && answers.every((answer, index) => answer === before[index]);
    this.#answers = answers;
    if (this.#current === undefined || !isUnchanged) this.#current = serve(answers.flatMap(({ groups }) => groups));
    return this.#current;
  }

  async #readRoot(path: string, before: RootAnswer | undefined): Promise<RootAnswer> {
    const { body, etag } = await this.#client.getJson(path, {
      accept: ACCEPT,
      ...(before?.etag === undefined ? {} : { etag: before.etag }),
    });
    return body === undefined && before !== undefined ? before : { etag, groups: readGroups(body) };
  }
}

function serve(groups: readonly DiscoveredGroup[]): ServedResources {
  const resources = groups.flatMap((group) => group.resources);
  const unavailable = new Set(groups.filter((group) => group.isUnavailable).map(({ name }) => name));
  const byGroupKind = new Map<string, ServedResource[]>();
  for (const resource of resources) {
    const key = `${resource.kind.group}/${resource.kind.kind}`;
    const known = byGroupKind.get(key);
    if (known === undefined) byGroupKind.set(key, [resource]);
    else known.push(resource);
  }
  const versions = (group: string, kind: string): readonly ServedResource[] => byGroupKind.get(`${group}/${kind}`) ?? [];
  return {
    resources,
    kinds: resources.map(({ kind }) => kind),
    versions,
    find: ({ group, version, kind }) => versions(group, kind).find((resource) => resource.kind.version === version),
    isUnavailable: (group) => unavailable.has(group),
  };
}

interface RawGroup {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly RawVersion[];
}

interface RawVersion {
  readonly version: string;
  readonly freshness?: string;
  readonly resources?: readonly RawResource[];
}

interface RawResource {
  readonly resource: string;
  readonly responseKind?: { readonly group?: string; readonly version?: string; readonly kind?: string };
  readonly scope?: string;
  readonly verbs?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

function readGroups(body: unknown): DiscoveredGroup[] {
  const items = typeof body === 'object' && body !== null && 'items' in body ? body.items : undefined;
  if (!Array.isArray(items)) throw new TypeError('the API server does not answer aggregated discovery: Kubernetes 1.30 or later is needed');
  return items.map(readGroup);
}

function readGroup({ metadata, versions = [] }: RawGroup): DiscoveredGroup {
  const group = metadata?.name ?? '';
  return {
    name: group,
    resources: versions.flatMap(({ version, resources = [] }) => resources.flatMap((resource) => readResource(group, version, resource))),
    isUnavailable: versions.some(({ freshness }) => freshness === 'Stale'),
  };
}

function readResource(group: string, version: string, raw: RawResource): ServedResource[] {
  const kind = raw.responseKind?.kind;
  const verbs = raw.verbs ?? [];
  if (kind === undefined || kind === '' || verbs.length === 0) return [];
  return [
    {
      kind: { group, version, kind },
      plural: raw.resource,
      namespaced: raw.scope === 'Namespaced',
      verbs,
      hasStatus: (raw.subresources ?? []).some(({ subresource }) => subresource === 'status'),
    },
  ];
}
