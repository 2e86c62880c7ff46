import { applierUser } from '../src/api/names.ts';
import { printDuration, type ValuesOf } from '../src/service/option.ts';
import type { CONTROLLER } from '../src/service/options.ts';

type Settings = ValuesOf<typeof CONTROLLER>;

/** What is wrong with the options together; undefined: nothing. */
export function faultOf(settings: Settings): string | undefined {
  const { webhookServiceAccount, backoffMin, backoffMax } = settings;
  if (webhookServiceAccount !== '' && readUser(webhookServiceAccount) === undefined) {
    return `--webhook-service-account: expected NAMESPACE/NAME, found "${webhookServiceAccount}"`;
  }
  if (backoffMin > backoffMax)
    return `--backoff-min (${printDuration(backoffMin)}) is more than --backoff-max (${printDuration(backoffMax)})`;
  return settings.noLeaderElect ? undefined : faultOfElection(settings);
}

/** A holder must have stopped before another may begin (graph.md 8.5), and have tried more than once. */
function faultOfElection(settings: Settings): string | undefined {
  const times = [settings.leaderElectionLeaseDuration, settings.leaderElectionRenewDeadline, settings.leaderElectionRetryPeriod] as const;
  const [duration, deadline, period] = times;
  if (duration > deadline && deadline > period) return undefined;
  return `leader election: expected --leader-election-lease-duration > --leader-election-renew-deadline > --leader-election-retry-period, found ${times.map(printDuration).join(', ')}`;
}

/** The user that `NAMESPACE/NAME` stands for. */
export function readUser(account: string): string | undefined {
  const [, namespace, name] = /^([^/]+)\/([^/]+)$/.exec(account) ?? [];
  return namespace === undefined ? undefined : applierUser(namespace, name);
}
