import { StringDecoder } from 'node:string_decoder';
import type { WatchEvent } from './client.ts';
import { ConnectionError } from './error.ts';
import { parseJson } from './json.ts';
import { readWatchError } from './refusal.ts';

/** The longest line that is read: an object of etcd's size limit, printed with room to spare. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** The events of a watch's body, one a line. Throws ApiError for an `ERROR` event. */
export async function* readEvents<T>(body: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent<T>> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of body) {
    const text = rest + decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    let start = 0;
    for (let end = text.indexOf('\n', start); end >= 0; end = text.indexOf('\n', start)) {
      if (end > start) yield readEvent<T>(text.slice(start, end));
      start = end + 1;
    }
    rest = text.slice(start);
    if (rest.length > LONGEST_LINE) throw garbled(`an event is longer than ${LONGEST_LINE} bytes`);
  }
  if (rest.trim() !== '') yield readEvent<T>(rest);
}

function readEvent<T>(line: string): WatchEvent<T> {
  let event: { readonly type?: unknown; readonly object?: unknown };
  try {
    event = parseJson(line) as typeof event;
  } catch (cause) {
    throw garbled('an event is no JSON', cause);
  }
  switch (event.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
    case 'BOOKMARK':
      return { type: event.type, object: event.object as T };
    case 'ERROR':
      throw readWatchError(event.object);
    default:
      throw garbled('an event has no known type');
  }
}

function garbled(what: string, cause?: unknown): ConnectionError {
  return new ConnectionError(`watch: ${what}`, { failure: 'garbled', mayHaveRun: false, cause });
}
