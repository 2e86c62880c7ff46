import { isLabelSelector } from './label-selector.ts';

/** One option of a process: its flag, environment variable and chart value bear the same words (operations.md 5). */
export interface Option<T> {
  readonly help: string;
  readonly fallback: T;
  /** The chart value that becomes this option; absent: it is no chart value. */
  readonly chart?: string | undefined;
  /** What stands for the value in the help: `duration`, `a|b`; a boolean needs no value. */
  readonly shape: string;
  /** Throws an OptionError that says what was expected. */
  readonly read: (text: string) => T;
  print(value: T): string;
}

/** A value that an option does not take; the message completes `--flag: …`. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** Options by their names in code; `applyConcurrency` is `--apply-concurrency` and `KRO_GRAPH_APPLY_CONCURRENCY`. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of declared options. */
export type ValuesOf<O> = { readonly [name in keyof O]: O[name] extends Option<infer T> ? T : never };

/** What all kinds of options are declared with. */
export interface Declaration<T> {
  readonly help: string;
  readonly fallback: T;
  readonly chart?: string;
}

/** Any text. */
export function text(declaration: Declaration<string> & { readonly shape?: string }): Option<string> {
  return { shape: 'text', ...declaration, read: (value) => value, print: (value) => value };
}

/** A whole number within bounds. */
export function int({ min, max, ...declaration }: Declaration<number> & { readonly min: number; readonly max: number }): Option<number> {
  const read = (value: string): number => {
    const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new OptionError(`expected an integer from ${min} to ${max}, found "${value}"`);
  };
  return { ...declaration, shape: 'integer', read, print: String };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Node's timers count no further: a longer time would be over at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A duration as Go writes it (`5s`, `1h30m`, `250ms`), in milliseconds, within bounds. */
export function duration({
  min = 0,
  max = LONGEST_TIMER,
  ...declaration
}: Declaration<number> & { readonly min?: number; readonly max?: number }): Option<number> {
  const read = (value: string): number => {
    if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(value)) throw new OptionError(`expected a duration such as 5s or 1h30m, found "${value}"`);
    const milliseconds = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce(
      (sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0),
      0,
    );
    if (milliseconds >= min && milliseconds <= max) return milliseconds;
    throw new OptionError(`expected a duration from ${printDuration(min)} to ${printDuration(max)}, found "${value}"`);
  };
  return { ...declaration, shape: 'duration', read, print: printDuration };
}

/** One of some words. */
export function choice<const T extends string>(declaration: Declaration<NoInfer<T>> & { readonly of: readonly T[] }): Option<T> {
  const { of, ...rest } = declaration;
  const read = (value: string): T => {
    const found = of.find((word) => word === value);
    if (found === undefined) throw new OptionError(`expected one of ${of.join(', ')}, found "${value}"`);
    return found;
  };
  return { ...rest, shape: of.join('|'), read, print: String };
}

/** A label selector in the API server's text form; empty: everything. */
export function labelSelector(declaration: Declaration<string>): Option<string> {
  const read = (value: string): string => {
    if (value === '' || isLabelSelector(value)) return value;
    throw new OptionError(`expected a label selector such as shard=a or "shard in (a, b), !old", found "${value}"`);
  };
  return { ...declaration, shape: 'selector', read, print: String };
}

/** Yes or no; the bare flag is yes. */
export function flag(declaration: Declaration<boolean>): Option<boolean> {
  const read = (value: string): boolean => {
    if (value === 'true' || value === 'false') return value === 'true';
    throw new OptionError(`expected true or false, found "${value}"`);
  };
  return { ...declaration, shape: 'boolean', read, print: String };
}

/** Texts separated by commas; with `item`, each is one of those. */
export function list({
  item,
  ...declaration
}: Declaration<readonly string[]> & { readonly item?: { readonly what: string; readonly pattern: RegExp } }): Option<readonly string[]> {
  const read = (value: string): readonly string[] => {
    const items = value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
    const wrong = item && items.find((each) => !item.pattern.test(each));
    if (wrong !== undefined) throw new OptionError(`expected ${item?.what}, found "${wrong}"`);
    return items;
  };
  return { ...declaration, shape: 'a,b,…', read, print: (value) => value.join(',') };
}

/** `--apply-concurrency`. */
export function flagOf(name: string): string {
  return `--${kebab(name)}`;
}

/** `KRO_GRAPH_APPLY_CONCURRENCY`. */
export function variableOf(name: string): string {
  return `KRO_GRAPH_${kebab(name).replaceAll('-', '_').toUpperCase()}`;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `1h30m`, `250ms`, `0s`. */
export function printDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  const parts: string[] = [];
  let rest = milliseconds;
  for (const [unit, size] of [
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
    ['ms', 1],
  ] as const) {
    const amount = unit === 'ms' ? rest : Math.floor(rest / size);
    if (amount > 0) parts.push(`${amount}${unit}`);
    rest -= amount * size;
  }
  return parts.join('');
}
