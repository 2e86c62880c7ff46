import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** The YAML parser calls itself at each level: 10,000 levels take a third of this stack, and no API server reads more. */
const STACK_MEGABYTES = 32;
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './main.js', import.meta.url);

/** Whether this is the thread that `againWithDeepStack` has started: there is no more stack to be had. */
export const hasDeepStack = !isMainThread;

/** The text of stdin, which the thread before this one has read. */
export function formerStdin(): string | undefined {
  return isMainThread ? undefined : (workerData as { readonly stdin?: string }).stdin;
}

/** Runs this command again, in a thread that can read values as deep as an API server takes them (graph.md 15); gives its exit code. */
export async function againWithDeepStack(stdin: string | undefined): Promise<number> {
  const worker = new Worker(PROGRAM, {
    argv: process.argv.slice(2),
    workerData: { stdin },
    resourceLimits: { stackSizeMb: STACK_MEGABYTES },
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  worker.once('error', reject);
  worker.once('exit', resolve);
  return promise;
}
