import { EventEmitter } from 'node:events';
import t from 'tap';
import { Lifecycle, type LifecycleOptions } from '../../src/service/lifecycle.ts';

const begin = (options: Partial<LifecycleOptions> = {}) => {
  const emitter = new EventEmitter();
  const told: string[] = [];
  const exited = Promise.withResolvers<number>();
  const codes: number[] = [];
  const exit = (code: number): void => {
    codes.push(code);
    exited.resolve(code);
  };
  const tell = (level: string) => (_fields: object, message: string) => told.push(`${level} ${message}`);
  const log = { info: tell('info'), warn: tell('warn'), error: tell('error'), fatal: tell('fatal') };
  const process = Object.assign(emitter, { exit });
  const lifecycle = new Lifecycle({ process, log, serveOn: 0, deadline: 2000, ...options });
  return { lifecycle, emitter, told, exited: exited.promise, codes };
};

t.test('SIGTERM: not ready at once, parts stop in reverse order, exit code 0', async (t) => {
  const { lifecycle, emitter, exited, told } = begin();
  const stopped: string[] = [];
  lifecycle.add('first', () => void stopped.push('first'));
  lifecycle.add('second', async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    stopped.push('second');
  });
  t.equal(lifecycle.signal.aborted, false);
  emitter.emit('SIGTERM');
  t.equal(lifecycle.signal.aborted, true);
  t.equal(await exited, 0);
  t.same(
    [stopped, told],
    [
      ['second', 'first'],
      ['info ending', 'info ended'],
    ],
  );
  t.equal(emitter.eventNames().length, 0, 'it leaves no listeners');
});

t.test('it serves on before it stops', async (t) => {
  const { lifecycle, emitter, exited } = begin({ serveOn: 100 });
  const started = performance.now();
  let stoppedAfter = 0;
  lifecycle.add('server', () => {
    stoppedAfter = performance.now() - started;
  });
  emitter.emit('SIGINT');
  await exited;
  t.ok(stoppedAfter >= 95);
});

t.test('what did not start serves nobody any longer', async (t) => {
  const { lifecycle, exited, told } = begin({ serveOn: 60_000, deadline: 120_000 });
  const started = performance.now();
  void lifecycle.end('not started', 1);
  t.equal(await exited, 1);
  t.ok(performance.now() - started < 30_000);
  t.same(told, ['info ending', 'info ended']);
});

t.test('a part that throws does not keep the others from stopping; exit code 1', async (t) => {
  const { lifecycle, emitter, exited } = begin();
  let stopped = false;
  lifecycle.add('first', () => {
    stopped = true;
  });
  lifecycle.add('broken', () => {
    throw new Error('broken');
  });
  emitter.emit('SIGTERM');
  t.same([await exited, stopped], [1, true]);
});

t.test('a part that does not stop is told of the end, then ended', async (t) => {
  const { lifecycle, emitter, exited, told } = begin({ deadline: 100 });
  let wasTold = false;
  lifecycle.add('stuck', (signal) => {
    signal.addEventListener('abort', () => {
      wasTold = true;
    });
    return new Promise(() => {});
  });
  emitter.emit('SIGTERM');
  t.same([await exited, wasTold, told.at(-1)], [1, true, 'fatal not ended in time']);
});

const readers: [title: string, stop: () => Promise<void>, told: string][] = [
  ['does not stop', () => new Promise(() => {}), 'warn a part is left behind: it does not stop'],
  ['fails', () => Promise.reject(new Error('no connection')), 'warn a part did not stop cleanly'],
];

for (const [title, stop, expected] of readers) {
  t.test(`a part that owes nothing and ${title} is told of; the others stop, exit code 0`, async (t) => {
    const { lifecycle, emitter, exited, told } = begin();
    let stopped = false;
    lifecycle.add('first', () => {
      stopped = true;
    });
    lifecycle.addReader('reader', stop, 20);
    emitter.emit('SIGTERM');
    t.same([await exited, stopped, told], [0, true, ['info ending', expected, 'info ended']]);
  });
}

t.test('a second SIGTERM changes nothing; a SIGINT after it ends at once', async (t) => {
  const { lifecycle, emitter, exited, codes } = begin({ serveOn: 1000 });
  lifecycle.add('any', () => {});
  emitter.emit('SIGTERM');
  emitter.emit('SIGTERM');
  t.same(codes, []);
  emitter.emit('SIGINT');
  t.equal(await exited, 1);
});

for (const event of ['uncaughtException', 'unhandledRejection']) {
  t.test(`${event} is logged, then exit code 1`, async (t) => {
    const { emitter, exited, told } = begin();
    emitter.emit(event, new Error('bug'));
    t.equal(await exited, 1);
    t.match(told[0], /^fatal un/);
  });
}
