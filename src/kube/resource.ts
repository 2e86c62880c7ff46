import { isUrlSegment } from '../api/object.ts';
import { ApiError } from './error.ts';

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
  const scope = namespace === undefined || namespace === '' ? '' : `/namespaces/${segment(namespace, 'metadata.namespace')}`;
  return `${root}${scope}/${plural}`;
}

/** The URL path of one object, or of one of its subresources; a name that would lead elsewhere is refused as the server refuses it. */
export function objectPath(resource: ResourceRef, name: string, subresource = ''): string {
  return `${collectionPath(resource)}/${segment(name, 'metadata.name')}${subresource === '' ? '' : `/${subresource}`}`;
}

/** For messages and logs: `deployments.apps/v1`, `configmaps/v1`. */
export function printResource({ group, version, plural }: ResourceRef): string {
  return `${group === '' ? plural : `${plural}.${group}`}/${version}`;
}

/** A DELETE of the empty name would mean the whole collection, and `a/status` another resource: both come from rendered manifests. */
function segment(name: string, field: string): string {
  if (name !== '' && isUrlSegment(name)) return encodeURIComponent(name);
  const message = name === '' ? `${field} is empty` : `${field}: "${name}" may not be "." or "..", nor contain "/" or "%"`;
  const causes = [{ type: name === '' ? 'FieldValueRequired' : 'FieldValueInvalid', field, message }];
  throw new ApiError({ code: 422, reason: 'Invalid', message, causes, name, about: '', retryAfter: undefined });
}
