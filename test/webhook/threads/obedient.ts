import { parentPort } from 'node:worker_threads';
import { FieldPath } from '../../../src/diagnostic/path.ts';
import { type CompileMessage, packReport } from '../../../webhook/compile-message.ts';

/** A thread whose review is an order: report what it was sent, run for ever, sleep a little, eat memory, throw, or end. */
let eaten: number[][] = [];
parentPort?.on('message', ({ id, review, parts, newParts }: CompileMessage) => {
  switch (Buffer.from(review).toString()) {
    case 'loop':
      while (eaten.length === 0) Math.random();
      break;
    case 'nap':
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      parentPort?.postMessage({ word: 'failed', id, stack: 'Error: too late' });
      break;
    case 'eat':
      while (eaten.length >= 0) eaten.push(Array.from({ length: 100_000 }, Math.random));
      break;
    case 'throw':
      parentPort?.postMessage({ word: 'failed', id, stack: 'Error: no such thing' });
      break;
    case 'end':
      throw new Error('the thread ends');
    default: {
      eaten = [];
      const message = JSON.stringify({ parts, newParts: newParts.map(({ hash, bytes }) => [hash, bytes.byteLength]) });
      const report = packReport([{ code: 'test/told', severity: 'warning', path: FieldPath.of('spec', 'nodes', 3), message }]);
      parentPort?.postMessage({ word: 'compiled', id, report }, [report]);
    }
  }
});
parentPort?.postMessage({ word: 'ready' });
