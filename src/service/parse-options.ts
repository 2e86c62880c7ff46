import { Command, CommanderError, Option as CommanderOption } from 'commander';
import { flagOf, type Option, OptionError, type ValuesOf, variableOf } from './option.ts';

/** What the command line and the environment come to: values, or text to print and an exit code. */
export type Parsed<V> =
  | { readonly word: 'run'; readonly values: V; readonly operands: readonly string[] }
  | { readonly word: 'exit'; readonly code: 0 | 2; readonly output: string };

/** What to parse. */
export interface CommandLine<O> {
  /** As the user types it: `kro-graph controller`. */
  readonly program: string;
  readonly about: string;
  readonly options: O;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The operand's name in the help, such as `FILE...`; absent: none is allowed. */
  readonly operands?: string;
}

/** A flag wins over its environment variable, and that over the default. What is wrong is one line and exit code 2. */
export function parseOptions<O extends Readonly<Record<string, Option<unknown>>>>(line: CommandLine<O>): Parsed<ValuesOf<O>> {
  const { program, options, args, environment } = line;
  const output: string[] = [];
  const command = declare(line, output);
  try {
    command.parse(args, { from: 'user' });
    const given: Readonly<Record<string, unknown>> = command.opts();
    const values = Object.entries(options).map(([name, option]) => [name, settle({ name, option, given: given[name], environment })]);
    return { word: 'run', values: Object.fromEntries(values) as ValuesOf<O>, operands: command.args };
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return { word: 'exit', code: 0, output: output.join('') };
    if (error instanceof CommanderError) return wrong(program, oneLine(error.message));
    if (error instanceof OptionError) return wrong(program, error.message);
    throw error;
  }
}

function declare<O extends Readonly<Record<string, Option<unknown>>>>(
  { program, about, options, operands }: CommandLine<O>,
  output: string[],
): Command {
  const command = new Command(program)
    .description(about)
    .exitOverride()
    .allowExcessArguments(false)
    .configureHelp({ helpWidth: 120 })
    .configureOutput({ writeOut: (written) => output.push(written), writeErr: () => {} });
  if (operands !== undefined) command.argument(`[${operands}]`);
  for (const [name, option] of Object.entries(options)) {
    const value = option.shape === 'boolean' ? ' [boolean]' : ` <${option.shape}>`;
    const fallback = printFallback(option);
    const help = `${option.help} (${fallback === '' ? '' : `default ${fallback}, `}env ${variableOf(name)})`;
    const declared = new CommanderOption(`${flagOf(name)}${value}`, help);
    // `--no-leader-elect` is a flag of that name, not the negation of another.
    declared.negate = false;
    command.addOption(declared);
  }
  return command;
}

interface Given {
  readonly name: string;
  readonly option: Option<unknown>;
  readonly given: unknown;
  readonly environment: CommandLine<unknown>['environment'];
}

function settle({ name, option, given, environment }: Given): unknown {
  const variable = environment[variableOf(name)];
  if (given === undefined && (variable === undefined || variable === '')) return option.fallback;
  const [where, text] = given === undefined ? [variableOf(name), variable ?? ''] : [flagOf(name), String(given)];
  try {
    return option.read(text);
  } catch (error) {
    throw error instanceof OptionError ? new OptionError(`${where}: ${error.message}`) : error;
  }
}

function printFallback<T>(option: Option<T>): string {
  return option.shape === 'boolean' ? '' : option.print(option.fallback);
}

function wrong(program: string, what: string): Parsed<never> {
  return { word: 'exit', code: 2, output: `${program}: ${what} (see ${program} --help)\n` };
}

function oneLine(message: string): string {
  return message
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ');
}
