import { Registry } from 'prom-client';
import t from 'tap';
import { Controller } from '../../controller/controller.ts';
import { createLog } from '../../src/service/log.ts';
import { CONTROLLER } from '../../src/service/options.ts';
import { parseOptions } from '../../src/service/parse-options.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { stubClient } from '../support/stub-client.ts';

t.test('what reconciles write is fenced at the last moment before each attempt, not only when the call begins (graph.md 8.5)', (t) => {
  const parsed = parseOptions({ program: 'controller', about: '', options: CONTROLLER, args: [], environment: {} });
  if (parsed.word !== 'run') throw new Error(parsed.output);
  const fences: (() => boolean)[] = [];
  const mayWrite = (): boolean => true;
  const client = stubClient({
    fenced: (fence) => {
      fences.push(fence);
      return stubClient({});
    },
  });
  new Controller({
    settings: parsed.values,
    client,
    clock: fakeClock(),
    random: () => 0,
    log: createLog({ name: 'controller', level: 'fatal', format: 'json', destination: { write: () => {} } }),
    registry: new Registry(),
    otherUsers: [],
    observeCompile: () => {},
    instance: 'test',
    mayWrite,
  });
  t.same(fences, [mayWrite]);
  t.end();
});
