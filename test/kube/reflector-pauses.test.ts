import t from 'tap';
import type { KubeClient, ObjectMetadata, WatchEvent, WatchOptions } from '../../src/kube/client.ts';
import { ApiError, ConnectionError } from '../../src/kube/error.ts';
import { Reflector } from '../../src/kube/reflector.ts';

/** What one watch does: it lives so long, tells so many events, and ends, or breaks. */
interface Life {
  readonly milliseconds: number;
  readonly events: number;
  readonly end: 'ends' | 'breaks' | 'busy';
}

/** The pauses that a reflector makes between watches with these lives, at the shortest. */
async function pausesBetween(lives: readonly Life[]): Promise<readonly number[]> {
  let now = 0;
  const pauses: number[] = [];
  const queue = [...lives];
  const { promise: allLived, resolve: live } = Promise.withResolvers<void>();
  const metadata = { name: 'a', resourceVersion: '1' };
  const client = {
    listMetadata: async () => ({ items: [], continue: '', resourceVersion: '1' }),
    watchMetadata: async function* (_resource: unknown, { onOpen }: WatchOptions): AsyncGenerator<WatchEvent<ObjectMetadata>> {
      const life = queue.shift();
      if (life === undefined) {
        live();
        return;
      }
      if (life.end === 'busy')
        throw new ApiError({ code: 429, reason: '', message: '', causes: [], name: '', about: '', retryAfter: 1000 });
      onOpen?.();
      for (let event = 0; event < life.events; event++) yield { type: 'MODIFIED', object: { metadata } as ObjectMetadata };
      now += life.milliseconds;
      if (life.end === 'breaks') throw new ConnectionError('cut', { failure: 'cut', mayHaveRun: false });
    },
  } as unknown as KubeClient;
  const clock = {
    now: () => now,
    date: () => new Date(0),
    sleep: async (milliseconds: number) => {
      pauses.push(milliseconds);
    },
  };
  const reflector = new Reflector({
    client,
    resource: { group: '', version: 'v1', plural: 'configmaps' },
    what: { kind: 'metadata', project: () => true },
    clock,
    random: () => 0,
  });
  reflector.start();
  await allLived;
  await reflector.stop();
  return pauses.slice(0, lives.length);
}

const quiet: Life = { milliseconds: 1000, events: 0, end: 'breaks' };
const told: Life = { milliseconds: 1000, events: 1, end: 'breaks' };
const long: Life = { milliseconds: 60_000, events: 0, end: 'breaks' };
const busy: Life = { milliseconds: 0, events: 0, end: 'busy' };
const endedAtOnce: Life = { milliseconds: 0, events: 3, end: 'ends' };

const TABLE: readonly [title: string, lives: readonly Life[], pauses: readonly number[]][] = [
  ['watches that break before they tell anything', [quiet, quiet, quiet], [800, 1600, 3200]],
  ['a watch that told something begins the count anew', [quiet, quiet, told, quiet], [800, 1600, 800, 1600]],
  ['so does one that lived', [quiet, quiet, long, quiet], [800, 1600, 800, 1600]],
  ['a server that is busy after an outage is asked again soon', [quiet, quiet, quiet, quiet, busy], [800, 1600, 3200, 5000, 1000]],
  ['a server that ends watches at once, whatever it tells', [endedAtOnce, endedAtOnce, endedAtOnce], [800, 1600, 3200]],
];

for (const [title, lives, pauses] of TABLE) {
  t.test(title, async (t) => {
    t.same(await pausesBetween(lives), pauses);
  });
}
