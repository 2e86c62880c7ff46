import { readFileSync } from 'node:fs';
import { test } from 'tap';
import { runSpecTest } from './run.ts';
import { applicableTests } from './spec-tests.ts';

const exceptions = JSON.parse(readFileSync(new URL('./exceptions.json', import.meta.url), 'utf8')) as Record<string, string>;
const data = applicableTests();

test('of the 2344 tests of cel-spec, 1597 apply to this engine', async (t) => {
  t.equal(data.tests.length, 1597);
  t.strictSame([data.protobuf, data.block, data.unchecked], [694, 25, 28]);
});

test('every applicable test of cel-spec passes, but for the listed exceptions', async (t) => {
  const failed = data.tests.flatMap((each) => {
    const problem = runSpecTest(each);
    return problem === undefined ? [] : [{ id: each.id, problem }];
  });
  t.strictSame(
    failed.filter(({ id }) => exceptions[id] === undefined),
    [],
    'nothing fails that is no exception',
  );
  const failing = new Set(failed.map(({ id }) => id));
  t.strictSame(
    Object.keys(exceptions).filter((id) => !failing.has(id)),
    [],
    'no exception passes: take it off the list',
  );
  t.ok(Object.keys(exceptions).length <= 8);
});
