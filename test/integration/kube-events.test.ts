import t from 'tap';
import { AccessReviews } from '../../src/kube/access.ts';
import { systemClock } from '../../src/kube/clock.ts';
import { isForbidden } from '../../src/kube/error.ts';
import { EventRecorder } from '../../src/kube/events.ts';
import { whoAmI } from '../../src/kube/identity.ts';
import { useCluster } from '../support/cluster.ts';
import { useClient } from '../support/kube.ts';

t.test('Events, rights and identity on a real API server', async (t) => {
  const cluster = await useCluster(t);
  const { namespace } = cluster;
  const client = useClient(t, cluster.kubeconfig);
  const events = { group: 'events.k8s.io', version: 'v1', plural: 'events', namespace };

  await t.test('what repeats becomes one series with a count; kubectl shows it', async (t) => {
    const dropped: unknown[] = [];
    const recorder = new EventRecorder({
      client,
      controller: 'kro.run/graph-controller',
      instance: 'test',
      clock: systemClock,
      random: Math.random,
      onDropped: (reason, error) => dropped.push(reason, error),
    });
    const graph = {
      group: 'kro.run',
      version: 'v1alpha1',
      kind: 'Graph',
      namespace,
      name: 'shop',
      uid: 'b7c1e2f0-0000-4000-8000-000000000001',
    };
    const applied = { type: 'Normal', reason: 'Applied', action: 'Apply', note: 'applied 3 objects' } as const;
    for (let times = 0; times < 5; times += 1) recorder.record(graph, applied);
    recorder.record(graph, { type: 'Warning', reason: 'Denied', action: 'Apply', note: `${'é'.repeat(2000)}` });
    await recorder.stop(AbortSignal.timeout(10_000));
    t.same(dropped, []);
    const { items } = await client.list(events, { fieldSelector: 'regarding.name=shop' });
    t.same(items.map((event) => [event['reason'], event['type'], (event['series'] as { count: number } | undefined)?.count]).toSorted(), [
      ['Applied', 'Normal', 5],
      ['Denied', 'Warning', undefined],
    ]);
    t.match(
      await cluster.kubectl(['get', 'events', '--field-selector', 'involvedObject.name=shop']),
      /Applied .*graph\/shop .*applied 3 objects/,
    );
  });

  await t.test('an Event that is refused is dropped and told', async (t) => {
    const dropped: unknown[] = [];
    const stranger = client.as(`system:serviceaccount:${namespace}:default`);
    const options = { client: stranger, controller: 'kro.run/graph-controller', instance: 'test', clock: systemClock, random: Math.random };
    const recorder = new EventRecorder({ ...options, onDropped: (reason, error) => dropped.push([reason, isForbidden(error)]) });
    const subject = { group: '', version: 'v1', kind: 'Namespace', namespace: '', name: 'x', uid: 'u' };
    recorder.record(subject, { type: 'Normal', reason: 'A', action: 'A', note: '' });
    await recorder.stop(AbortSignal.timeout(10_000));
    t.same(dropped, [['error', true]]);
  });

  await t.test('asks what a user may do, as that user and about it', async (t) => {
    const reviews = new AccessReviews(client, systemClock);
    const user = `system:serviceaccount:${namespace}:default`;
    const question = { verb: 'list', group: '', plural: 'configmaps', namespace };
    t.equal(await reviews.can(undefined, question), true);
    t.equal(await reviews.can(user, question), false);
    await cluster.kubectl(['create', 'rolebinding', 'viewer', '--clusterrole=view', `--serviceaccount=${namespace}:default`]);
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
    await cluster.admin.waitFor(
      `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings/viewer`,
      (binding) => binding !== undefined,
    );
    const allowed = await askUntil(() => new AccessReviews(client, systemClock).can(user, question));
    t.equal(allowed, true);
    t.equal(await reviews.canSubject({ user, groups }, question), true);
    t.equal(await reviews.canSubject({ user, groups }, { ...question, verb: 'delete' }), false);
  });

  await t.test('knows who it is, and that it may not be another', async (t) => {
    t.match(await whoAmI(client), { user: 'admin', groups: ['system:masters', 'system:authenticated'] });
    const account = { namespace, name: 'nobody' };
    const stranger = useClient(t, await cluster.kubeconfigFor(account));
    t.match(await whoAmI(stranger), { user: `system:serviceaccount:${namespace}:nobody` });
    const error = await stranger
      .as(`system:serviceaccount:${namespace}:default`)
      .get({ group: '', version: 'v1', plural: 'configmaps', namespace, name: 'a' })
      .catch((refused: unknown) => refused);
    t.ok(isForbidden(error) && error.message.includes(' cannot impersonate'));
    const plain = await stranger
      .get({ group: '', version: 'v1', plural: 'configmaps', namespace, name: 'a' })
      .catch((refused: unknown) => refused);
    t.ok(isForbidden(plain) && !plain.message.includes(' cannot impersonate'));
  });
});

/** RBAC is read from the API server's own watch: a binding counts a moment after it is written. */
async function askUntil(ask: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) if (await ask()) return true;
  return false;
}
