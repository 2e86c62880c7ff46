import type { Requester } from '../decode.ts';
import type { ClusterView, Subject } from './check.ts';

/** A ServiceAccount as the API server would authenticate it. */
export function accountUser(namespace: string, name: string): Requester {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    uid: '',
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    extra: {},
  };
}

/** Whether who writes the Graph could act as its ServiceAccount anyway: since it may impersonate it, or since it is that very account. */
export async function mayImpersonate(
  { requester, namespace, account }: Subject,
  cluster: ClusterView,
  signal: AbortSignal,
): Promise<boolean> {
  if (requester.username === accountUser(namespace, account).username) return true;
  const action = { verb: 'impersonate', group: '', resource: 'serviceaccounts', subresource: '', namespace, name: account };
  return cluster.isAllowed(requester, action, signal);
}
