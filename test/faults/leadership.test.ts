import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { leaseName } from '../../controller/lease-name.ts';
import type { AnyObject } from '../cluster/admin.ts';
import { useCluster } from '../support/cluster.ts';
import type { Fault, SeenRequest } from '../support/proxy.ts';
import { RELEASE } from '../support/webhook.ts';
import { isWrite, openNamespace, Process, prepareGround } from './lane.ts';
import { type Lane, Run } from './run.ts';
import { SHAPES } from './shapes.ts';
import { conclude } from './sweep.ts';

const LEASE_DURATION = 4000;
const RENEW_DEADLINE = 2500;
const RETRY_PERIOD = 500;
const FLAGS = [
  ...['--leader-election-lease-duration', `${LEASE_DURATION}ms`, '--leader-election-renew-deadline', `${RENEW_DEADLINE}ms`],
  ...['--leader-election-retry-period', `${RETRY_PERIOD}ms`, '--backoff-min', '100ms', '--backoff-max', '500ms'],
];
const LEASES = `/apis/coordination.k8s.io/v1/namespaces/${RELEASE.namespace}/leases`;
/** Each write of the leader takes so long, so that something is under way whenever it is cut off. */
const SLOW_MILLISECONDS = 150;
/** What a busy machine may add to a time that is measured here. */
const SLACK_MILLISECONDS = 300;

interface Timed {
  readonly at: number;
  readonly request: SeenRequest;
}

/** A controller whose requests are timed as they arrive. */
interface Watched {
  readonly process: Process;
  readonly requests: Timed[];
  /** What goes wrong with its requests, on top of being slow. */
  spoil: (request: SeenRequest) => Fault | undefined;
}

t.test('leadership', { timeout: 600_000 }, async (t) => {
  const use = await useCluster(t);
  const ground = await prepareGround(t, use);

  const open = async (t: Test, name: string): Promise<{ lane: Lane; leader: Watched; candidate: Watched }> => {
    const namespace = `${use.namespace}-${name}`;
    await openNamespace(t, ground, namespace);
    const args = [...FLAGS, '--watch-namespaces', namespace];
    const watch = async (who: string): Promise<Watched> => {
      const process = await Process.prepare(t, ground, { name: `${namespace}-${who}`, args });
      const watched: Watched = { process, requests: [], spoil: () => undefined };
      process.proxy.onRequest((request) => {
        watched.requests.push({ at: performance.now(), request });
        return watched.spoil(request) ?? (isWrite(request) ? { kind: 'delay', until: SLOW_MILLISECONDS } : undefined);
      });
      return watched;
    };
    const [leader, candidate] = [await watch('leader'), await watch('candidate')];
    leader.process.start();
    await untilLeading(leader);
    candidate.process.start();
    await until(() => candidate.requests.some(({ request }) => request.path.startsWith(LEASES)), 'the candidate does not compete');
    // The run is concluded by the one that takes over.
    return { lane: { admin: use.admin, namespace, controller: candidate.process, neighbours: new Map() }, leader, candidate };
  };

  const chain = SHAPES.find(({ name }) => name === 'chain');
  if (chain === undefined) throw new Error('no such shape');
  const cutOffs: readonly (readonly [string, Fault])[] = [
    ['the API server falls silent', { kind: 'silence', forward: false }],
    ['every connection breaks', { kind: 'cut', forward: false }],
    ['requests are carried out without an answer, but for the Lease', { kind: 'cut', forward: true }],
  ];
  for (const [at, [title, fault]] of cutOffs.entries()) {
    await t.test(`a leader is cut off: ${title}`, async (t) => {
      const { lane, leader, candidate } = await open(t, `cut-${at}`);
      const run = new Run(lane, chain, `chain-l${at}`);
      await run.setUp();
      await run.become(run.scenario.change);
      await until(() => writesOf(leader).length >= 5, 'the leader writes nothing');
      leader.spoil = (request) => (request.path.startsWith(LEASES) ? { kind: 'cut', forward: false } : fault);
      await untilLeading(candidate);
      const tookOver = performance.now();
      const renewed = Math.max(...renewalsOf(leader));
      const wrong = await conclude(run, () => {});
      t.same(wrong, [], 'the other brings it to its end');
      const last = Math.max(...writesOf(leader).map(({ at }) => at));
      t.ok(
        last <= renewed + RENEW_DEADLINE + SLACK_MILLISECONDS,
        `the last write starts ${Math.round(last - renewed)} ms after the last renewal`,
      );
      t.ok(last < tookOver, 'and before the other leads');
      t.same(unconditional([leader, candidate]), [], 'every write of a Graph names the version that it is about');
      leader.spoil = () => undefined;
      await leader.process.kill();
      await candidate.process.end();
    });
  }

  await t.test('a leader that is asked to end hands over at once', async (t) => {
    const { lane, leader, candidate } = await open(t, 'handover');
    const run = new Run(lane, chain, 'chain-h');
    await run.setUp();
    await run.become(run.scenario.change);
    await until(() => writesOf(leader).length >= 5, 'the leader writes nothing');
    const code = await leader.process.end();
    const ended = performance.now();
    t.equal(code, 0, 'it ends well');
    await untilLeading(candidate);
    const waited = performance.now() - ended;
    t.ok(waited < 2 * RETRY_PERIOD + 2 * SLOW_MILLISECONDS + SLACK_MILLISECONDS, `the other leads ${Math.round(waited)} ms later`);
    const last = Math.max(...writesOf(leader).map(({ at }) => at));
    const first = Math.min(...writesOf(candidate).map(({ at }) => at), performance.now());
    t.ok(last < first, 'the two never write at the same time');
    t.same(await conclude(run, () => {}), [], 'the other brings it to its end');
    await candidate.process.end();
    const name = leaseName({ shardSelector: '', watchNamespaces: [lane.namespace] });
    const lease = await use.admin.get(`${LEASES}/${name}`);
    t.equal(lease?.['spec'].holderIdentity ?? '', '', 'the Lease is given back');
    t.ok(lease, name);
  });
});

function writesOf({ requests }: Watched): Timed[] {
  return requests.filter(({ request }) => isWrite(request));
}

/** When the renewals that succeeded were sent. */
function renewalsOf({ requests }: Watched): number[] {
  return requests
    .filter(({ request }) => request.path.startsWith(LEASES) && request.method !== 'GET' && (request.status ?? 500) < 300)
    .map(({ at }) => at);
}

/** Writes of Graphs that would overwrite what they have not seen. */
function unconditional(controllers: readonly Watched[]): string[] {
  return controllers
    .flatMap(writesOf)
    .filter(({ request }) => request.path.includes('/graphs/'))
    .filter(({ request }) => (JSON.parse(request.body) as AnyObject)['metadata']?.resourceVersion === undefined)
    .map(({ request }) => `${request.method} ${request.path}`);
}

async function untilLeading({ process }: Watched): Promise<void> {
  await until(() => process.log.some((line) => line['msg'] === 'leading'), 'nobody takes the lead');
}

async function until(isSo: () => boolean, otherwise: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(otherwise);
    await sleep(50);
  }
}
