#!/usr/bin/env node
import { Command } from 'commander';
import { celCommand } from './commands/cel.ts';
import { functionsCommand } from './commands/functions.ts';

/** The commands, in the order of the help. */
const commands: readonly Command[] = [celCommand, functionsCommand];

const program = new Command('kro-graph')
  .description('Graphs of Kubernetes objects: compile, check and try them from a shell')
  .showHelpAfterError();
for (const command of commands) program.addCommand(command);
await program.parseAsync();
