import { Command } from 'commander';
import { compilerDiagnostics } from '../../compiler/diagnostics.ts';
import { didYouMean } from '../../diagnostic/nearest.ts';
import { diagnosticExamples } from '../manual/diagnostic-examples.ts';
import { otherCodes } from '../manual/other-codes.ts';

/** `kro-graph explain CODE`: what a finding means, with a wrong and a right example. */
export const explainCommand = new Command('explain')
  .description('explain the code of an error or warning, such as reference/unknown')
  .argument('<code>', 'the code in brackets at the end of a message')
  .action((code: string) => {
    const text = explain(code);
    if (text !== undefined) {
      process.stdout.write(text);
      return;
    }
    const codes = [...compilerDiagnostics().map((diagnostic) => diagnostic.code), ...Object.keys(otherCodes)];
    process.stderr.write(`kro-graph explain: no code "${code}"; ${didYouMean(code, codes) ?? '`kro-graph diagnostics` lists all'}\n`);
    process.exitCode = 2;
  });

/** The text of a code; undefined if there is no such code. */
export function explain(code: string): string | undefined {
  const other = otherCodes[code];
  if (other !== undefined) return `${code}\n\n${other}\n`;
  const diagnostic = compilerDiagnostics().find((candidate) => candidate.code === code);
  const example = diagnosticExamples[code];
  if (diagnostic === undefined || example === undefined) return undefined;
  const lines = [`${code} (${diagnostic.severity})`, '', example.meaning];
  if (example.wrong !== undefined) lines.push('', 'wrong:', ...indented(example.wrong));
  if (example.right !== undefined) lines.push('', 'right:', ...indented(example.right));
  return `${lines.join('\n')}\n`;
}

function indented(text: string): readonly string[] {
  return text.split('\n').map((line) => `  ${line}`);
}
