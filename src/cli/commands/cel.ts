import { Command } from 'commander';
import { type CelCase, type CelResult, evaluateCase, parseCases } from '../cel-case.ts';

/** `kro-graph cel --json`: evaluates expressions from stdin exactly as a Graph does. */
export const celCommand = new Command('cel')
  .description('evaluate CEL expressions exactly as a Graph does')
  .argument('[expression]', 'one expression, without variables')
  .option('--json', 'read {"cases": [{"id", "expr", "vars"}]} from stdin, write {"results": […]} to stdout')
  .action(async (expression: string | undefined, options: { json?: boolean }) => {
    if (options.json === true) {
      await runCases();
    } else if (expression !== undefined) {
      const { id: _, ...result } = evaluateCase({ id: 'expression', expr: expression, vars: new Map() });
      process.stdout.write(`${JSON.stringify(result)}\n`);
      if (result.error !== undefined) process.exitCode = 1;
    } else {
      process.stderr.write('give an expression, or --json and cases on stdin\n');
      process.exitCode = 2;
    }
  });

async function runCases(): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const parsed = parseCases(Buffer.concat(chunks).toString('utf8'));
  if ('problem' in parsed) {
    process.stderr.write(`${parsed.problem}\n`);
    process.exitCode = 2;
    return;
  }
  const results = parsed.cases.map((each) => JSON.stringify(evaluateSafely(each)));
  process.stdout.write(`{"results": [${results.join(',\n')}]}\n`);
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
