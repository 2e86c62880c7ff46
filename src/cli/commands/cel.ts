import { Command } from 'commander';
import { type CelCase, type CelResult, evaluateCase, parseCases } from '../cel-case.ts';
import { readStdin } from '../stdin.ts';

/** `kro-graph cel --json`: evaluates expressions from stdin exactly as a Graph does. */
export const celCommand = new Command('cel')
  .description('evaluate CEL expressions exactly as a Graph does')
  .argument('[expression]', 'one expression, without variables')
  .option('--json', 'read {"cases": [{"id", "expr", "vars"}]} from stdin, write {"results": […]} to stdout')
  .action(async (expression: string | undefined, options: { json?: boolean }) => {
    if (options.json === true) {
      await runCases();
    } else if (expression !== undefined) {
      const { id: _, ...result } = evaluateSafely({ id: 'expression', expr: expression, vars: new Map() });
      process.stdout.write(`${print(result)}\n`);
      if (result.error !== undefined) process.exitCode = 1;
    } else {
      process.stderr.write('give an expression, or --json and cases on stdin\n');
      process.exitCode = 2;
    }
  });

async function runCases(): Promise<void> {
  const text = decode(await readStdin());
  const parsed = text === undefined ? { problem: 'the input is not UTF-8' } : parseCases(text);
  if ('problem' in parsed) {
    process.stderr.write(`${parsed.problem}\n`);
    process.exitCode = 2;
    return;
  }
  // One by one: many large results would make a longer string than there can be.
  process.stdout.write('{"results": [');
  for (const [at, each] of parsed.cases.entries()) process.stdout.write(`${at === 0 ? '' : ',\n'}${print(evaluateSafely(each))}`);
  process.stdout.write(']}\n');
}

/** The text without a byte order mark, which some shells put before what they pipe. */
function decode(input: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(input);
  } catch {
    return undefined;
  }
}

/** A result as JSON; what nests deeper than JSON is written is a limit, which concerns this result alone. */
function print(result: Partial<CelResult>): string {
  try {
    return JSON.stringify(result);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { value: _, ...rest } = result;
    return JSON.stringify({ ...rest, error: { phase: 'eval', kind: 'limit', message: 'the value nests too deep' } });
  }
}

/** A bug of ours concerns its case alone; it is told on stderr. */
function evaluateSafely(each: CelCase): CelResult {
  try {
    return evaluateCase(each);
  } catch (error) {
    process.stderr.write(`case "${each.id}": ${error instanceof Error ? error.stack : String(error)}\n`);
    return { id: each.id, error: { phase: 'eval', kind: 'argument', message: 'internal error, see stderr' } };
  }
}
