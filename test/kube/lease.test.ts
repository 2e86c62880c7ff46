import t from 'tap';
import type { KubeObject } from '../../src/api/object.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { ApiError, ConnectionError } from '../../src/kube/error.ts';
import { Election } from '../../src/kube/lease.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { stubClient } from '../support/stub-client.ts';

const refuse = (code: number, reason: string): ApiError =>
  new ApiError({ code, reason, message: reason, causes: [], name: 'lease', about: 'leases', retryAfter: undefined });
const timing = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 };

/** One Lease in the memory of this test, with the optimistic locking of the real one. */
const makeLease = () => {
  let live: KubeObject | undefined;
  let version = 0;
  const store = (manifest: unknown): KubeObject => {
    version += 1;
    const { metadata, ...rest } = manifest as KubeObject;
    live = { ...rest, metadata: { ...metadata, resourceVersion: String(version) } } as KubeObject;
    return live;
  };
  const holder = (): unknown => (live?.['spec'] as { holderIdentity?: string } | undefined)?.holderIdentity;
  const client = (isAway: () => boolean): KubeClient => {
    const reach = (): void => {
      if (isAway()) throw new ConnectionError('away', { failure: 'unreachable', mayHaveRun: false });
    };
    return stubClient({
      get: async () => {
        reach();
        if (live === undefined) throw refuse(404, 'NotFound');
        return live;
      },
      create: async (_resource, manifest) => {
        reach();
        if (live !== undefined) throw refuse(409, 'AlreadyExists');
        return { object: store(manifest), isCreated: true, warnings: [] };
      },
      replace: async (_object, manifest) => {
        reach();
        if ((manifest as KubeObject).metadata.resourceVersion !== live?.metadata.resourceVersion) throw refuse(409, 'Conflict');
        return { object: store(manifest), isCreated: false, warnings: [] };
      },
    });
  };
  return { client, holder };
};

interface Candidate {
  readonly election: Election;
  readonly changes: boolean[];
  readonly stop: AbortController;
  readonly run: Promise<void>;
  isAway: boolean;
}

const candidate = (lease: ReturnType<typeof makeLease>, identity: string, clock: FakeClock): Candidate => {
  const changes: boolean[] = [];
  const stop = new AbortController();
  const self: { isAway: boolean } = { isAway: false };
  const client = lease.client(() => self.isAway);
  const onChange = (isHeld: boolean): number => changes.push(isHeld);
  const election = new Election({ client, namespace: 'n', name: 'lease', identity, timing, clock, random: () => 0, onChange });
  return Object.assign(self, { election, changes, stop, run: election.run(stop.signal) });
};

t.test('the first becomes the holder and stays it; the second waits', async (t) => {
  const [lease, clock] = [makeLease(), fakeClock()];
  const a = candidate(lease, 'a', clock);
  await clock.advance(0);
  const b = candidate(lease, 'b', clock);
  await clock.advance(120_000);
  t.same([a.election.isHeld(), b.election.isHeld(), a.changes, b.changes], [true, false, [true], []]);
});

t.test('a holder that cannot renew is none after its deadline; the rival begins only after the lease expired', async (t) => {
  const [lease, clock] = [makeLease(), fakeClock()];
  const a = candidate(lease, 'a', clock);
  await clock.advance(0);
  const tenure = await a.election.tenure(AbortSignal.timeout(1000));
  const b = candidate(lease, 'b', clock);
  await clock.advance(1000);
  a.isAway = true;
  await clock.advance(8999 - 1000);
  t.equal(tenure.isHeld(), true);
  await clock.advance(1002);
  t.same([tenure.isHeld(), tenure.signal.aborted, b.election.isHeld()], [false, true, false]);
  await clock.advance(4000);
  t.equal(b.election.isHeld(), false, 'it has seen the lease for less than its duration');
  await clock.advance(3000);
  t.equal(b.election.isHeld(), true);
  a.isAway = false;
  await clock.advance(10_000);
  t.same([a.election.isHeld(), a.changes], [false, [true, false]]);
});

t.test('whether it holds is judged by the clock, not by a timer that is late', async (t) => {
  let now = 1000;
  const waiting: (() => void)[] = [];
  const stalled = { now: () => now, date: () => new Date(0), sleep: () => new Promise<void>((resolve) => waiting.push(resolve)) };
  const election = new Election({
    client: makeLease().client(() => false),
    namespace: 'n',
    name: 'lease',
    identity: 'a',
    timing,
    clock: stalled,
    random: () => 0,
  });
  const stop = new AbortController();
  const run = election.run(stop.signal);
  const tenure = await election.tenure(AbortSignal.timeout(1000));
  now += 9999;
  t.equal(tenure.isHeld(), true);
  now += 2;
  t.same([tenure.isHeld(), election.isHeld(), tenure.signal.aborted], [false, false, false]);
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  for (const wake of waiting) wake();
  await run;
});

t.test('clocks that differ do not matter: a lease counts from when it was first seen', async (t) => {
  const lease = makeLease();
  const [early, late] = [fakeClock(), fakeClock()];
  await late.advance(3_600_000);
  candidate(lease, 'a', early);
  await early.advance(0);
  const b = candidate(lease, 'b', late);
  await late.advance(14_000);
  t.equal(b.election.isHeld(), false);
  await early.advance(2000);
  await late.advance(14_000);
  t.equal(b.election.isHeld(), false, 'it was renewed meanwhile');
  await late.advance(6000);
  t.equal(b.election.isHeld(), true, 'and then was not');
});

t.test('what is released is taken at once', async (t) => {
  const [lease, clock] = [makeLease(), fakeClock()];
  const a = candidate(lease, 'a', clock);
  await clock.advance(0);
  const b = candidate(lease, 'b', clock);
  await clock.advance(1000);
  a.stop.abort();
  await a.run;
  t.equal(lease.holder(), '');
  await clock.advance(2000);
  t.equal(b.election.isHeld(), true);
});

t.test('a holder that finds another there loses at once', async (t) => {
  const [lease, clock] = [makeLease(), fakeClock()];
  const a = candidate(lease, 'a', clock);
  await clock.advance(0);
  const client = lease.client(() => false);
  const ref = { group: '', version: '', plural: '', name: 'lease' };
  const live = await client.get(ref);
  await client.replace(ref, { ...live, spec: { holderIdentity: 'thief', leaseDurationSeconds: 15 } });
  await clock.advance(4100);
  t.same([a.election.isHeld(), a.changes, a.election.holder], [false, [true, false], 'thief']);
});

t.test('waiting for a tenure can be given up', async (t) => {
  const election = new Election({
    client: makeLease().client(() => false),
    namespace: 'n',
    name: 'lease',
    identity: 'a',
    timing,
    clock: fakeClock(),
    random: () => 0,
  });
  await t.rejects(election.tenure(AbortSignal.abort(new Error('enough'))), { message: 'enough' });
});

t.test('a tenure counts from before the request that won it, however long the answer took', async (t) => {
  const clock = fakeClock();
  const fast = makeLease().client(() => false);
  let isSlow = true;
  const client: KubeClient = stubClient({
    get: (ref) => fast.get(ref),
    create: async (resource, manifest) => {
      await clock.sleep(4000);
      return fast.create(resource, manifest);
    },
    replace: async (ref, manifest) => {
      if (isSlow) throw new ConnectionError('away', { failure: 'timeout', mayHaveRun: true });
      return fast.replace(ref, manifest);
    },
  });
  const stop = new AbortController();
  const election = new Election({ client, namespace: 'n', name: 'lease', identity: 'a', timing, clock, random: () => 0 });
  const run = election.run(stop.signal);
  await clock.advance(4000);
  t.equal(election.isHeld(), true);
  await clock.advance(5999);
  t.equal(election.isHeld(), true);
  await clock.advance(2);
  t.equal(election.isHeld(), false);
  isSlow = false;
  stop.abort();
  await run;
});
