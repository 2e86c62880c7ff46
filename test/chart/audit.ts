import { readFileSync } from 'node:fs';
import type { AnyObject } from '../cluster/admin.ts';
import type { Cluster } from '../cluster/cluster.ts';

/** Each kind of request that ServiceAccounts of a namespace made as themselves and were forbidden, once. */
export function forbiddenTo(cluster: Cluster, namespace: string): string[] {
  const refused = readFileSync(cluster.auditLog, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): AnyObject => JSON.parse(line))
    .filter(({ user, impersonatedUser, responseStatus }) => {
      const isOurs = user.username.startsWith(`system:serviceaccount:${namespace}:`);
      return isOurs && impersonatedUser === undefined && responseStatus?.code === 403;
    })
    .map(({ user, verb, requestURI }) => `${user.username.split(':').at(-1)}: ${verb} ${requestURI.split('?')[0]}`);
  return [...new Set(refused)];
}
