/** Where objects of one kind live in the API: a resource, in a namespace or across all (and cluster-scoped) when there is none. */
export interface ResourceRef {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Absent or empty: cluster-scoped objects, or all namespaces of a list. */
  readonly namespace?: string | undefined;
}

/** The URL path of a resource's collection. */
export function collectionPath({ group, version, plural, namespace }: ResourceRef): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespace === undefined || namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${plural}`;
}

/** The URL path of one object, or of one of its subresources. */
export function objectPath(resource: ResourceRef, name: string, subresource = ''): string {
  return `${collectionPath(resource)}/${encodeURIComponent(name)}${subresource === '' ? '' : `/${subresource}`}`;
}

/** For messages and logs: `deployments.apps/v1`, `configmaps/v1`. */
export function printResource({ group, version, plural }: ResourceRef): string {
  return `${group === '' ? plural : `${plural}.${group}`}/${version}`;
}
