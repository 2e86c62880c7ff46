import t from 'tap';
import type { KubeClient, WatchEvent, WatchOptions } from '../../src/kube/client.ts';
import { ApiError } from '../../src/kube/error.ts';
import type { ResourceRef } from '../../src/kube/resource.ts';
import { untilChanged } from '../../webhook/certificates/until-changed.ts';

const secret = { object: { group: '', version: 'v1', plural: 'secrets', namespace: 'kro', name: 's' }, resourceVersion: '7' };
const registration = { object: { group: 'a', version: 'v1', plural: 'registrations', name: 'r' }, resourceVersion: '8' };
const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } };
const failure = (code: number): ApiError =>
  new ApiError({ code, reason: 'X', message: '', causes: [], name: '', about: '', retryAfter: undefined });

type Script = (options: WatchOptions) => AsyncGenerator<WatchEvent>;

/** Silent until its signal. */
async function* silent({ signal }: WatchOptions): AsyncGenerator<WatchEvent> {
  await new Promise((resolve) => signal?.addEventListener('abort', resolve));
  throw new Error('aborted');
}

async function* ends(): AsyncGenerator<WatchEvent> {}

const refuses = (code: number): Script =>
  async function* () {
    yield* ends();
    throw failure(code);
  };

function scene(scripts: Readonly<Record<string, Script>>) {
  const asked: unknown[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const watch = (resource: ResourceRef, options: WatchOptions): AsyncIterable<WatchEvent> => {
    asked.push([resource.plural, options.fieldSelector, options.resourceVersion, options.timeoutSeconds]);
    signals.push(options.signal);
    return (scripts[resource.plural] ?? silent)(options);
  };
  return { asked, signals, client: { watch } as Pick<KubeClient, 'watch'> };
}

const rows: [title: string, scripts: Readonly<Record<string, Script>>][] = [
  [
    'one of them changes',
    {
      registrations: async function* () {
        yield { type: 'BOOKMARK', object };
        yield { type: 'MODIFIED', object };
      },
    },
  ],
  ['the server ends a watch', { secrets: ends }],
  ['the version is too old to go on from', { secrets: refuses(410) }],
];

for (const [title, scripts] of rows) {
  t.test(`it returns when ${title}, and ends the watches`, async (t) => {
    const { client, asked, signals } = scene(scripts);
    await untilChanged({ client, objects: [secret, registration], milliseconds: 60_000, signal: new AbortController().signal });
    t.strictSame(asked, [
      ['secrets', 'metadata.name=s', '7', 60],
      ['registrations', 'metadata.name=r', '8', 60],
    ]);
    t.ok(signals.every((signal) => signal?.aborted));
  });
}

t.test('bookmarks are no changes; it returns at the signal', async (t) => {
  const { client } = scene({
    secrets: async function* (options) {
      yield { type: 'BOOKMARK', object };
      yield* silent(options);
    },
  });
  let isOver = false;
  const over = new AbortController();
  const waiting = untilChanged({ client, objects: [secret], milliseconds: 60_000, signal: over.signal }).then(() => {
    isOver = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.equal(isOver, false);
  over.abort();
  await waiting;
});

t.test('objects that cannot be watched are an error', async (t) => {
  const { client } = scene({ secrets: refuses(403) });
  const watching = untilChanged({ client, objects: [secret], milliseconds: 1, signal: new AbortController().signal });
  await t.rejects(watching, { code: 403 });
});
