import { parentPort } from 'node:worker_threads';
import { compile } from '../src/compiler/compile.ts';
import { type CompileMessage, packReport, type ThreadMessage } from './compile-message.ts';
import { decode } from './decode.ts';
import { PartReader } from './schema-parts.ts';

/** The program of one compiler thread: it keeps what it has learnt of the schemas, and answers one message after the other. */
if (parentPort === null) throw new Error('compile-thread.ts is started by compile-pool.ts');
const port = parentPort;
const reader = new PartReader();

port.on('message', (message: CompileMessage) => answer(message));
port.postMessage({ word: 'ready' } satisfies ThreadMessage);

function answer({ id, review, parts, newParts, limits }: CompileMessage): void {
  try {
    for (const part of newParts) reader.add(part);
    const graph = decode(new Uint8Array(review)).object;
    const report = packReport(compile({ graph, schemas: reader.snapshot(parts), limits }).diagnostics);
    port.postMessage({ word: 'compiled', id, report } satisfies ThreadMessage, [report]);
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    port.postMessage({ word: 'failed', id, stack } satisfies ThreadMessage);
  }
}
