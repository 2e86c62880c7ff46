import t, { type Test } from 'tap';
import type { LiveRecord } from '../../../controller/watch/record.ts';
import { scopeKey, WatchPool, type WatchScope } from '../../../controller/watch/reflectors.ts';
import { Subscriptions, type WatchSession } from '../../../controller/watch/subscriptions.ts';
import { readSelector } from '../../../src/engine/selector.ts';
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

/** One Graph that looks at the object `x`; its watch tells what the test says. */
function graph(t: Test): {
  turn(act: (session: WatchSession) => void): void;
  tell(resourceVersion: string): void;
  renew(): void;
  wakes(): number;
} {
  let wakes = 0;
  const listener = { changed: () => {}, stateChanged: () => {}, renewed: () => {} };
  const servedVersion = ({ version: own }: WatchScope): string => own;
  const pool = new WatchPool({ client: stubClient({}), clock: fakeClock(), random: () => 0, listener, servedVersion });
  t.teardown(() => pool.stop());
  const subscriptions = new Subscriptions(pool, () => wakes++);
  return {
    turn(act) {
      const session = subscriptions.begin('g');
      session.object(place);
      act(session);
      session.commit();
    },
    tell: (resourceVersion) =>
      subscriptions.changed({ scope: place.scopeKey, key: place.key, before: undefined, after: version(resourceVersion) }),
    renew: () => subscriptions.renewed(place.scopeKey),
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

t.test('after a watch began anew a list is read again: what went meanwhile is not told', (t) => {
  const { turn, renew, wakes } = graph(t);
  const selector = readSelector({ matchLabels: { app: 'x' } });
  if (typeof selector === 'string') throw new Error(selector);
  const read = (session: WatchSession): boolean => {
    const { list } = session.selector(scope, 'ref', selector);
    const { isStale } = list;
    list.isStale = false;
    return isStale;
  };
  const seen: boolean[] = [];
  turn((session) => seen.push(read(session)));
  turn((session) => seen.push(read(session)));
  renew();
  turn((session) => seen.push(read(session)));
  t.same(seen, [true, false, true]);
  t.equal(wakes(), 1);
  t.end();
});
