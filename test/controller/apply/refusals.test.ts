import t from 'tap';
import { Refusals, type RefusedUpdate } from '../../../controller/apply/refusals.ts';
import type { Trouble } from '../../../src/runtime/outcome.ts';

const update: RefusedUpdate = { key: 'x', digest: 'd', resourceVersion: '5' };
const forbidden: Trouble = { reason: 'ApplyFailed', message: 'forbidden', mayHeal: true };
const invalid: Trouble = { reason: 'ApplyFailed', message: 'invalid' };

t.test('what others may mend is tried again ever more seldom, up to 5 minutes', (t) => {
  const refusals = new Refusals();
  const waits: (number | undefined)[] = [];
  for (let turn = 0, now = 0; turn < 11; turn++) {
    t.equal(refusals.counts(update, now), undefined);
    refusals.note(update, forbidden, now);
    t.same(refusals.counts(update, now), forbidden);
    const wait = refusals.again(update.key, now);
    waits.push(wait);
    now += wait ?? 0;
  }
  t.same(waits, [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]);
  t.end();
});

t.test('what is wrong with the object brings no turn, and is not tried at every other one', (t) => {
  const refusals = new Refusals();
  refusals.note(update, invalid, 0);
  t.equal(refusals.again(update.key, 0), undefined);
  t.same(refusals.counts(update, 59_999), invalid);
  t.equal(refusals.counts(update, 60_000), undefined);
  t.end();
});

t.test('another manifest, and another version of the object, are tried at once', (t) => {
  const refusals = new Refusals();
  refusals.note(update, forbidden, 0);
  t.equal(refusals.counts({ ...update, digest: 'other' }, 1), undefined);
  t.equal(refusals.counts({ ...update, resourceVersion: '6' }, 1), undefined);
  t.equal(refusals.counts({ ...update, resourceVersion: undefined }, 1), undefined);
  refusals.note({ ...update, digest: 'other' }, forbidden, 1);
  t.equal(refusals.again(update.key, 1), 1000);
  refusals.forget(update.key);
  t.equal(refusals.again(update.key, 1), undefined);
  t.end();
});
