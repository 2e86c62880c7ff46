import t, { type Test } from 'tap';
import type { LiveRecord } from '../../../controller/watch/record.ts';
import { scopeKey, WatchPool, type WatchScope } from '../../../controller/watch/reflectors.ts';
import { Subscriptions, type WatchSession } from '../../../controller/watch/subscriptions.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { stubClient } from '../../support/stub-client.ts';

const scope = { group: '', version: 'v1', plural: 'configmaps', namespace: 'n' };
const place = { scope, scopeKey: scopeKey(scope), key: 'n/x' };

function version(resourceVersion: string): LiveRecord {
  return {
    uid: 'u',
    resourceVersion,
    isDeleting: false,
    managers: [],
    marks: new Map(),
    isPartOfApplySet: false,
    isRetained: false,
    wave: undefined,
    labels: undefined,
  };
}

function subscribed(t: Test, wake: (graph: string) => void): Subscriptions {
  const listener = { changed: () => {}, stateChanged: () => {}, renewed: () => {} };
  const servedVersion = ({ version: own }: WatchScope): string => own;
  const pool = new WatchPool({ client: stubClient({}), clock: fakeClock(), random: () => 0, listener, servedVersion });
  t.teardown(() => pool.stop());
  return new Subscriptions(pool, wake);
}

/** One Graph that looks at the object `x`; its watch tells what the test says. */
function graph(t: Test): { turn(act: (session: WatchSession) => void): void; tell(resourceVersion: string): void; wakes(): number } {
  let wakes = 0;
  const subscriptions = subscribed(t, () => wakes++);
  return {
    turn(act) {
      const session = subscriptions.begin('g');
      session.object(place);
      act(session);
      session.commit();
    },
    tell: (resourceVersion) =>
      subscriptions.changed({ scope: place.scopeKey, key: place.key, before: undefined, after: version(resourceVersion) }),
    wakes: () => wakes,
  };
}

t.test('an own write that comes back, during the turn or after it, wakes nobody', (t) => {
  const { turn, tell, wakes } = graph(t);
  turn((session) => {
    session.dealt(place, 't', '');
    session.dealt(place, 't', '5');
    tell('5');
  });
  tell('5');
  t.equal(wakes(), 0);
  tell('6');
  t.equal(wakes(), 1);
  t.end();
});

t.test("a node's write wakes the Graph once where another node dealt with the object before it", (t) => {
  const { turn, tell, wakes } = graph(t);
  turn((session) => {
    session.dealt(place, 't', '5');
    session.dealt(place, 'p', '6');
    tell('5');
    tell('6');
  });
  t.equal(wakes(), 1);
  turn((session) => {
    session.dealt(place, 't', '6');
    session.dealt(place, 'p', '6');
  });
  tell('6');
  t.equal(wakes(), 1);
  t.end();
});

t.test('a node that is gone holds no version back, so that the release of what it gave wakes those alone that still look', (t) => {
  const { turn, tell, wakes } = graph(t);
  turn((session) => {
    session.dealt(place, 'p', '5');
  });
  turn((session) => {
    session.dealt(place, 'wrote', '6');
    tell('6');
  });
  t.equal(wakes(), 0);
  turn((session) => {
    session.dealt(place, 't', '6');
    session.dealt(place, 'wrote', '7');
    tell('7');
  });
  t.equal(wakes(), 1);
  t.end();
});

t.test('an object that the turn looked at and nobody dealt with wakes at every change', (t) => {
  const { turn, tell, wakes } = graph(t);
  turn((session) => session.dealt(place, 't', '5'));
  turn(() => {});
  tell('5');
  t.equal(wakes(), 1);
  t.end();
});

/** One Graph that reads the object `x` and a list of all objects; the list was read when it held `a`. */
function lister(t: Test) {
  const wakes: string[] = [];
  const subscriptions = subscribed(t, (graph) => wakes.push(graph));
  const session = subscriptions.begin('g');
  session.object(place);
  const { list } = session.selector(scope, 'all', { query: '', matches: () => true });
  list.isStale = false;
  list.versions = new Map([['n/a', '1']]);
  return { subscriptions, session, list, wakes };
}

t.test('a list becomes stale also when a change of another object during the same turn is news already', (t) => {
  const { subscriptions, session, list, wakes } = lister(t);
  session.dealt(place, 't', '5');
  list.versions = new Map([
    ['n/a', '1'],
    ['n/x', '6'],
  ]);
  subscriptions.changed({ scope: place.scopeKey, key: 'n/x', before: version('5'), after: version('6') });
  subscriptions.changed({ scope: place.scopeKey, key: 'n/a', before: version('1'), after: undefined });
  session.commit();
  t.equal(list.isStale, true);
  t.same(wakes, ['g']);
  t.end();
});

t.test('a watch that began anew makes its lists stale and wakes its Graphs: it cannot tell what went meanwhile', (t) => {
  const { subscriptions, session, list, wakes } = lister(t);
  session.commit();
  subscriptions.renewed(scopeKey({ ...scope, plural: 'secrets' }));
  t.equal(list.isStale, false);
  t.same(wakes, []);
  subscriptions.renewed(place.scopeKey);
  t.equal(list.isStale, true);
  t.same(wakes, ['g']);
  t.end();
});
