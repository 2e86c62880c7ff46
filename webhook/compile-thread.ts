import { parentPort } from 'node:worker_threads';
import { type Compiled, compile } from '../src/compiler/compile.ts';
import type { Diagnostic } from '../src/diagnostic/diagnostic.ts';
import type { SchemaSnapshot } from '../src/schema/snapshot.ts';
import { type CompileMessage, packReport, type ThreadMessage } from './compile-message.ts';
import { type AdmissionRequest, decode } from './decode.ts';
import { planOf } from './plan.ts';
import { PartReader } from './schema-parts.ts';

/** The program of one compiler thread: it keeps what it has learnt of the schemas, and answers one message after the other. */
if (parentPort === null) throw new Error('compile-thread.ts is started by compile-pool.ts');
const port = parentPort;
const reader = new PartReader();

port.on('message', (message: CompileMessage) => void answer(message));
port.postMessage({ word: 'ready' } satisfies ThreadMessage);

async function answer({ id, review, parts, newParts, limits, planSteps }: CompileMessage): Promise<void> {
  try {
    for (const part of newParts) reader.add(part);
    const request = decode(new Uint8Array(review));
    const schemas = reader.snapshot(parts);
    const compiled = compile({ graph: request.object, schemas, limits });
    const report = packReport([...compiled.diagnostics, ...(await planned(request, compiled, { schemas, limits, planSteps }))]);
    port.postMessage({ word: 'compiled', id, report } satisfies ThreadMessage, [report]);
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    port.postMessage({ word: 'failed', id, stack } satisfies ThreadMessage);
  }
}

/** On dry run: what the Graph would do, if that can be told. */
async function planned(
  { dryRun, namespace, oldObject }: AdmissionRequest,
  { program }: Compiled,
  { schemas, limits, planSteps }: Pick<CompileMessage, 'limits' | 'planSteps'> & { readonly schemas: SchemaSnapshot },
): Promise<readonly Diagnostic[]> {
  if (!dryRun || program === undefined) return [];
  const oldProgram = oldObject === undefined ? undefined : compile({ graph: oldObject, schemas, limits }).program;
  const plan = await planOf({
    ...{ namespace, program, oldProgram, oldGraph: oldObject },
    isNamespaced: (kind) => schemas.get(kind)?.namespaced,
    steps: planSteps,
  });
  return plan === undefined ? [] : [plan];
}
