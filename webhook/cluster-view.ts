import { LRUCache } from 'lru-cache';
import type { AccessReviews } from '../src/kube/access.ts';
import type { KubeClient } from '../src/kube/client.ts';
import { isNamespaceNotFound, isObjectNotFound } from '../src/kube/error.ts';
import type { ClusterView } from './checks/check.ts';

const SEEN_MILLISECONDS = 30_000;
const MOST_ACCOUNTS = 10_000;

/** Today's cluster as checks see it: access reviews, and ServiceAccounts of which one that was seen is believed for 30 s. */
export function createClusterView(client: KubeClient, access: AccessReviews): ClusterView {
  const seen = new LRUCache<string, true>({ max: MOST_ACCOUNTS, ttl: SEEN_MILLISECONDS });
  return {
    isAllowed: ({ username, uid, groups, extra }, { verb, group, resource, subresource, namespace, name }, signal) =>
      access.canSubject(
        { user: username, uid, groups, extra },
        { verb, group, plural: resource, subresource: subresource || undefined, namespace, name },
        signal,
      ),
    accountExists: async (namespace, name, signal) => {
      const key = `${namespace}/${name}`;
      if (seen.has(key)) return true;
      const ref = { group: '', version: 'v1', plural: 'serviceaccounts', namespace, name };
      try {
        await client.getMetadata(ref, { signal });
      } catch (error) {
        if (isObjectNotFound(error, ref) || isNamespaceNotFound(error, namespace)) return false;
        throw error;
      }
      seen.set(key, true);
      return true;
    },
  };
}
