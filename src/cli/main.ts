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

const program = new Command('kro-graph')
  .description('Graphs of Kubernetes objects: compile, check and try them from a shell')
  .showHelpAfterError();
for (const command of commands) program.addCommand(command);
await program.parseAsync();
