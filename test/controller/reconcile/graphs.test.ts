import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { GraphStore } from '../../../controller/reconcile/graphs.ts';
import type { KubeObject } from '../../../src/api/object.ts';
import type { WatchEvent, WatchOptions } from '../../../src/kube/client.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { stubClient } from '../../support/stub-client.ts';

function graph(uid: string, resourceVersion: string): KubeObject {
  const metadata = { namespace: 'n', name: 'g', uid, resourceVersion };
  return { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata, spec: { nodes: [] } };
}

/** A store whose watch tells what the test says, and the keys that it woke. */
async function storeOf(t: Test, listed: readonly KubeObject[]) {
  const woken: string[] = [];
  const events: WatchEvent[] = [];
  const told = new EventTarget();
  const client = stubClient({
    list: async () => ({ items: listed, continue: '', resourceVersion: '1' }),
    watch: async function* (_resource: unknown, { onOpen, signal }: WatchOptions): AsyncGenerator<WatchEvent> {
      onOpen?.();
      while (!signal?.aborted) {
        yield* events.splice(0);
        await Promise.race([once(told, 'told'), ...(signal === undefined ? [] : [once(signal, 'abort')])]);
      }
    },
  });
  const nothing = (): void => {};
  const options = { client, clock: fakeClock(), random: () => 0, namespaces: [], labelSelector: '', onState: nothing, onWatchEnd: nothing };
  const store = new GraphStore({ ...options, changed: (key) => woken.push(key) });
  store.start();
  t.teardown(() => store.stop());
  const tell = async (event: WatchEvent): Promise<void> => {
    events.push(event);
    told.dispatchEvent(new Event('told'));
    for (let turns = 0; turns < 10; turns++) await turn();
  };
  for (let turns = 0; turns < 10; turns++) await turn();
  return { store, tell, woken: () => woken.splice(0) };
}

t.test('of a Graph whose end is told before the answer to its last write nothing is kept: another of its name is news', async (t) => {
  const { store, tell, woken } = await storeOf(t, [graph('u1', '100')]);
  t.same(woken(), ['n/g']);
  store.begin('n/g');
  store.dealt('n/g', '100');
  await tell({ type: 'DELETED', object: graph('u1', '101') });
  // The answer to the write that removed the finalizer comes late.
  store.dealt('n/g', '100');
  store.end('n/g');
  t.same(woken(), ['n/g']);
  // As after a restore of the cluster's store, versions begin anew.
  await tell({ type: 'ADDED', object: graph('u2', '50') });
  t.same(woken(), ['n/g']);
});
