import t from 'tap';
import { faultOf } from '../../controller/settings.ts';
import { CONTROLLER } from '../../src/service/options.ts';
import { parseOptions } from '../../src/service/parse-options.ts';

const rows: readonly [title: string, args: readonly string[], fault: string | undefined][] = [
  ['the defaults', [], undefined],
  ['an account', ['--webhook-service-account', 'kro-system/webhook'], undefined],
  ['no account', ['--webhook-service-account', 'webhook'], '--webhook-service-account: expected NAMESPACE/NAME, found "webhook"'],
  ['pauses that begin longer than they end', ['--backoff-min', '10m'], '--backoff-min (10m) is more than --backoff-max (5m)'],
  [
    'a Lease that ends before its holder stops to write',
    ['--leader-election-lease-duration', '5s'],
    'leader election: expected --leader-election-lease-duration > --leader-election-renew-deadline > --leader-election-retry-period, found 5s, 10s, 2s',
  ],
  [
    'a deadline that leaves one attempt',
    ['--leader-election-retry-period', '10s'],
    'leader election: expected --leader-election-lease-duration > --leader-election-renew-deadline > --leader-election-retry-period, found 15s, 10s, 10s',
  ],
  ['times of a Lease that nobody competes for', ['--no-leader-elect', '--leader-election-lease-duration', '5s'], undefined],
];
for (const [title, args, fault] of rows) {
  t.test(title, async (t) => {
    const parsed = parseOptions({ program: 'x', about: '', options: CONTROLLER, args, environment: {} });
    if (parsed.word !== 'run') throw new Error(parsed.output);
    t.equal(faultOf(parsed.values), fault);
  });
}
