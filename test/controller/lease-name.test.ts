import t from 'tap';
import { leaseName, type Share } from '../../controller/lease-name.ts';

const share = (shardSelector: string, ...watchNamespaces: readonly string[]): Share => ({ shardSelector, watchNamespaces });

t.test('who works on all Graphs competes for the Lease that operators know', async (t) => {
  t.equal(leaseName(share('')), 'kro-graph-controller');
});

t.test('shares that differ have Leases that differ', async (t) => {
  const shares = [
    share(''),
    share('shard=a'),
    share('shard=b'),
    share('', 'a'),
    share('', 'b'),
    share('', 'a', 'b'),
    share('shard=a', 'a'),
  ];
  t.equal(new Set(shares.map(leaseName)).size, shares.length);
  for (const name of shares.map(leaseName)) t.match(name, /^kro-graph-controller(-[0-9a-f]{12})?$/);
});

t.test('the order of namespaces, and one that is named twice, make no other share', async (t) => {
  t.equal(leaseName(share('', 'b', 'a', 'b')), leaseName(share('', 'a', 'b')));
});
