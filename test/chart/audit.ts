import { readFileSync } from 'node:fs';
import type { AnyObject } from '../cluster/admin.ts';
import type { Cluster } from '../cluster/cluster.ts';

/** What ServiceAccounts of a namespace asked for as themselves. */
export interface Requests {
  readonly count: number;
  /** Each kind of request that was forbidden, once. */
  readonly forbidden: readonly string[];
}

/** Reads the audit log for the accounts of a namespace. */
export function requestsFrom(cluster: Cluster, namespace: string): Requests {
  const own = readFileSync(cluster.auditLog, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): AnyObject => JSON.parse(line))
    .filter(({ user, impersonatedUser }) => {
      const isOurs = user.username.startsWith(`system:serviceaccount:${namespace}:`);
      return isOurs && impersonatedUser === undefined;
    });
  const forbidden = own
    .filter(({ responseStatus }) => responseStatus?.code === 403)
    .map(({ user, verb, requestURI }) => `${user.username.split(':').at(-1)}: ${verb} ${requestURI.split('?')[0]}`);
  return { count: own.length, forbidden: [...new Set(forbidden)] };
}
