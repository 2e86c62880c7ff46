#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { celCommand } from './commands/cel.ts';
import { diagnosticsCommand } from './commands/diagnostics.ts';
import { explainCommand } from './commands/explain.ts';
import { functionsCommand } from './commands/functions.ts';
import { treeCommand } from './commands/tree.ts';
import { validateCommand } from './commands/validate.ts';
import { endWithReader } from './output.ts';

/** The commands, in the order of the help. */
const commands: readonly Command[] = [validateCommand, explainCommand, treeCommand, celCommand, functionsCommand, diagnosticsCommand];

const SERVERS = `
Servers, with flags of their own:
  webhook                        validate Graphs when they are written;
                                 kro-graph webhook --help
  controller                     reconcile Graphs; kro-graph controller --help`;

/** Usage, environment, or a bug of ours: 1 means that a Graph is wrong, and nothing else (operations.md 7). */
const NO_VERDICT_CODE = 2;

const program = new Command('kro-graph')
  .description('Check and inspect Graphs of Kubernetes objects, and evaluate their expressions')
  .version(manifest.version, '--version', 'print the version')
  .addHelpText('after', SERVERS)
  .exitOverride()
  .showHelpAfterError('(see kro-graph --help)');
for (const command of commands) {
  command.copyInheritedSettings(program).showHelpAfterError(`(see kro-graph ${command.name()} --help)`);
  program.addCommand(command);
}
endWithReader(process);
try {
  await program.parseAsync();
} catch (error) {
  const isTold = error instanceof CommanderError;
  if (!isTold) process.stderr.write(`kro-graph: internal error: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = isTold && error.exitCode === 0 ? 0 : NO_VERDICT_CODE;
}
