import t from 'tap';
import type { LoadedSchemas } from '../../src/kube/schemas.ts';
import { snapshotOf } from '../../src/schema/bundle.ts';
import { createSchemas } from '../../webhook/catalog-schemas.ts';
import { fakeClock } from '../support/fake-clock.ts';

const NOTHING_SERVED: LoadedSchemas['served'] = {
  resources: [],
  kinds: [],
  find: () => undefined,
  versions: () => [],
  isUnavailable: () => false,
};
const gear = { group: 'lab.example.com', version: 'v1', kind: 'Gear' };

/** What a catalog answers that knows of no kind but says so much of some. */
function answer(rest: Partial<LoadedSchemas>): LoadedSchemas {
  return { snapshot: snapshotOf([], []), bundles: [], served: NOTHING_SERVED, unavailable: [], lagging: [], missing: [], ...rest };
}

t.test('a schema that is not published yet is waited for, a while, and not again and again', async (t) => {
  const clock = fakeClock();
  let looks = 0;
  let publishedAt = Number.POSITIVE_INFINITY;
  const load = async (): Promise<LoadedSchemas> => {
    looks++;
    return answer({ lagging: clock.now() < publishedAt ? [gear] : [] });
  };
  const schemas = createSchemas({ catalog: { load }, clock, isSettling: () => false, patience: 1000 });
  const ask = async (milliseconds: number): Promise<number> => {
    looks = 0;
    const asked = schemas.load([gear], new AbortController().signal);
    await clock.advance(milliseconds);
    await asked;
    return looks;
  };
  publishedAt = clock.now() + 250;
  t.equal(await ask(400), 3, 'it came in time');
  t.equal(await ask(0), 1, 'what is there is not waited for');
  publishedAt = Number.POSITIVE_INFINITY;
  t.equal(await ask(1000), 5, 'it did not come');
  t.equal(await ask(0), 1, 'nobody waits for it any more');
  await clock.advance(60_000);
  t.equal(await ask(1000), 5, 'later somebody does');
});

t.test('a kind that is not served is waited for only where its group has just changed', async (t) => {
  for (const [isSettling, looks] of [
    [true, 5],
    [false, 1],
  ] as const) {
    const clock = fakeClock();
    let count = 0;
    const load = async (): Promise<LoadedSchemas> => {
      count++;
      return answer({ missing: [gear] });
    };
    const schemas = createSchemas({ catalog: { load }, clock, isSettling: (group) => isSettling && group === gear.group, patience: 1000 });
    const asked = schemas.load([gear], new AbortController().signal);
    await clock.advance(1000);
    await asked;
    t.equal(count, looks);
  }
});

t.test('nobody waits longer than the signal', async (t) => {
  const clock = fakeClock();
  const ended = new AbortController();
  const load = async (): Promise<LoadedSchemas> => answer({ lagging: [gear] });
  const schemas = createSchemas({ catalog: { load }, clock, isSettling: () => false, patience: 1000 });
  const asked = schemas.load([gear], ended.signal);
  ended.abort(new Error('the deadline'));
  await t.rejects(asked, /the deadline/);
});
