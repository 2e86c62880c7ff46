import t from 'tap';
import { readEvents } from '../../src/kube/watch-stream.ts';

const object = (name: string, more: object = {}): object => ({ metadata: { name, resourceVersion: '1' }, ...more });
const line = (type: string, about: unknown): string => `${JSON.stringify({ type, object: about })}\n`;

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const collect = async (text: string, size: number): Promise<unknown[]> => {
  const events: unknown[] = [];
  for await (const event of readEvents(inPieces(text, size))) events.push(event);
  return events;
};

const text = `${line('ADDED', object('é€😀'))}\n${line('MODIFIED', object('b'))}${line('BOOKMARK', object(''))}${line('DELETED', object('c'))}`;
const expected = [
  { type: 'ADDED', object: object('é€😀') },
  { type: 'MODIFIED', object: object('b') },
  { type: 'BOOKMARK', object: object('') },
  { type: 'DELETED', object: object('c') },
];
for (const size of [1, 2, 3, 7, 64, 10_000]) {
  t.test(`events are whole, whatever pieces they come in (${size} bytes)`, async (t) => t.same(await collect(text, size), expected));
}

t.test('integers beyond 2^53 are exact', async (t) => {
  t.same(await collect('{"type":"ADDED","object":{"spec":{"a":9007199254740993}}}\n', 10), [
    { type: 'ADDED', object: { spec: { a: 9007199254740993n } } },
  ]);
});
t.test('an error event is an ApiError', async (t) => {
  const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };
  await t.rejects(collect(line('ADDED', object('a')) + line('ERROR', status), 50), { name: 'ApiError', code: 410, reason: 'Expired' });
});
const garbled: readonly [title: string, text: string][] = [
  ['what is no JSON', '<html>\n'],
  ['an event that breaks off', line('ADDED', object('a')).slice(0, -5)],
  ['an unknown type', line('SURPRISE', object('a'))],
];
for (const [title, broken] of garbled) {
  t.test(`${title} is a ConnectionError`, async (t) => t.rejects(collect(broken, 50), { name: 'ConnectionError', failure: 'garbled' }));
}
