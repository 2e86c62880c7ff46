import type { IncomingMessage } from 'node:http';
import type { Passage } from './byte-gate.ts';
import { BadReview } from './decode.ts';

export interface BodyLimits {
  readonly mostBytes: number;
  readonly passage: Passage;
  /** Aborted when the answer is due. */
  readonly due: AbortSignal;
  /** Aborted when it takes too long and others want its room. */
  readonly slow: AbortSignal;
}

/** Reads a request's body while there is room for it; throws a BadReview that says why not (graph.md 14.6). */
export async function readBody(stream: IncomingMessage, { mostBytes, passage, due, slow }: BodyLimits): Promise<Buffer> {
  const tooLarge = new BadReview(413, `the body is larger than ${mostBytes} bytes`);
  if (Number(stream.headers['content-length']) > mostBytes) throw tooLarge;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  let hadToWait = false;
  const makeRoom = async (): Promise<void> => {
    hadToWait = true;
    stream.pause();
    if (await passage.wait(due)) stream.resume();
  };
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > mostBytes) {
      reject(tooLarge);
      return;
    }
    chunks.push(chunk);
    if (!passage.take(chunk.length)) void makeRoom();
  };
  const onEnd = (): void => {
    passage.complete(size);
    resolve(Buffer.concat(chunks, size));
  };
  const onCut = (): void => reject(new BadReview(400, 'the body ended too early'));
  const onLate = (): void =>
    reject(
      hadToWait
        ? new BadReview(503, 'too many requests are being judged at this moment; try again')
        : new BadReview(408, 'the body did not come in time'),
    );
  stream.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  for (const signal of [due, slow]) signal.addEventListener('abort', onLate, { once: true });
  if (due.aborted) onLate();
  try {
    return await promise;
  } finally {
    // The listener for errors stays: a connection may break at any time.
    stream.off('data', onData).off('end', onEnd).off('close', onCut);
    for (const signal of [due, slow]) signal.removeEventListener('abort', onLate);
  }
}
