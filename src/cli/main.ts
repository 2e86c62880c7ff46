#!/usr/bin/env node
import { Command } from 'commander';
import { celCommand } from './commands/cel.ts';
import { diagnosticsCommand } from './commands/diagnostics.ts';
import { explainCommand } from './commands/explain.ts';
import { functionsCommand } from './commands/functions.ts';
import { treeCommand } from './commands/tree.ts';
import { validateCommand } from './commands/validate.ts';

/** The commands, in the order of the help. */
const commands: readonly Command[] = [validateCommand, explainCommand, treeCommand, celCommand, functionsCommand, diagnosticsCommand];

/** A command line that is wrong has found nothing out: 1 would say that a Graph is invalid. */
const MISUSE = 2;

const program = new Command('kro-graph')
  .description('Graphs of Kubernetes objects: compile, check and try them from a shell')
  .showHelpAfterError();
for (const command of commands) program.addCommand(command);
for (const command of [program, ...commands]) command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : MISUSE));
process.stdout.on('error', endQuietly);
await program.parseAsync();

/** Whoever reads the output may stop, as `head` does: the rest is of no use to anyone, and the exit code stands. */
function endQuietly(error: Error): void {
  if (!('code' in error) || error.code !== 'EPIPE') throw error;
}
